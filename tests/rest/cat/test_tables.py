"""The smaller cat tables; columns, help and layout are the real system's."""

import re
from typing import Any

from tests.conftest import Client

LISTED = """\
=^.^=
/_cat/allocation
/_cat/segment_replication
/_cat/segment_replication/{index}
/_cat/shards
/_cat/shards/{index}
/_cat/cluster_manager
/_cat/nodes
/_cat/tasks
/_cat/indices
/_cat/indices/{index}
/_cat/segments
/_cat/segments/{index}
/_cat/count
/_cat/count/{index}
/_cat/recovery
/_cat/recovery/{index}
/_cat/health
/_cat/pending_tasks
/_cat/aliases
/_cat/aliases/{alias}
/_cat/thread_pool
/_cat/thread_pool/{thread_pools}
/_cat/plugins
/_cat/fielddata
/_cat/fielddata/{fields}
/_cat/nodeattrs
/_cat/repositories
/_cat/templates
/_cat/pit_segments
/_cat/pit_segments/{pit_id}
"""


def test_the_list(client: Client) -> None:
    assert client.get("/_cat").text == LISTED


def test_templates(client: Client) -> None:
    client.put("/_template/old", {"index_patterns": ["old*", "x*"], "order": 2, "version": 3})
    client.put("/_component_template/ct", {"template": {}})
    body = {"index_patterns": ["new*"], "priority": 5, "version": 7, "composed_of": ["ct"]}
    client.put("/_index_template/new", body)
    assert client.get("/_cat/templates?v&s=name").text == (
        "name index_patterns order version composed_of\n"
        "new  [new*]         5     7       [ct]\n"
        "old  [old*, x*]     2     3       \n"
    )
    assert client.get("/_cat/templates/nosuch?v").text == "name index_patterns order version composed_of\n"


def test_the_node(client: Client, node: Any) -> None:
    assert client.get("/_cat/cluster_manager").text == f"{node.id} 127.0.0.1 127.0.0.1 oracle-0\n"
    assert client.get("/_cat/master?h=node").text == "oracle-0\n"
    assert client.get("/_cat/nodeattrs?v&h=node,attr,value&s=attr").text == (
        "node     attr                            value\n"
        "oracle-0 shard_indexing_pressure_enabled true\n"
        "oracle-0 testattr                        test\n"
    )
    assert client.get("/_cat/pending_tasks?v").text == "insertOrder timeInQueue priority source\n"
    for path in ("/_cat/plugins", "/_cat/repositories", "/_cat/fielddata", "/_cat/fielddata/t"):
        assert client.get(f"{path}?format=json").json() == []


def test_allocation(client: Client) -> None:
    client.put("/rep")
    rows = client.get("/_cat/allocation?format=json").json()
    assert (rows[0]["shards"], rows[0]["node"]) == ("1", "oracle-0")
    assert (rows[1]["shards"], rows[1]["disk.used"], rows[1]["node"]) == ("1", None, "UNASSIGNED")
    assert client.get("/_cat/allocation/nosuch").text == "1        UNASSIGNED\n"


def test_recovery(client: Client) -> None:
    client.put("/idx", {"settings": {"number_of_shards": 2}})
    columns = "index,shard,type,stage,source_node,target_node,repository,snapshot"
    assert client.get(f"/_cat/recovery/idx?v&h={columns}&s=shard").text == (
        "index shard type        stage source_node target_node repository snapshot\n"
        "idx   0     empty_store done  n/a         oracle-0    n/a        n/a\n"
        "idx   1     empty_store done  n/a         oracle-0    n/a        n/a\n"
    )
    assert client.get("/_cat/recovery?active_only=true&h=index").text == ""
    assert client.get("/_cat/recovery/nosuch").status == 404


def test_thread_pools(client: Client) -> None:
    assert re.fullmatch(
        r"node_name name   active queue rejected\noracle-0  search +\d+ +\d+ +\d+\n",
        client.get("/_cat/thread_pool/search?v").text,
    )
    assert client.get("/_cat/thread_pool/nosuch").text == ""


def test_tasks(client: Client, node: Any) -> None:
    rows = client.get("/_cat/tasks?format=json&detailed=true", **{"X-Opaque-Id": "me"}).json()
    assert [row["action"] for row in rows] == [
        "cluster:monitor/tasks/lists",
        "cluster:monitor/tasks/lists[n]",
    ]
    assert (rows[0]["parent_task_id"], rows[1]["parent_task_id"]) == ("-", rows[0]["task_id"])
    assert rows[0]["task_id"].startswith(f"{node.id}:")
    assert client.get("/_cat/tasks?h=x_opaque_id&actions=*lists", **{"X-Opaque-Id": "me"}).text == "me\n"
    assert client.get("/_cat/tasks?nodes=nosuch").text == ""


def test_segment_replication(client: Client) -> None:
    client.put("/idx")
    heads = "shardId target_node target_host checkpoints_behind bytes_behind current_lag last_completed_lag "
    assert client.get("/_cat/segment_replication/idx?v").text == f"{heads}rejected_requests\n"
    assert client.get("/_cat/segment_replication?detailed=true&v").text.endswith(
        "finalize_replication_stage_time_taken\n"
    )
    assert client.get("/_cat/segment_replication/nosuch").status == 404


def test_points_in_time(client: Client) -> None:
    assert client.get("/_cat/pit_segments/_all").text == ""
    assert client.get("/_cat/pit_segments").error()["reason"] == (
        "Validation Failed: 1: no pit ids specified;"
    )
    assert client.get("/_cat/pit_segments/abc").status == 400


def test_pages(client: Client) -> None:
    assert client.get("/_list").text.splitlines()[1:] == [
        "/_list/indices",
        "/_list/indices/{index}",
        "/_list/shards",
        "/_list/shards/{index}",
    ]
    for name in ("b", "a", "c"):
        client.put(f"/{name}")
    full = client.get("/_list/indices?h=index").text.split("\n")
    assert (sorted(full[:3]), full[3]) == (["a", "b", "c"], "next_token null")
    down = client.get("/_list/indices?h=index&sort=desc").text.split("\n")
    assert down[:3] == full[2::-1]
    for order, wanted in (("asc", full[:3]), ("desc", down[:3])):
        found = []
        token = ""
        while token is not None:
            page = client.get(
                f"/_list/indices?h=index&size=2&format=json&sort={order}&next_token={token}"
            ).json()
            found += [row["index"] for row in page["indices"]]
            token = page["next_token"]
        assert found == wanted
    assert client.get("/_list/indices?next_token=bogus").error()["type"] == "parse_exception"
    assert len(client.get("/_list/shards?format=json").json()["shards"]) == 6
    assert client.get("/_list/shards/a?size=2").error()["reason"] == "size should at least be [2000]"
    assert client.get("/_list/indices?size=0").error()["reason"] == "size must be greater than zero"
    assert client.get("/_list/shards?sort=x").error()["reason"] == "value of sort can either be asc or desc"


def test_what_may_stand_in_a_path_may_be_a_parameter(client: Client) -> None:
    for name in ("one", "two"):
        client.put(f"/{name}", {"settings": {"number_of_replicas": 0}})
    assert client.get("/_cat/indices?index=two&h=index").text == "two\n"
    assert client.get("/_cat/shards/one?index=two&h=index").text == "one\n"
    assert client.get("/_cat/segments?index=none").status == 404
    assert client.get("/_cat/templates?name=none").text == ""
    assert client.get("/_cat/health?index=one").status == 400
