from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.term import TermQuery

A, B = TermQuery("f", b"a"), TermQuery("f", b"b")
NONE = MatchNoneQuery()


def test_rewrites_keep_matches_and_scores() -> None:
    assert BooleanQuery().rewrite() == MatchAllQuery()
    assert BooleanQuery(must=(A,)).rewrite() == A
    assert BooleanQuery(should=(A,)).rewrite() == A
    assert BooleanQuery(should=(A, NONE)).rewrite() == A
    assert BooleanQuery(must=(A, NONE)).rewrite() == NONE
    assert BooleanQuery(filter=(NONE,), should=(A,)).rewrite() == NONE
    assert BooleanQuery(must=(A,), must_not=(MatchAllQuery(),)).rewrite() == NONE
    assert BooleanQuery(must=(A,), must_not=(NONE,)).rewrite() == A
    assert BooleanQuery(should=(A, B), minimum_should_match=3).rewrite() == NONE
    assert BooleanQuery(must=(A, B), minimum_should_match=1).rewrite() == NONE
    both = BooleanQuery(must=(A,), should=(B,))
    assert both.rewrite() is both


def test_queries_are_values() -> None:
    assert TermQuery("f", b"a") == A
    assert len({A, TermQuery("f", b"a"), B}) == 2
    assert MatchNoneQuery("one reason") == MatchNoneQuery("another")


def test_needed() -> None:
    assert BooleanQuery(should=(A, B)).needed() == 1
    assert BooleanQuery(should=(A, B), filter=(A,)).needed() == 0
    assert BooleanQuery(should=(A, B), minimum_should_match=2).needed() == 2
