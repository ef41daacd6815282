"""What a ``_rank_eval`` request asks: searches with rated documents, and a measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    LocatedXContentError,
    anchored,
    token_name,
)
from lanner.engine.common.errors import (
    IllegalArgument,
    IllegalStateError,
    LannerError,
    NamedObjectNotFound,
    XContentParseError,
)
from lanner.engine.common.object_parser import NAMES, OBJECT, SHORT, TEXT, BuildError, Field, parse_object
from lanner.engine.common.source_filter import NOTHING, SourceFilter
from lanner.engine.search.rank_eval.metrics import METRICS, Metric
from lanner.engine.search.request import SearchParameters, SearchRequest, parse_search_request

_UNBUILT = "Failed to build [{}] after last required field arrived"
_RATING = {
    "_index": Field((str,), required=True),
    "_id": Field((str,), required=True),
    "rating": Field(SHORT.kinds, SHORT.read, required=True),
}


@dataclass(frozen=True, slots=True)
class RatedSearch:
    """A search and what is known of documents, by (index, id)."""

    id: str
    request: SearchRequest
    ratings: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that is asked."""

    searches: tuple[RatedSearch, ...]
    metric: Metric


def parse_rank_eval(body: Any, parameters: SearchParameters) -> Evaluation:
    """Return what a body asks; raises what the API answers, without places."""
    fields = {
        "requests": Field((list,), lambda value, key: _requests(value, parameters)),
        "metric": Field((dict,), _metric),
        "templates": Field((list,)),
        "max_concurrent_searches": SHORT,
    }
    values = parse_object("rank_eval", body, fields)
    missing = [name for name in ("requests", "metric") if name not in values]
    if missing:
        raise IllegalArgument(f"Required [{', '.join(missing)}]")
    if values.get("max_concurrent_searches", 1) < 1:
        raise IllegalArgument("maxConcurrentSearchRequests must be positive")
    asked: list[tuple[str, SearchRequest | None, dict[tuple[str, str], int]]] = values["requests"]
    if not asked:
        cause: LannerError = IllegalArgument(
            "Cannot evaluate ranking if no search requests with rated results are provided. Seen: []"
        )
        raise XContentParseError(_UNBUILT.format("rank_eval"), caused_by=cause)
    searches = []
    for name, request, ratings in asked:
        if request is None:
            if values.get("templates"):
                raise IllegalArgument("search templates are not supported by this version")
            cause = IllegalStateError(
                "Cannot evaluate ranking if neither template nor evaluation request is provided. "
                f"Seen for request id: {name}"
            )
            raise XContentParseError(_UNBUILT.format("rank_eval"), caused_by=cause)
        searches.append(RatedSearch(name, replace(request, size=values["metric"].k), ratings))
    return Evaluation(tuple(searches), values["metric"])


# -- the measure


def _metric(given: dict[str, Any], key: str) -> Metric:
    names = list(given)
    if not names:
        raise LocatedError(
            "Failed to parse object: expecting token of type [FIELD_NAME] but found [END_OBJECT]",
            Anchor(given, None, "close"),
        )
    kind = METRICS.get(names[0])
    if kind is None:
        raise anchored(
            NamedObjectNotFound(f"[{{line}}:{{column}}] unknown field [{names[0]}]"),
            Anchor(given, names[0], "key"),
        )
    values = given[names[0]]
    metric: Metric = _built(
        kind.parser,
        values,
        lambda: kind(**parse_object(kind.parser, values, kind.fields, Anchor(given, names[0]))),
    )
    if len(names) > 1:
        raise LocatedError(
            "Failed to parse object: expecting token of type [END_OBJECT] but found [FIELD_NAME]",
            Anchor(given, names[1], "key"),
        )
    return metric


def _built(name: str, container: Any, build: Callable[[], Any]) -> Any:
    """Return what is built of values that were read well one by one; a fault is one of the whole object."""
    try:
        return build()
    except IllegalArgument as error:
        if type(error) is not IllegalArgument or getattr(error, "anchor", None) is not None:
            raise
        raise BuildError(_UNBUILT.format(name), container, caused_by=error) from None


# -- the searches


def _requests(
    given: list[Any], parameters: SearchParameters
) -> list[tuple[str, SearchRequest | None, dict[tuple[str, str], int]]]:
    fields = {
        "id": Field((str,), required=True),
        "ratings": Field((list,), lambda value, key: _ratings(value), required=True),
        "request": Field((dict,), lambda value, key: _search(value, parameters)),
        "params": OBJECT,
        "summary_fields": NAMES,
        "template_id": TEXT,
    }
    found = []
    for one in given:
        if not isinstance(one, dict):
            raise LocatedXContentError(
                "[request] Expected START_OBJECT but was: END_ARRAY", Anchor(given, None, "close")
            )
        values = parse_object("request", one, fields)
        found.append(_built("request", one, partial(_rated, values, one)))
    return found


def _rated(
    values: dict[str, Any], given: dict[str, Any]
) -> tuple[str, SearchRequest | None, dict[tuple[str, str], int]]:
    request: SearchRequest | None = values.get("request")
    params, template = values.get("params"), values.get("template_id")
    if request is not None and (params or template is not None):
        raise IllegalArgument(
            "Ambiguous rated request: Set both, verbatim test request and test request template parameters."
        )
    if request is None and not params:
        raise IllegalArgument("Need to set at least test request or test request template parameters.")
    if params and template is None:
        raise IllegalArgument(
            "If template parameters are supplied need to set id of template to apply them to too."
        )
    if request is not None:
        _check(request, given["request"])
        names = values.get("summary_fields")
        request = replace(request, source=SourceFilter(includes=tuple(names)) if names else NOTHING)
    ratings: dict[tuple[str, str], int] = {}
    for rating in values["ratings"]:
        key = rating["_index"], rating["_id"]
        if key in ratings:
            raise IllegalArgument(
                f'Found duplicate rated document key [{{"_index":"{key[0]}","_id":"{key[1]}"}}] in '
                f"evaluation request [{values['id']}]"
            )
        ratings[key] = rating["rating"]
    return values["id"], request, ratings


def _check(request: SearchRequest, given: dict[str, Any]) -> None:
    complaints = (
        ("aggs" in given or "aggregations" in given, "contain aggregations"),
        (request.suggest is not None, "contain a suggest section"),
        (request.highlight is not None, "contain a highlighter section"),
        (request.explain, "use explain"),
        (request.profile, "use profile"),
    )
    for holds, what in complaints:
        if holds:
            raise IllegalArgument(f"Query in rated requests should not {what}.")


def _ratings(given: list[Any]) -> list[dict[str, Any]]:
    found = []
    for one in given:
        if not isinstance(one, dict):
            raise LocatedXContentError(
                f"[rated_document] Expected START_OBJECT but was: {token_name(one)}",
                Anchor(given, None, "close"),
            )
        found.append(parse_object("rated_document", one, _RATING))
    return found


def _search(given: dict[str, Any], parameters: SearchParameters) -> SearchRequest:
    return parse_search_request(given, parameters)
