"""Document operations; answers and error texts are the real system's."""

import queue
from typing import Any

import msgspec
import pytest

from lanner.engine.cluster.creation import create_index
from lanner.engine.common.errors import LannerError
from lanner.engine.common.source_filter import SourceFilter
from lanner.engine.document.bulk import bulk
from lanner.engine.document.get import GetRequest, get_document
from lanner.engine.document.multi_get import multi_get
from lanner.engine.document.requests import (
    BulkOperation,
    BulkRequest,
    DeleteRequest,
    IndexRequest,
)
from lanner.engine.document.update import UpdateRequest, update_document
from lanner.engine.document.write import (
    MOST_AT_ONCE,
    Write,
    delete_document,
    index_document,
    prepare_write,
    write_all,
)
from lanner.engine.node import Node


def put(node: Node, id_: str | None, source: str, index: str = "i", **options: Any) -> dict[str, Any]:
    return index_document(node, IndexRequest(index=index, id=id_, source=source.encode(), **options))


def get(node: Node, id_: str, index: str = "i", **options: Any) -> dict[str, Any]:
    answer = get_document(node, GetRequest(index=index, id=id_, **options))
    if "_source" in answer:
        answer["_source"] = bytes(answer["_source"]).decode()
    return answer


def test_write_read_delete(node: Node) -> None:
    answer = put(node, "1", '{"a": 1.0}')
    assert list(answer.items()) == [
        ("_index", "i"),
        ("_id", "1"),
        ("_version", 1),
        ("result", "created"),
        ("_shards", {"total": 2, "successful": 1, "failed": 0}),
        ("_seq_no", 0),
        ("_primary_term", 1),
    ]
    again = put(node, "1", '{"a":2}', refresh="true")
    assert list(again)[3:5] == ["result", "forced_refresh"]
    assert (again["_version"], again["result"]) == (2, "updated")
    assert list(get(node, "1").items()) == [
        ("_index", "i"),
        ("_id", "1"),
        ("_version", 2),
        ("_seq_no", 1),
        ("_primary_term", 1),
        ("found", True),
        ("_source", '{"a":2}'),
    ]
    deleted = delete_document(node, DeleteRequest(index="i", id="1"))
    assert (deleted["_version"], deleted["result"], deleted["_seq_no"]) == (3, "deleted", 2)
    missing = delete_document(node, DeleteRequest(index="i", id="1"))
    assert (missing["_version"], missing["result"]) == (4, "not_found")
    assert get(node, "1") == {"_index": "i", "_id": "1", "found": False}
    auto = put(node, None, "{}")
    assert len(auto["_id"]) == 20
    assert auto["result"] == "created"


def test_source_comes_back_byte_for_byte(node: Node) -> None:
    source = '{ "b":1.50, "a" : [ 1,2 ],"\\u00e9":"x" }'
    put(node, "1", source)
    assert get(node, "1")["_source"] == source
    node.indices.index(node.cluster.state.indices["i"].uuid).shard(0).refresh()
    assert get(node, "1")["_source"] == source


@pytest.mark.parametrize(
    ("options", "kind", "reason"),
    [
        (
            {"if_seq_no": 5},
            "action_request_validation_exception",
            "Validation Failed: 1: ifSeqNo is set, but primary term is [0];",
        ),
        (
            {"if_primary_term": 1},
            "action_request_validation_exception",
            "Validation Failed: 1: ifSeqNo is unassigned, but primary term is [1];",
        ),
        (
            {"version": 5},
            "action_request_validation_exception",
            "Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. "
            "Please use `if_seq_no` and `if_primary_term` instead;",
        ),
        (
            {"version": -3, "version_type": "external"},
            "action_request_validation_exception",
            "Validation Failed: 1: illegal version value [-3] for version type [EXTERNAL];",
        ),
        (
            {"version": 1, "version_type": "external", "op_type": "create"},
            "action_request_validation_exception",
            "Validation Failed: 1: create operations only support internal versioning. use index instead;",
        ),
        (
            {"op_type": "create"},
            "version_conflict_engine_exception",
            "[1]: version conflict, document already exists (current version [1])",
        ),
        (
            {"require_alias": True},
            "index_not_found_exception",
            "no such index [i] and [require_alias] request flag is [true] and [i] is not an alias",
        ),
        ({"pipeline": "p"}, "illegal_argument_exception", "pipeline with id [p] does not exist"),
        (
            {"wait_for_active_shards": "2", "timeout": 10},
            "unavailable_shards_exception",
            "[i][0] Not enough active copies to meet shard count of [2] (have 1, needed 2). Timeout: [10ms]",
        ),
    ],
)
def test_conditions(node: Node, options: dict[str, Any], kind: str, reason: str) -> None:
    put(node, "1", "{}")
    with pytest.raises(LannerError) as caught:
        put(node, "1", "{}", **options)
    assert (caught.value.type, caught.value.reason) == (kind, reason)


