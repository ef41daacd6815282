"""Reading of queries. The texts of faults are held against recorded answers in tests/engine/search."""

from contextlib import suppress
from typing import Any

import pytest

from lanner.engine.common.errors import IllegalArgument, LannerError, ParsingError
from lanner.engine.dsl import QUERIES, UNSUPPORTED_QUERIES, parse_query
from lanner.engine.dsl.base import MAX_BOOL_DEPTH
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.dsl.match import MatchDsl
from lanner.engine.dsl.term import TermDsl


def test_parsed_queries_are_values() -> None:
    body = {"bool": {"must": {"match": {"t": "a b"}}, "filter": [{"term": {"k": {"value": 1, "boost": 2}}}]}}
    assert parse_query(body) == BoolDsl(must=(MatchDsl("t", "a b"),), filter=(TermDsl("k", 1, boost=2.0),))
    assert parse_query(body) == parse_query(body)


@pytest.mark.parametrize("name", sorted(UNSUPPORTED_QUERIES))
def test_queries_that_are_not_built_say_so(name: str) -> None:
    with pytest.raises(ParsingError, match="is not supported by this version"):
        parse_query({name: {}})


def test_no_query_is_both_built_and_not() -> None:
    assert not QUERIES.keys() & UNSUPPORTED_QUERIES


@pytest.mark.parametrize("name", sorted(QUERIES))
@pytest.mark.parametrize(
    "body", [5, None, [], "x", {"bogus": {"bogus": {"bogus": []}}}, {"": None}, {"boost": "x"}]
)
def test_nonsense_is_the_fault_of_the_request(name: str, body: Any) -> None:
    with suppress(LannerError):
        parse_query({name: body})


def nest(depth: int, wrap: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"match_all": {}}
    for _ in range(depth):
        body = wrap(body)
    return body


def test_depth() -> None:
    parse_query(nest(MAX_BOOL_DEPTH, lambda inner: {"bool": {"must": [inner]}}))
    for wrap in (
        lambda inner: {"bool": {"must": [inner]}},
        lambda inner: {"constant_score": {"filter": inner}},
        lambda inner: {"dis_max": {"queries": [inner]}},
    ):
        with pytest.raises(IllegalArgument, match="nested depth"):
            parse_query(nest(900, wrap))


def test_siblings_do_not_count_as_depth() -> None:
    parse_query({"bool": {"must": [{"bool": {"must": {"match_all": {}}}} for _ in range(100)]}})
