"""function_score: the matches of a query, with scores changed by functions of the document."""

from dataclasses import dataclass, replace
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_number, read_text, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.dsl.match_all import MatchAllDsl
from lanner.engine.dsl.score_functions import FUNCTIONS, FunctionDsl, WeightFunction
from lanner.engine.dsl.unknown import unknown_query
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.function_score import FunctionScoreQuery
from lanner.engine.query.nested import RowsQuery

_SCORE_MODES = ("first", "avg", "max", "sum", "min", "multiply")
_BOOST_MODES = ("multiply", "replace", "sum", "avg", "min", "max")
_MAX_FLOAT = 3.4028234663852886e38
_ENUM = "org.opensearch.common.lucene.search.function"


@dataclass(frozen=True, slots=True)
class FunctionScoreDsl(DslQuery):
    """A query and (filter, function) pairs; no filter is for all documents."""

    query: DslQuery = MatchAllDsl()
    functions: tuple[tuple[DslQuery | None, FunctionDsl], ...] = ()
    score_mode: str = "multiply"
    boost_mode: str = "multiply"
    max_boost: float = _MAX_FLOAT
    min_score: float | None = None

    def children(self) -> tuple[DslQuery, ...]:
        """Return the query and the filters."""
        return (self.query, *(one for one, _ in self.functions if one is not None))

    def build(self, context: DslContext) -> Query:
        """Resolve the query, the filters and the functions."""
        query = self.query.resolve(context)
        if context.mapping.nested_paths:
            # no function is asked about rows of other kinds, which have no values for it
            scope = None if context.scope is None else context.scope.encode()
            query = BooleanQuery(must=(query,), filter=(RowsQuery(scope),))
        functions = tuple(
            replace(function.resolve(context), filter=None if one is None else one.resolve(context))
            for one, function in self.functions
        )
        if not functions and self.min_score is None:
            return query
        return FunctionScoreQuery(
            query, functions, self.score_mode, self.boost_mode, self.max_boost, self.min_score
        )


def parse_function_score(body: dict[str, Any], context: ParseContext) -> FunctionScoreDsl:
    """Read the body of a function_score query."""
    kind = "function_score"
    values: dict[str, Any] = {}
    single: str | None = None
    listed = False
    for key, value in body.items():
        if key == "query" and isinstance(value, dict):
            values[key] = context.clause(body, key)
        elif isinstance(value, dict):
            _check_single(body, key, single, listed=listed)
            single = key
            values["functions"] = ((None, _function(body, key)),)
        elif isinstance(value, list):
            if key != "functions":
                raise LocatedError(
                    f"failed to parse [{kind}] query. array [{key}] is not supported", Anchor(body, key)
                )
            if single is not None:
                raise _misplaced(body, key, f"already found [{single}], now encountering [functions].")
            listed = True
            values["functions"] = tuple(_entry(value, i, context) for i in range(len(value)))
        elif key in ("score_mode", "boost_mode"):
            values[key] = _mode(key, read_text(kind, body, key))
        elif key == "boost":
            values[key] = check_boost(kind, read_number(kind, body, key))
        elif key in ("max_boost", "min_score"):
            values[key] = read_number(kind, body, key)
        elif key == "_name":
            values["name"] = read_text(kind, body, key)
        elif key == "weight":
            _check_single(body, key, single, listed=listed)
            single = key
            values["functions"] = ((None, WeightFunction(_weight(body, key))),)
        else:
            _check_single(body, key, single, listed=listed)
            raise LocatedError(
                f"failed to parse [{kind}] query. field [{key}] is not supported", Anchor(body, key)
            )
    return FunctionScoreDsl(**values)


def _function(body: dict[str, Any], key: str) -> FunctionDsl:
    read = FUNCTIONS.get(key)
    if read is None:
        raise unknown_query("function_score", body, list(FUNCTIONS), key=key)
    return read(body, key)


def _check_single(body: dict[str, Any], key: str, single: str | None, *, listed: bool) -> None:
    if single is not None:
        raise LocatedError(
            f"failed to parse [function_score] query. already found function [{single}], now encountering "
            f"[{key}]. use [functions] array if you want to define several functions.",
            Anchor(body, key),
        )
    if listed:
        raise _misplaced(body, key, f"already found [functions] array, now encountering [{key}].")


def _misplaced(body: dict[str, Any], key: str, found: str) -> LocatedError:
    return LocatedError(
        "failed to parse [function_score] query. [you can either define [functions] array or a single "
        f"function, not both. {found}]",
        Anchor(body, key),
    )


def _entry(given: list[Any], i: int, context: ParseContext) -> tuple[DslQuery | None, FunctionDsl]:
    entry = given[i]
    if not isinstance(entry, dict):
        raise LocatedError(
            f"failed to parse [START_OBJECT]. malformed query, expected a [{token_name(entry)}] while "
            "parsing functions but got a [function_score] instead",
            Anchor(given, i),
        )
    function: FunctionDsl | None = None
    found = ""
    one: DslQuery | None = None
    weight: float | None = None
    for key, value in entry.items():
        if key == "filter" and isinstance(value, dict):
            one = context.clause(entry, key)
        elif isinstance(value, dict):
            if function is not None:
                raise LocatedError(
                    f"failed to parse function_score functions. already found [{found}], now encountering "
                    f"[{key}].",
                    Anchor(entry, key),
                )
            function, found = _function(entry, key), key
        elif key == "weight":
            weight = _weight(entry, key)
        elif key == "_name":
            read_text("function_score", entry, key)
        else:
            raise LocatedError(
                f"failed to parse [function_score] query. field [{key}] is not supported", Anchor(entry, key)
            )
    if weight is not None:
        function = WeightFunction(weight) if function is None else function.weighted(weight)
    if function is None:
        raise LocatedError(
            "failed to parse [function_score] query. an entry in functions list is missing a function.",
            Anchor(entry, None, "close"),
        )
    return one, function


def _weight(body: dict[str, Any], key: str) -> float:
    weight = read_number("function_score", body, key)
    if weight < 0:
        raise IllegalArgument("[weight] cannot be negative for a filtering function")
    return weight


def _mode(key: str, name: str) -> str:
    known, enum = (
        (_SCORE_MODES, "FunctionScoreQuery.ScoreMode")
        if key == "score_mode"
        else (_BOOST_MODES, "CombineFunction")
    )
    if name.lower() not in known:
        raise IllegalArgument(f"No enum constant {_ENUM}.{enum}.{name.upper()}")
    return name.lower()