def test_ids(node: Node) -> None:
    put(node, "é" * 256, "{}")
    with pytest.raises(LannerError, match="must be no longer than 512 bytes but was: 513"):
        put(node, "x" * 513, "{}")
    with pytest.raises(LannerError, match="if _id is specified it must not be empty"):
        put(node, "", "{}")


def test_routing(node: Node) -> None:
    create_index(
        node, "r", {"settings": {"number_of_shards": 7}, "mappings": {"_routing": {"required": True}}}
    )
    with pytest.raises(LannerError, match=r"routing is required for \[r\]/\[1\]"):
        put(node, "1", "{}", "r")
    put(node, "1", '{"x":1}', "r", routing="k1")
    assert get(node, "1", "r", routing="k1")["_routing"] == "k1"
    with pytest.raises(LannerError, match=r"routing is required for \[r\]/\[1\]"):
        get(node, "1", "r")


def test_source_filters(node: Node) -> None:
    put(node, "1", '{"title":"t","tags":[1],"o":{"a":1,"b":{"c":2}},"l":[{"a":1,"z":2},{"z":3}]}')

    def source(**options: Any) -> Any:
        return msgspec.json.decode(get(node, "1", **options)["_source"])

    assert source(source=["t*"]) == {"title": "t", "tags": [1]}
    assert source(source_includes=["o.*"], source_excludes=["*.c"]) == {"o": {"a": 1, "b": {}}}
    assert source(source_includes=["l.a", "o.a"]) == {"o": {"a": 1}, "l": [{"a": 1}]}
    assert source(source_excludes=["o", "l"]) == {"title": "t", "tags": [1]}
    assert "_source" not in get(node, "1", source=False)


def test_updates(node: Node) -> None:
    put(node, "1", '{"a":1,"o":{"x":1}}')

    def update(body: dict[str, Any], id_: str = "1", **options: Any) -> dict[str, Any]:
        return update_document(
            node, UpdateRequest(index="i", id=id_, body=body, source=msgspec.json.encode(body), **options)
        )

    answer = update({"doc": {"o": {"y": 2}}}, fetch_source=SourceFilter())
    assert (answer["result"], answer["_version"]) == ("updated", 2)
    assert bytes(answer["get"]["_source"]) == b'{"a":1,"o":{"x":1,"y":2}}'
    noop = update({"doc": {"a": 1}})
    assert (noop["result"], noop["_version"], noop["_shards"]["total"]) == ("noop", 2, 0)
    assert update({"doc": {"a": 1}, "detect_noop": False})["_version"] == 3
    assert update({"doc": {"a": 9}, "upsert": {"u": 1}}, "2")["result"] == "created"
    assert get(node, "2")["_source"] == '{"u":1}'
    assert update({"doc": {"d": 1}, "doc_as_upsert": True}, "3")["result"] == "created"
    for body, id_, kind, reason in (
        ({"doc": {}}, "9", "document_missing_exception", "[9]: document missing"),
        (
            {"nosuch": 1},
            "1",
            "x_content_parse_exception",
            "[1:2] [UpdateRequest] unknown field [nosuch]",
        ),
        (
            {"doc": 5},
            "1",
            "x_content_parse_exception",
            "[1:8] [UpdateRequest] doc doesn't support values of type: VALUE_NUMBER",
        ),
        (
            {},
            "1",
            "action_request_validation_exception",
            "Validation Failed: 1: script or doc is missing;",
        ),
    ):
        with pytest.raises(LannerError) as caught:
            update(body, id_)
        assert (caught.value.type, caught.value.reason) == (kind, reason)
    with pytest.raises(
        LannerError, match=r"required seqNo \[0\], primary term \[1\]. current document has seqNo"
    ):
        update({"doc": {"a": 5}}, if_seq_no=0, if_primary_term=1)


