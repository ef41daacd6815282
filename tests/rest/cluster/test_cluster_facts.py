"""Statistics, exclusions and other facts of the cluster; expected values are the real system's."""

from typing import Any

from tests.conftest import Client


def test_stats(client: Client) -> None:
    analysis = {
        "analyzer": {"a": {"tokenizer": "standard", "filter": ["lowercase", "f"]}},
        "filter": {"f": {"type": "stop"}},
    }
    field = {"type": "text", "analyzer": "a", "fields": {"k": {"type": "keyword"}}}
    mapping = {
        "properties": {"t": field, "u": {"type": "text", "analyzer": "english"}, "o": {"properties": {}}}
    }
    client.put("/i", {"settings": {"number_of_shards": 2, "analysis": analysis}, "mappings": mapping})
    client.put("/j")
    shown = client.get("/_cluster/stats").json()
    assert (shown["status"], shown["indices"]["count"]) == ("yellow", 2)
    assert shown["indices"]["shards"] == {
        "total": 3,
        "primaries": 3,
        "replication": 0.0,
        "index": {
            "shards": {"min": 1, "max": 2, "avg": 1.5},
            "primaries": {"min": 1, "max": 2, "avg": 1.5},
            "replication": {"min": 0.0, "max": 0.0, "avg": 0.0},
        },
    }
    assert shown["indices"]["mappings"]["field_types"] == [
        {"name": "keyword", "count": 1, "index_count": 1},
        {"name": "object", "count": 1, "index_count": 1},
        {"name": "text", "count": 2, "index_count": 1},
    ]
    found = shown["indices"]["analysis"]
    assert found["filter_types"] == [{"name": "stop", "count": 1, "index_count": 1}]
    assert found["analyzer_types"] == [{"name": "custom", "count": 1, "index_count": 1}]
    assert found["built_in_filters"] == [{"name": "lowercase", "count": 1, "index_count": 1}]
    assert found["built_in_analyzers"] == [{"name": "english", "count": 1, "index_count": 1}]
    assert shown["nodes"]["count"]["total"] == 1
    assert client.get("/_cluster/stats/nodes/nosuch").json()["nodes"]["count"]["total"] == 0
    part = client.get("/_cluster/stats/indices,os/docs/nodes/_all").json()
    assert list(part["indices"]) == ["count", "docs"]
    assert list(part["nodes"]) == ["count", "versions", "os"]
    assert client.get("/_cluster/stats/bogus/nodes/_all").error()["reason"] == (
        "request [/_cluster/stats/bogus/nodes/_all] contains unrecognized metric: [bogus]"
    )


def test_exclusions(client: Client, node: Any) -> None:
    assert client.post("/_cluster/voting_config_exclusions").status == 400
    assert client.post("/_cluster/voting_config_exclusions?node_names=a,b").status == 200
    assert client.post("/_cluster/voting_config_exclusions?node_ids=c").status == 200
    assert client.post(f"/_cluster/voting_config_exclusions?node_ids={node.id}").status == 400
    shown = client.get("/_cluster/state/metadata").json()["metadata"]["cluster_coordination"]
    assert shown["voting_config_exclusions"] == [
        {"node_id": "_absent_", "node_name": "a"},
        {"node_id": "_absent_", "node_name": "b"},
        {"node_id": "c", "node_name": "_absent_"},
    ]
    many = ",".join(f"n{each}" for each in range(9))
    assert client.post(f"/_cluster/voting_config_exclusions?node_names={many}").status == 400
    assert client.delete("/_cluster/voting_config_exclusions?wait_for_removal=false").status == 200
    assert "node_name" not in client.get("/_cluster/state/metadata").text


def test_what_there_is_none_of(client: Client) -> None:
    assert client.get("/_cluster/pending_tasks").json() == {"tasks": []}
    assert client.get("/_remote/info").json() == {}
    assert client.get("/_cluster/decommission/awareness/zone/_status").json() == {}
    assert client.delete("/_cluster/decommission/awareness").json() == {"acknowledged": True}


def test_templates_and_blocks_are_part_of_the_state(client: Client) -> None:
    client.put("/_component_template/c", {"template": {"settings": {"number_of_replicas": 0}}})
    client.put("/_index_template/t", {"index_patterns": ["d*"], "data_stream": {}, "composed_of": ["c"]})
    client.put(
        "/_template/l", {"index_patterns": ["e*"], "mappings": {"properties": {"a": {"type": "keyword"}}}}
    )
    client.put("/_data_stream/d1")
    client.put("/i")
    client.post("/i/_close")
    state = client.get("/_cluster/state/metadata,blocks").json()
    metadata = state["metadata"]
    assert metadata["templates"]["l"]["mappings"] == {"_doc": {"properties": {"a": {"type": "keyword"}}}}
    settings = {"index": {"number_of_replicas": "0"}}
    assert metadata["component_template"] == {
        "component_template": {"c": {"template": {"settings": settings}}}
    }
    assert metadata["data_stream"]["data_stream"]["d1"]["generation"] == 1
    assert metadata["index_template"]["index_template"]["t"]["composed_of"] == ["c"]
    assert state["blocks"]["indices"]["i"]["4"]["levels"] == ["read", "write"]
