"""Whatever is asked, there is an answer or an error that blames the request; and it comes soon."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import LannerError
from lanner.engine.search.coordinator import search
from lanner.engine.search.request import parse_search_request
from lanner.server.errors import status_of
from tests.engine.search.shards import make_shard
from tests.oracle.generate_queries import MAPPING, SETTINGS, Queries, documents

BY_HAND = json.loads(Path(__file__).with_name("queries_by_hand.json").read_text())
SHARD = make_shard(MAPPING, documents(n=12), index="queries", registry=AnalysisRegistry(SETTINGS["analysis"]))
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, 1e308, 0.5, "", " ", "x", "-1", "*", "AUTO", "2020-01-01", [],
    [None], ["x"], [[]], {}, {"x": 1}, {"match_all": {}}, {"t": "x"}, {"t": {}}, "(" * 50, "a" * 3000,
]  # fmt: skip


def status(query: Any) -> int:
    """The status of the answer; what is no fault of the request is raised."""
    raw = json.dumps({"query": query}).encode()
    try:
        request = parse_search_request(msgspec.json.decode(raw), raw=raw)
        found = search([SHARD], request, now_millis=0)
    except LannerError as error:
        return status_of(error)
    assert found["hits"]["hits"] is not None
    return 200


TEXT = st.text(st.sampled_from('ab te:*?~^"()[]{}+-!&|\\/<>=.,0123 \t\nTO字'), max_size=40)


@settings(max_examples=400, deadline=None)
@given(TEXT, st.sampled_from(["query_string", "simple_query_string"]), st.booleans())
def test_texts(text: str, kind: str, one_field: bool) -> None:
    assert status({kind: {"query": text, **({"fields": ["t"]} if one_field else {})}}) < 500


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('ab.*+?|&~#@()[]{}<>-,0123\\"^'), max_size=30))
def test_expressions(text: str) -> None:
    assert status({"regexp": {"t": text}}) < 500
    assert status({"query_string": {"query": f"t:/{text}/"}}) < 500
    assert status({"intervals": {"t": {"regexp": {"pattern": text}}}}) < 500


def changed(value: Any, rnd: random.Random) -> Any:
    """A copy with one part replaced, left out, or called something else."""
    if not isinstance(value, dict | list) or not value or rnd.random() < 0.15:
        return rnd.choice(ODD)
    if isinstance(value, list):
        at = rnd.randrange(len(value))
        return [*value[:at], changed(value[at], rnd), *value[at + 1 :]]
    key = rnd.choice(list(value))
    rest = {name: one for name, one in value.items() if name != key}
    kind = rnd.randrange(12)
    if kind == 0:
        return rest
    if kind == 1:
        return {**rest, "bogus": value[key]}
    return {**value, key: changed(value[key], rnd)}


def test_bodies_with_something_wrong() -> None:
    rnd = random.Random(8)
    seen = []
    for i in range(6000):
        query = rnd.choice(BY_HAND) if i % 2 else Queries(i).any()
        for _ in range(rnd.randint(1, 2)):
            query = changed(query, rnd)
        if not isinstance(query, dict):
            continue
        seen.append(status(query))
        assert seen[-1] < 500, query
    assert len(seen) > 4500
    assert {200, 400} <= set(seen)


@pytest.mark.parametrize("n", [10, 1000, 30_000])
def test_long_ones(n: int) -> None:
    every: list[Any] = [
        {"wildcard": {"t": text}}
        for text in ("*" * n, "*a" * n, "a" * n, "?" * n, "*?" * n, "a*" * n, "\\" * n, "*a?b" * n)
    ]
    every += [{"fuzzy": {"t": "ab" * n}}, {"prefix": {"t": {"value": "é" * n, "case_insensitive": True}}}]
    every += [{"term": {"t": {"value": "aB" * n, "case_insensitive": True}}}, {"match": {"t": "a b " * n}}]
    for kind in ("query_string", "simple_query_string"):
        every += [
            {kind: {"query": text, "fields": ["t"]}}
            for text in (
                "(" * n, ")" * n, "(a" * n, "(" * n + "a" + ")" * n, "a AND " * n, "a | b + " * n, '"' * n,
                '("' * n, "a~" * n, "-" * n, "\\" * n, "/" * n, "[" * n, "a^2" * n, "t:" * n, "+a -b " * n,
                "*" * n, "\\(" * n,
            )
        ]  # fmt: skip
    every += [{"match_phrase_prefix": {"t": "a " * n}}, {"match_bool_prefix": {"t": "a " * n}}]
    every += [{"intervals": {"t": {"match": {"query": "the " * n}}}}]
    every += [{"span_or": {"clauses": [{"span_term": {"t": "fox"}}] * n}}]
    every += [{"terms_set": {"t": {"terms": ["fox"] * n, "minimum_should_match_field": "n"}}}]
    every += [{"function_score": {"functions": [{"weight": 1}] * min(n, 3000)}}]
    every += [{"more_like_this": {"fields": ["t"], "like": "fox " * n}}]
    answered = [status(query) for query in every]
    assert len(answered) == len(every) == 55
    assert set(answered) <= {200, 400}


def test_deep_ones() -> None:
    for wrap in (
        lambda inner: {"bool": {"must": [inner]}},
        lambda inner: {"constant_score": {"filter": inner}},
        lambda inner: {"dis_max": {"queries": [inner]}},
        lambda inner: {"boosting": {"positive": inner, "negative": {"match_none": {}}, "negative_boost": 1}},
        lambda inner: {"function_score": {"query": inner}},
        lambda inner: {"span_near": {"clauses": [inner], "slop": 1}},
        lambda inner: {"span_first": {"match": inner, "end": 3}},
    ):
        query: Any = {"span_term": {"t": "fox"}}
        for _ in range(12):
            query = wrap(query)
        assert status(query) == 200
        for _ in range(300):
            query = wrap(query)
        assert status(query) == 400
    rule: Any = {"match": {"query": "fox"}}
    for _ in range(300):
        rule = {"all_of": {"intervals": [rule]}}
    assert status({"intervals": {"t": rule}}) == 400