def test_bulk(node: Node) -> None:
    operations = [
        BulkOperation("index", "b", "1", b'{"a":1}'),
        BulkOperation("create", "b", "1", b'{"a":2}'),
        BulkOperation("update", "b", "1", b'{"doc":{"b":1}}'),
        BulkOperation("update", "b", "404", b'{"doc":{"b":1}}'),
        BulkOperation("delete", "b", "1"),
        BulkOperation("delete", "b", "405"),
        BulkOperation("index", "b", "3", b'{"a":"text"}'),
        BulkOperation("index", "Bad", "3", b'{"a":1}'),
        BulkOperation("index", "b", None, b'{"a":1}'),
        BulkOperation("index", "b", "", b'{"a":1}'),
        BulkOperation("delete", "nosuch", "1"),
        BulkOperation("update", "b", "5", b'{"doc":{"n":1},"doc_as_upsert":true}'),
        BulkOperation("update", "b", "5", b'{"doc":{"n":1}}'),
    ]
    answer = bulk(node, BulkRequest(operations=operations, refresh="true"))
    assert list(answer) == ["took", "errors", "items"]
    assert answer["errors"] is True
    shown = []
    for item in answer["items"]:
        (body,) = item.values()
        error = body.get("error")
        shown.append(error.type if error is not None else (body["result"], body["_version"], body["status"]))
    assert shown == [
        ("created", 1, 201),
        "version_conflict_engine_exception",
        ("updated", 2, 200),
        "document_missing_exception",
        ("deleted", 3, 200),
        ("not_found", 1, 404),
        "mapper_parsing_exception",
        "invalid_index_name_exception",
        ("created", 1, 201),
        "illegal_argument_exception",
        "index_not_found_exception",
        ("created", 1, 201),
        ("noop", 1, 200),
    ]
    first = answer["items"][0]["index"]
    assert list(first) == [
        "_index",
        "_id",
        "_version",
        "result",
        "forced_refresh",
        "_shards",
        "_seq_no",
        "_primary_term",
        "status",
    ]


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ([], "Validation Failed: 1: no requests added;"),
        ([BulkOperation("delete", "b")], "Validation Failed: 1: id is missing;"),
        ([BulkOperation("index", "", None, b"{}")], "Validation Failed: 1: index is missing;"),
        (
            [BulkOperation("update", "b", "1", b'{"nosuch":1}')],
            "[1:2] [UpdateRequest] unknown field [nosuch]",
        ),
    ],
)
def test_bad_bulks(node: Node, operations: list[BulkOperation], reason: str) -> None:
    with pytest.raises(LannerError) as caught:
        bulk(node, BulkRequest(operations=operations))
    assert caught.value.reason == reason
    assert node.cluster.state.indices == {}


def test_bulk_over_several_shards_keeps_the_order_of_items(node: Node) -> None:
    create_index(node, "s", {"settings": {"number_of_shards": 5}})
    operations = [BulkOperation("index", "s", f"d{number}", b'{"n":%d}' % number) for number in range(200)]
    answer = bulk(node, BulkRequest(operations=operations, refresh="wait_for"))
    assert answer["errors"] is False
    assert [item["index"]["_id"] for item in answer["items"]] == [f"d{number}" for number in range(200)]
    assert all(get(node, f"d{number}", "s")["found"] for number in range(200))


def test_multi_get(node: Node) -> None:
    put(node, "1", "{}")
    answer = multi_get(
        node,
        [GetRequest(index="i", id="1"), GetRequest(index="i", id="2"), GetRequest(index="nosuch", id="1")],
    )
    assert [item.get("found") for item in answer["docs"]] == [True, False, None]
    error = answer["docs"][2]["error"]
    assert error["root_cause"][0]["type"] == error["type"] == "index_not_found_exception"
    with pytest.raises(LannerError, match="1: index is missing for doc 0;2: id is missing for doc 0;"):
        multi_get(node, [GetRequest(index="", id="")])


