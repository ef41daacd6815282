"""Percolation against its definition: the stored queries that find a document in an index of its own."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pyroaring import BitMap

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import LannerError
from lanner.engine.dsl.percolate import PercolateDsl
from lanner.engine.query.base import WeightContext
from lanner.engine.search.coordinator import search
from lanner.engine.search.query_phase import context_of
from lanner.engine.search.request import parse_search_request
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.search.count import matching
from tests.engine.search.shards import make_shard
from tests.oracle.generate_queries import MAPPING, SETTINGS, Queries, documents

RECORDED = Path(__file__).parents[1] / "search"
REGISTRY = AnalysisRegistry(SETTINGS["analysis"])
DOCUMENTS = documents(seed=5, n=12)
NESTED = {
    "properties": {
        "t": {"type": "text"},
        "k": {"type": "keyword"},
        "n": {"type": "integer"},
        "c": {"type": "nested", "properties": {"t": {"type": "text"}, "n": {"type": "long"}}},
    }
}


def with_queries(mapping: dict[str, Any]) -> dict[str, Any]:
    return {"properties": {**mapping["properties"], "q": {"type": "percolator"}}}


def recorded_queries() -> list[Any]:
    """Return queries of all kinds; percolated documents score otherwise, so none with a least score."""
    cases = json.loads((RECORDED / "recorded_queries.json").read_text())
    cases += json.loads((RECORDED / "queries_by_hand.json").read_text())
    return [case["query"] for case in cases if "scores" in case and "min_score" not in json.dumps(case)]


def shard_of_queries(mapping: dict[str, Any], found: list[Any], segments: int) -> tuple[Any, list[Any]]:
    """Return a shard that holds what it takes of some queries, and these."""
    probe = make_shard(with_queries(mapping), [], index="q", registry=REGISTRY)
    taken = []
    for query in found:
        try:
            source = json.dumps({"q": query}).encode()
            probe.mapping.parse_document(source, id="x", routing=None)
        except LannerError:
            continue
        taken.append(query)
    rows = [(str(i), {"q": query}) for i, query in enumerate(taken)]
    return make_shard(with_queries(mapping), rows, index="q", segments=segments, registry=REGISTRY), taken


def ids(target: Any, body: dict[str, Any]) -> set[str]:
    request = parse_search_request({"size": 10_000, "_source": False, **body})
    answer = json.loads(msgspec.json.encode(search([target], request, now_millis=0)))
    return {hit["_id"] for hit in answer["hits"]["hits"]}


def found_alone(mapping: dict[str, Any], source: Any, taken: list[Any]) -> set[str]:
    """Return the numbers of the queries that find a document which is the only one of its index."""
    alone = make_shard(mapping, [("_temp_id", source)], index="q", registry=REGISTRY)
    return {str(i) for i, query in enumerate(taken) if ids(alone, {"query": query})}


@pytest.mark.parametrize("segments", [1, 3])
def test_queries_of_all_kinds(segments: int) -> None:
    shard, taken = shard_of_queries(MAPPING, recorded_queries(), segments)
    assert len(taken) > 800
    for _, source in DOCUMENTS:
        expected = found_alone(MAPPING, source, taken)
        percolate = {"percolate": {"field": "q", "document": source}}
        assert ids(shard, {"query": percolate}) == expected
        assert ids(shard, {"query": {"constant_score": {"filter": percolate}}}) == expected


def bools(seed: int, n: int) -> list[Any]:
    rnd, made = random.Random(seed), Queries(seed)

    def leaf() -> dict[str, Any]:
        word = made.word()
        return rnd.choice(
            [
                {"term": {"t": word}},
                {"match": {"t": {"query": f"{word} {made.word()}", "operator": rnd.choice(["or", "and"])}}},
                {"match_phrase": {"t": f"{word} {made.word()}"}},
                {"range": {"n": {"gte": rnd.randint(0, 20), "lt": rnd.randint(0, 25)}}},
                {"term": {"n": rnd.randint(0, 20)}},
                {"exists": {"field": rnd.choice(["n", "d", "t"])}},
                {"ids": {"values": ["_temp_id"]}},
                {"terms": {"t": [word, made.word()]}},
                {"match_all": {}},
                {"match_none": {}},
            ]
        )

    def tree(depth: int) -> dict[str, Any]:
        if depth == 0 or rnd.random() < 0.2:
            return leaf()
        body: dict[str, Any] = {}
        for key, most in (("must", 2), ("filter", 2), ("should", 4), ("must_not", 1)):
            clauses = [tree(depth - 1) for _ in range(rnd.randint(0, most))]
            if clauses:
                body[key] = clauses
        if "should" in body and rnd.random() < 0.5:
            body["minimum_should_match"] = rnd.randint(0, len(body["should"]))
        return {"bool": body}

    return [tree(3) for _ in range(n)]


def test_combinations() -> None:
    shard, taken = shard_of_queries(MAPPING, bools(7, 400), 2)
    assert len(taken) == 400
    for _, source in DOCUMENTS[:6]:
        percolate = {"percolate": {"field": "q", "document": source}}
        assert ids(shard, {"query": percolate}) == found_alone(MAPPING, source, taken)


def test_several_documents_are_any_of_them() -> None:
    shard, taken = shard_of_queries(MAPPING, bools(8, 300), 2)
    sources = [source for _, source in DOCUMENTS[:4]]
    body = {"query": {"percolate": {"field": "q", "documents": sources}}, "size": 10_000}
    answer = json.loads(msgspec.json.encode(search([shard], parse_search_request(body), now_millis=0)))
    slots = {hit["_id"]: hit["fields"]["_percolator_document_slot"] for hit in answer["hits"]["hits"]}
    each = [found_alone(MAPPING, source, taken) for source in sources]
    assert slots == {one: [i for i, found in enumerate(each) if one in found] for one in set().union(*each)}


def test_nested_objects() -> None:
    shard, taken = shard_of_queries(
        NESTED,
        [
            {"nested": {"path": "c", "query": {"match": {"c.t": "fox"}}}},
            {"nested": {"path": "c", "query": {"term": {"c.n": 2}}}},
            {
                "nested": {
                    "path": "c",
                    "query": {"bool": {"must": [{"term": {"c.n": 2}}, {"term": {"c.t": "fox"}}]}},
                }
            },
            {"match": {"c.t": "fox"}},
            {"bool": {"must_not": {"nested": {"path": "c", "query": {"match_all": {}}}}}},
            {"bool": {"must_not": {"match": {"t": "dog"}}}},
        ],
        1,
    )
    for source in (
        {"t": "dog", "c": [{"t": "quick fox", "n": 1}, {"t": "dog", "n": 2}]},
        {"c": {"t": "fox", "n": 2}},
        {"t": "dog"},
    ):
        percolate = {"percolate": {"field": "q", "document": source}}
        assert ids(shard, {"query": percolate}) == found_alone(NESTED, source, taken)


def test_few_queries_are_asked() -> None:
    """Queries for words that a document does not have are not even looked at."""
    words = [f"word{i}" for i in range(1000)]
    shard, _ = shard_of_queries(
        MAPPING,
        [{"bool": {"must": [{"match": {"t": word}}, {"range": {"n": {"gte": 0}}}]}} for word in words]
        + [{"term": {"n": i}} for i in range(1000)],
        1,
    )
    document = b'{"t": "word7 word8", "n": 3}'
    asked = PercolateDsl("q", (document,)).percolation(context_of(shard, 0))
    resolved = shard.mapping.field_type("q").resolved
    with_hits = asked.matching(shard.acquire().reader)
    assert [sorted(found) for found in with_hits] == [[7, 8, 1003]]
    assert len(resolved) == 3


def test_rows_are_documents_in_their_order() -> None:
    shard, _ = shard_of_queries(NESTED, [{"match_all": {}}], 1)
    documents = tuple(json.dumps({"c": [{"t": "x"}] * n}).encode() for n in (2, 0, 3))
    percolation = PercolateDsl("q", documents).percolation(context_of(shard, 0))
    reader = shard.acquire().reader
    assert percolation.slots(reader.segments[0], 0) == [(0, 2), (1, 3), (2, 7)]
    weights = WeightContext(percolation.reader, shard.mapping.similarity, scoring=False)
    assert matching(percolation.reader, MatchAllWeight(weights.reader, 1.0)) == [BitMap([2, 3, 7])]
