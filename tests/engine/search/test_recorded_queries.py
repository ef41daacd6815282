"""Queries of every kind against what OpenSearch 2.19.1 answered.

Recorded by tests/oracle/record_queries.py.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import LannerError
from lanner.engine.search.coordinator import search
from lanner.engine.search.request import parse_search_request
from tests.engine.search.shards import make_shard
from tests.oracle.generate_queries import MAPPING, SETTINGS, documents
from tests.oracle.record_queries import errors

RECORDED = json.loads(Path(__file__).with_name("recorded_queries.json").read_text())
NOW = 1_795_219_345_000
#: what is not built, and answers that depend on more than the query: clocks, ids, places in a body
DIFFERENT = (
    "script",
    "is not mapped on",
    '"random_score": {"field"',
    "ZoneOffset",
    "column: ",
    "Unable to find a field mapper",
    "negative [boost] are not allowed in [{",
)


@pytest.fixture(scope="module", params=[1, 4], ids=["one segment", "four segments"])
def shard(request: pytest.FixtureRequest) -> Any:
    sources = dict(documents())
    target = make_shard(
        MAPPING,
        documents(),
        index="queries",
        segments=request.param,
        registry=AnalysisRegistry(SETTINGS["analysis"]),
    )

    def lookup(index: str, id_: str, routing: str | None, version: int | None) -> bytes | None:
        return json.dumps(sources[id_]).encode() if id_ in sources else None

    return dataclasses.replace(target, lookup=lookup)


def answer(shard: Any, query: Any) -> dict[str, Any]:
    raw = json.dumps({"query": query, "size": 100, "_source": False}).encode()
    try:
        request = parse_search_request(msgspec.json.decode(raw), raw=raw)
        found = json.loads(msgspec.json.encode(search([shard], request, now_millis=NOW)))
    except LannerError as error:
        return {"error": errors(error.render())}
    return {"scores": {hit["_id"]: hit["_score"] for hit in found["hits"]["hits"]}}


def depends(case: dict[str, Any]) -> bool:
    text = json.dumps(case)
    return any(mark in text for mark in DIFFERENT)


def test_recorded_queries(shard: Any, request: pytest.FixtureRequest) -> None:
    compared = 0
    for case in RECORDED:
        if depends(case):
            continue
        got = answer(shard, case["query"])
        if "scores" in case:
            assert got.get("scores") == pytest.approx(case["scores"], rel=1e-5, abs=1e-6), case["query"]
        else:
            assert got.get("error") == case["error"], case["query"]
        compared += 1
    assert compared > 1000