def test_what_needs_no_waiting_is_written_at_once(node: Node) -> None:
    mapping = {"properties": {"n": {"type": "long"}, "t": {"type": "text"}}}
    create_index(node, "i", {"settings": {"index.translog.durability": "async"}, "mappings": mapping})

    def at_once(id_: str | None, source: str = '{"n":1}', **options: Any) -> dict[str, Any] | None:
        write = prepare_write(node, IndexRequest(index="i", id=id_, source=source.encode(), **options))
        if write is None:
            return None
        write_all(write.shard, [write], patient=False)
        assert write.shard.durability() is None  # a log that is synced in the background
        return write.answer()

    first = at_once("1")
    assert first is not None
    second = put(node, "2", '{"n":1}')
    assert list(first) == list(second)
    assert (first["result"], first["_seq_no"], second["_seq_no"]) == ("created", 0, 1)
    again = at_once("1", '{"n":2}')
    assert again is not None
    assert (again["result"], again["_version"]) == ("updated", 2)
    assert get(node, "1")["_source"] == '{"n":2}'
    named = at_once(None)
    assert named is not None
    assert get(node, named["_id"])["found"]
    with pytest.raises(LannerError, match="document already exists"):
        at_once("1", op_type="create")

    # all that would wait is left alone
    assert at_once("9", '{"new":1}') is None
    assert at_once("9", refresh="true") is None
    assert at_once("9", refresh="wait_for") is None
    assert at_once("9", '{"t":"%s"}' % ("x" * MOST_AT_ONCE)) is None
    assert prepare_write(node, IndexRequest(index="nosuch", id="9", source=b"{}")) is None
    assert not get(node, "9")["found"]
    assert "nosuch" not in node.cluster.state.indices


def test_what_is_written_at_once_is_acknowledged_when_it_is_durable(node: Node) -> None:
    mapping = {"properties": {"n": {"type": "long"}}}
    create_index(node, "i", {"settings": {}, "mappings": mapping})
    shard = node.indices.index(node.cluster.state.indices["i"].uuid).shard(0)
    translog = shard.translog
    with translog._sync_lock:  # no sync comes through
        writes = [
            prepare_write(node, IndexRequest(index="i", id=str(i), source=b'{"n":1}')) for i in range(20)
        ]
        done: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()
        for write in filter(None, writes):
            write_all(shard, [write], patient=False)
            durable = shard.durability()
            assert durable is not None
            durable(done.put)
        assert done.empty()
        assert translog.needs_sync
    assert [done.get(timeout=10) for _ in writes] == [None] * 20
    assert not translog.needs_sync

    late = prepare_write(node, IndexRequest(index="i", id="late", source=b'{"n":1}'))
    assert late is not None
    write_all(shard, [late], patient=False)
    durable = shard.durability()
    assert durable is not None
    translog.broken = "[i][0] translog sync failed: test"
    durable(done.put)
    assert "sync failed: test" in str(done.get(timeout=10))
    with pytest.raises(LannerError):
        prepare_write(node, IndexRequest(index="i", id="x", source=b'{"n":1}'))


def test_writes_of_one_turn_share_their_faults_only_where_they_must(node: Node) -> None:
    mapping = {"properties": {"n": {"type": "long"}}}
    create_index(node, "i", {"settings": {}, "mappings": mapping})

    def prepared(id_: str, **options: Any) -> Write:
        write = prepare_write(node, IndexRequest(index="i", id=id_, source=b'{"n":1}', **options))
        assert write is not None
        return write

    writes = [prepared("a"), prepared("a"), prepared("a", op_type="create"), prepared("b")]
    write_all(writes[0].shard, writes, patient=True)
    assert [write.error is None for write in writes] == [True, True, False, True]
    answers = [write.answer() for write in writes if write.error is None]
    assert [(each["_id"], each["_version"], each["_seq_no"], each["result"]) for each in answers] == [
        ("a", 1, 0, "created"),
        ("a", 2, 1, "updated"),
        ("b", 1, 2, "created"),
    ]
    with pytest.raises(LannerError, match="document already exists"):
        writes[2].answer()

    writes = [prepared("c"), prepared("d")]
    writes[0].shard.translog.broken = "[i][0] translog write failed: test"
    write_all(writes[0].shard, writes, patient=False)
    for write in writes:
        with pytest.raises(LannerError, match="write failed: test"):
            write.answer()
