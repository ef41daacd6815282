"""Whole searches over one shard, held against what OpenSearch 2.19.1 answered (recorded_searches.json)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lanner.engine.common.errors import LannerError
from lanner.engine.search.coordinator import search
from lanner.engine.search.request import SearchParameters, parse_search_request
from tests.engine.search.shards import make_shard

RECORDED = json.loads(Path(__file__).with_name("recorded_searches.json").read_text())
NOW = 1_795_219_345_000


@pytest.fixture(scope="module", params=[1, 4], ids=["one segment", "four segments"])
def shard(request: pytest.FixtureRequest) -> Any:
    return make_shard(RECORDED["mapping"], RECORDED["documents"], index="m_q", segments=request.param)


def answer(shards: list[Any], body: Any, parameters: SearchParameters | None = None) -> dict[str, Any]:
    raw = json.dumps(body).encode()
    try:
        given = () if parameters is None else (parameters,)
        request = parse_search_request(msgspec.json.decode(raw), *given, raw=raw)
        found: dict[str, Any] = json.loads(msgspec.json.encode(search(shards, request, now_millis=NOW)))
    except LannerError as error:
        return {"error": error.render()}
    return found


def close(value: Any) -> Any:
    """Numbers to five digits: scores are 32-bit floats whose last bit depends on the order of additions."""
    if isinstance(value, dict):
        return {key: close(item) for key, item in value.items()}
    if isinstance(value, list):
        return [close(item) for item in value]
    return pytest.approx(value, rel=2e-6) if isinstance(value, float) else value


def test_recorded_searches(shard: Any) -> None:
    for case in RECORDED["searches"]:
        got = answer([shard], case["body"])
        if "error" in case:
            assert got == case["error"] or got["error"] == case["error"], case["body"]
            continue
        hits = got["hits"]
        assert hits.get("total") == case["total"], case["body"]
        assert hits["max_score"] == close(case["max_score"]), case["body"]
        shown = [{key: value for key, value in hit.items() if key != "_index"} for hit in hits["hits"]]
        assert shown == close(case["hits"]), case["body"]
        for key, value in case["answer"].items():
            if key != "took":
                assert got[key] == value, case["body"]


def test_several_shards_give_the_hits_of_one() -> None:
    documents = RECORDED["documents"]
    whole = make_shard(RECORDED["mapping"], documents, index="a")
    parts = [make_shard(RECORDED["mapping"], documents[i::3], index="a", shard=i) for i in range(3)]
    for body in (
        {"query": {"exists": {"field": "t"}}, "sort": ["k", "l", "_score"], "size": 30},
        {
            "query": {"range": {"i": {"gte": 3}}},
            "sort": [{"d": "desc"}, {"o.y": "asc"}],
            "from": 4,
            "size": 9,
        },
        {"size": 0, "query": {"term": {"b": True}}},
        {"size": 0, "track_total_hits": 7},
    ):
        one, several = answer([whole], body), answer(parts, body)
        assert several["hits"]["total"] == one["hits"]["total"]
        assert [hit["_id"] for hit in several["hits"]["hits"]] == [hit["_id"] for hit in one["hits"]["hits"]]
        assert several["_shards"] == {"total": 3, "successful": 3, "skipped": 0, "failed": 0}


def test_equal_hits_come_in_the_order_of_shards() -> None:
    parts = [
        make_shard({}, [(f"{shard}{i}", {"n": 1}) for i in range(3)], index="a", shard=shard)
        for shard in range(2)
    ]
    assert [hit["_id"] for hit in answer(parts, {"size": 5})["hits"]["hits"]] == [
        "00",
        "01",
        "02",
        "10",
        "11",
    ]


def test_a_failed_shard_is_shown_and_all_failed_shards_are_an_error() -> None:
    good = make_shard({}, [("1", {"n": 1})], index="a")
    bad = make_shard({}, [], index="a", shard=1, broken=True)
    got = answer([good, bad], {})
    assert got["_shards"]["failed"] == 1
    assert got["_shards"]["failures"][0]["shard"] == 1
    assert got["_shards"]["failures"][0]["reason"]["type"] == "no_shard_available_action_exception"
    assert got["hits"]["total"]["value"] == 1
    assert answer([bad], {})["error"]["reason"] == "all shards failed"
    partial = answer([good, bad], {}, SearchParameters(allow_partial_search_results=False))
    assert partial["error"]["type"] == "search_phase_execution_exception"


def test_no_shards_at_all() -> None:
    got = answer([], {})
    assert got["hits"] == {"total": {"value": 0, "relation": "eq"}, "max_score": 0.0, "hits": []}


def test_source_goes_out_byte_for_byte() -> None:
    shard = make_shard({}, [("1", b'{ "b" :1.50,\n"a": [ ] }')], index="a")
    request = parse_search_request(None)
    assert b'"_source":{ "b" :1.50,\n"a": [ ] }' in msgspec.json.encode(
        search([shard], request, now_millis=0)
    )


def test_url_parameters() -> None:
    shard = make_shard({}, [(str(i), {"n": i, "s": f"word{i % 2}"}) for i in range(9)], index="a")
    got = answer(
        [shard],
        {},
        SearchParameters(
            q="s:word1 AND n:[3 TO *]",
            sort="n:desc",
            size=1,
            source_includes="n",
            docvalue_fields="n",
            version=True,
            track_total_hits="true",
            rest_total_hits_as_int=True,
        ),
    )
    assert got["hits"]["total"] == 3
    assert got["hits"]["hits"] == [
        {
            "_index": "a",
            "_id": "7",
            "_version": 1,
            "_score": None,
            "_source": {"n": 7},
            "fields": {"n": [7]},
            "sort": [7],
        }
    ]


@pytest.mark.parametrize("key", ["aggs", "script_fields"])
def test_what_is_not_built_is_refused(key: str) -> None:
    error = answer([], {key: {"x": {}}})["error"]
    assert error["reason"] == f"[{key}] is not supported by this version"
    assert (error["line"], error["col"]) == (1, len(key) + 6)
