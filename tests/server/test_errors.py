"""Which errors an answer shows as the root of another; the cases are the reference's."""

import pytest

from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    NamedObjectNotFound,
    ParseError,
    ParsingError,
    QueryShardError,
    SearchPhaseExecution,
    XContentParseError,
)
from lanner.server.errors import root_causes


def chain(*kinds: type[LannerError]) -> LannerError:
    """The first, caused by the second, and so on."""
    error: LannerError | None = None
    for kind in reversed(kinds):
        error = kind(kind.type, caused_by=error)
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("kinds", "root"),
    [
        ((ParsingError,), ParsingError),
        ((ParsingError, NamedObjectNotFound), ParsingError),
        ((XContentParseError, ParsingError, NamedObjectNotFound), ParsingError),
        ((XContentParseError, XContentParseError, ParsingError), ParsingError),
        ((XContentParseError, IllegalArgument), XContentParseError),
        ((QueryShardError, IllegalArgument), QueryShardError),
        ((QueryShardError, ParseError), ParseError),
        ((QueryShardError, ParseError, IllegalArgument), ParseError),
        ((IllegalArgument, ParseError), IllegalArgument),
    ],
)
def test_roots(kinds: tuple[type[LannerError], ...], root: type[LannerError]) -> None:
    assert [type(found) for found in root_causes(chain(*kinds))] == [root]


def test_the_roots_of_a_search_are_those_of_its_shards() -> None:
    error = SearchPhaseExecution("all shards failed")
    error.root_causes = [chain(QueryShardError, ParseError), chain(QueryShardError, IllegalArgument)]  # type: ignore[attr-defined]
    assert [type(found) for found in root_causes(error)] == [ParseError, QueryShardError]
