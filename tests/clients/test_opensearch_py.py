"""The Python client, unchanged, with its helpers against a node behind a socket."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opensearchpy import ConflictError, NotFoundError, OpenSearch, RequestError
from opensearchpy.exceptions import TransportError
from opensearchpy.helpers import BulkIndexError, bulk, parallel_bulk, reindex, scan, streaming_bulk

import lanner

N_DOCS = 2500


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSearch]:
    folder: Path = tmp_path_factory.mktemp("client")
    with lanner.Node(data=folder) as node:
        found = OpenSearch(node.url)
        yield found
        found.close()


@pytest.fixture
def filled(client: OpenSearch) -> Iterator[str]:
    """An index of documents whose number is their id."""
    client.indices.create(
        index="filled",
        body={
            "settings": {"number_of_shards": 3, "number_of_replicas": 0},
            "mappings": {"properties": {"word": {"type": "keyword"}, "n": {"type": "integer"}}},
        },
    )
    done, errors = bulk(
        client,
        ({"_id": str(i), "_index": "filled", "n": i, "word": f"w{i % 7}"} for i in range(N_DOCS)),
        chunk_size=400,
        refresh=True,
    )
    assert (done, errors) == (N_DOCS, [])
    yield "filled"
    client.indices.delete(index="filled")


def test_bulk_helpers_report_what_failed(client: OpenSearch) -> None:
    client.index(index="b", id="1", body={"n": 1})
    actions = [
        {"_op_type": "create", "_index": "b", "_id": "1", "n": 2},
        {"_op_type": "update", "_index": "b", "_id": "1", "doc": {"n": 3}},
        {"_op_type": "delete", "_index": "b", "_id": "none"},
    ]
    results = list(streaming_bulk(client, actions, raise_on_error=False))
    assert [ok for ok, _ in results] == [False, True, False]
    assert results[0][1]["create"]["error"]["type"] == "version_conflict_engine_exception"
    assert results[2][1]["delete"]["status"] == 404
    with pytest.raises(BulkIndexError):
        bulk(client, actions[:1])
    assert client.get(index="b", id="1")["_source"] == {"n": 3}


def test_parallel_bulk(client: OpenSearch) -> None:
    actions = ({"_index": "p", "_id": str(i), "n": i} for i in range(600))
    assert all(ok for ok, _ in parallel_bulk(client, actions, thread_count=2, chunk_size=100))
    client.indices.refresh(index="p")
    assert client.count(index="p")["count"] == 600


def test_scan_yields_every_document_once(client: OpenSearch, filled: str) -> None:
    hits = list(scan(client, index=filled, query={"query": {"term": {"word": "w3"}}}, size=37))
    assert sorted(int(hit["_id"]) for hit in hits) == list(range(3, N_DOCS, 7))
    ordered = scan(client, index=filled, query={"sort": ["n"]}, size=500, preserve_order=True)
    assert [hit["_source"]["n"] for hit in ordered] == list(range(N_DOCS))


def test_reindex_helper(client: OpenSearch, filled: str) -> None:
    done, failed = reindex(
        client, filled, "copy", query={"query": {"range": {"n": {"lt": 900}}}}, chunk_size=250
    )
    assert (done, failed) == (900, 0)
    client.indices.refresh(index="copy")
    assert client.get(index="copy", id="899")["_source"] == {"n": 899, "word": "w3"}
    assert client.count(index="copy")["count"] == 900


def test_points_in_time_and_slices(client: OpenSearch, filled: str) -> None:
    pit = client.create_pit(index=filled, params={"keep_alive": "1m"})["pit_id"]
    seen: set[str] = set()
    for number in range(4):
        body: dict[str, Any] = {
            "pit": {"id": pit},
            "slice": {"id": number, "max": 4},
            "sort": ["n"],
            "size": 300,
            "_source": False,
        }
        while hits := client.search(body=body)["hits"]["hits"]:
            assert seen.isdisjoint(hit["_id"] for hit in hits)
            seen.update(hit["_id"] for hit in hits)
            body["search_after"] = hits[-1]["sort"]
    assert len(seen) == N_DOCS
    assert client.delete_pit(body={"pit_id": [pit]})["pits"][0]["successful"]


def test_by_query_with_tasks(client: OpenSearch, filled: str) -> None:
    body = {"query": {"range": {"n": {"gte": 2000}}}}
    assert client.delete_by_query(index=filled, body=body, refresh=True)["deleted"] == N_DOCS - 2000
    task = client.update_by_query(index=filled, body={}, wait_for_completion=False)["task"]
    assert (
        client.tasks.get(task_id=task, params={"wait_for_completion": "true"})["response"]["updated"] == 2000
    )


def test_errors_are_those_of_the_client(client: OpenSearch) -> None:
    with pytest.raises(NotFoundError) as missing:
        client.search(index="nothing-here")
    assert missing.value.error == "index_not_found_exception"
    with pytest.raises(RequestError) as malformed:
        client.search(body={"query": {"nosuch": {}}})
    assert malformed.value.error == "parsing_exception"
    client.index(index="c", id="1", body={})
    with pytest.raises(ConflictError):
        client.create(index="c", id="1", body={})
    with pytest.raises(TransportError) as refused:
        client.search(index="c", body={"aggs": {"a": {"terms": {"field": "n"}}}})
    assert refused.value.status_code == 400


def test_the_rest_of_the_daily_calls(client: OpenSearch, filled: str) -> None:
    hit = client.search(
        index=filled,
        body={
            "query": {"match": {"word": {"query": "w1", "_name": "x"}}},
            "highlight": {"fields": {"word": {}}},
            "collapse": {"field": "word"},
            "explain": True,
            "profile": True,
            "sort": ["_score", {"n": "desc"}],
        },
    )["hits"]["hits"][0]
    assert hit["matched_queries"] == ["x"]
    assert hit["highlight"] == {"word": ["<em>w1</em>"]}
    assert hit["_explanation"]["value"] == pytest.approx(hit["sort"][0], rel=1e-5)
    assert client.explain(index=filled, id="1", body={"query": {"match_all": {}}})["matched"]
    many = client.msearch(
        body=[{"index": filled}, {"size": 0}, {"index": filled}, {"query": {"ids": {"values": ["5"]}}}]
    )
    assert [len(one["hits"]["hits"]) for one in many["responses"]] == [0, 1]
    assert client.mget(index=filled, body={"ids": ["1", "2"]})["docs"][1]["found"]
    assert client.termvectors(index=filled, id="1", params={"fields": "word"})["term_vectors"]["word"]
    assert client.field_caps(index=filled, params={"fields": "*"})["fields"]["n"]["integer"]["searchable"]
    assert client.indices.validate_query(index=filled, body={"query": {"match_all": {}}})["valid"]
    assert (
        client.indices.analyze(body={"analyzer": "english", "text": "running foxes"})["tokens"][1]["token"]
        == "fox"
    )
    assert {row["index"] for row in client.cat.indices(params={"format": "json"})} >= {filled}
    assert client.cluster.health()["status"] in ("green", "yellow")
