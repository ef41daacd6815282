import pytest

from lanner.engine.common.errors import IllegalArgument, QueryShardError
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.dsl.exists import ExistsDsl
from lanner.engine.dsl.match import MatchDsl
from lanner.engine.dsl.match_all import MatchAllDsl
from lanner.engine.dsl.match_phrase import MatchPhraseDsl
from lanner.engine.dsl.range import RangeDsl
from lanner.engine.mapping.field_type import Bounds
from lanner.engine.search.uri import FaultyDsl, parse_uri_query

A, B, C = (MatchDsl("f", word, lenient=True) for word in "abc")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("f:a", A),
        ("f:a f:b", BoolDsl(should=(A, B))),
        ("f:a AND f:b", BoolDsl(must=(A, B))),
        ("f:a && NOT f:b", BoolDsl(must=(A,), must_not=(B,))),
        ("+f:a -f:b f:c", BoolDsl(must=(A,), should=(C,), must_not=(B,))),
        ("f:a OR f:b AND f:c", BoolDsl(must=(B, C), should=(A,))),
        ("f:(a OR b)", BoolDsl(should=(A, B))),
        ("*:*", MatchAllDsl()),
        ("f:*", ExistsDsl("f")),
        ("_exists_:f", ExistsDsl("f")),
        ('f:"a b"', MatchPhraseDsl("f", "a b")),
        ("f:[1 TO 5}", RangeDsl("f", Bounds("1", "5", True, False))),
        ("f:[* TO 5]", RangeDsl("f", Bounds(None, "5"))),
        ("f:>=3", RangeDsl("f", Bounds(lower="3"))),
        ("f:a^2", BoolDsl(must=(A,), boost=2.0)),
        ("f:a\\:b", MatchDsl("f", "a:b", lenient=True)),
    ],
)
def test_parse(text: str, query: object) -> None:
    assert parse_uri_query(text) == query


def test_default_field_and_operator() -> None:
    assert parse_uri_query("a b", default_field="f") == MatchDsl("f", "a b", lenient=True)
    assert parse_uri_query("a AND b", default_field="f") == BoolDsl(must=(A, B))
    both = parse_uri_query("f:a f:b", default_operator="and")
    assert isinstance(both, BoolDsl)
    assert len(both.must) == 2
    with pytest.raises(IllegalArgument, match="No enum constant"):
        parse_uri_query("a", default_operator="xor")


@pytest.mark.parametrize("text", ["f:a~", "f:a*b", "f:/a/", '"a b"~2', "f:a?"])
def test_what_is_not_built(text: str) -> None:
    with pytest.raises(IllegalArgument, match="is not supported by this version"):
        parse_uri_query(text)


@pytest.mark.parametrize("text", ["f:(a", "f:a)", "AND f:a", "f:", "f:a AND"])
def test_broken_text_is_a_fault_of_the_shard(text: str) -> None:
    query = parse_uri_query(text)
    assert isinstance(query, FaultyDsl)
    with pytest.raises(QueryShardError, match="Failed to parse query"):
        query.build(None)  # type: ignore[arg-type]


def test_parentheses_have_a_limit() -> None:
    with pytest.raises(IllegalArgument, match="nested deeper"):
        parse_uri_query("(" * 500 + "a" + ")" * 500)
