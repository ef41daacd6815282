"""A search as asked: the JSON body and the URL's parameters as one typed value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    locate,
    parse_double,
    parse_integer,
    read_boolean,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument, LannerError, XContentParseError
from lanner.engine.common.source_filter import SourceFilter
from lanner.engine.common.units import parse_time
from lanner.engine.dsl import DslQuery, parse_query_at
from lanner.engine.search.collapse_request import Collapse, parse_collapse_at
from lanner.engine.search.fetch.doc_values import DocValueField, parse_doc_value_fields
from lanner.engine.search.fetch.fields import FetchField, parse_fetch_fields
from lanner.engine.search.fetch.highlight.request import Highlight, parse_highlight
from lanner.engine.search.fetch.source import parse_source, parse_source_parameters
from lanner.engine.search.fetch.stored import check_stored_fields, parse_stored_fields
from lanner.engine.search.request_parts import (
    Pit,
    Rescore,
    Slice,
    parse_indices_boost,
    parse_pit,
    parse_rescore,
    parse_slice,
)
from lanner.engine.search.sort import Sort, parse_sort, parse_sort_parameter

if TYPE_CHECKING:
    from lanner.engine.search.suggest.base import Suggest

DEFAULT_SIZE = 10
DEFAULT_TRACK = 10_000
EXACT = 2**63 - 1
UNTRACKED = -1
MAX_INT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchParameters:
    """What the URL of a search may say, each as its text was typed; None: not said."""

    q: str | None = None
    df: str | None = None
    analyzer: str | None = None
    default_operator: str | None = None
    lenient: bool | None = None
    analyze_wildcard: bool | None = None
    from_: int | None = None
    size: int | None = None
    sort: str | None = None
    source: str | None = None
    source_includes: str | None = None
    source_excludes: str | None = None
    stored_fields: str | None = None
    docvalue_fields: str | None = None
    track_total_hits: str | None = None
    track_scores: bool | None = None
    terminate_after: int | None = None
    timeout: str | None = None
    version: bool | None = None
    seq_no_primary_term: bool | None = None
    explain: bool | None = None
    allow_partial_search_results: bool | None = None
    rest_total_hits_as_int: bool = False
    search_type: str | None = None
    phase_took: bool | None = None
    pre_filter_shard_size: int | None = None
    suggest_field: str | None = None
    suggest_text: str | None = None
    suggest_mode: str | None = None
    suggest_size: int | None = None
    typed_keys: bool = False
    named_queries_score: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search. track_total_hits: exact up to this number, UNTRACKED for no total. timeout: milliseconds."""

    query: DslQuery | None = None
    from_: int = 0
    size: int = DEFAULT_SIZE
    sort: tuple[Sort, ...] = ()
    search_after: tuple[Any, ...] | None = None
    source: SourceFilter | None = None
    doc_value_fields: tuple[DocValueField, ...] = ()
    stored_fields: tuple[str, ...] | None = None
    fields: tuple[FetchField, ...] = ()
    highlight: Highlight | None = None
    rescore: tuple[Rescore, ...] = ()
    collapse: Collapse | None = None
    slice: Slice | None = None
    pit: Pit | None = None
    indices_boost: tuple[tuple[str, float], ...] = ()
    track_total_hits: int = DEFAULT_TRACK
    track_scores: bool = False
    groups: tuple[str, ...] = ()  # under which statistics count the search
    min_score: float | None = None
    post_filter: DslQuery | None = None
    terminate_after: int = 0
    timeout: float | None = None
    version: bool = False
    seq_no_primary_term: bool = False
    explain: bool = False
    profile: bool = False
    dfs: bool = False  # whether all shards score by the statistics of all
    phase_took: bool = False
    pre_filter_shard_size: int | None = None
    allow_partial_search_results: bool = True
    total_hits_as_int: bool = False
    suggest: "Suggest | None" = None
    typed_keys: bool = False
    named_queries_score: bool = False


NO_PARAMETERS = SearchParameters()
NO_BODY_REQUEST = SearchRequest()


def parse_search_request(
    body: dict[str, Any] | None, parameters: SearchParameters = NO_PARAMETERS, *, raw: bytes | None = None
) -> SearchRequest:
    """Return the typed request; raises what the API answers. raw.

    The text of the body, for places in errors.
    """
    try:
        values = {} if body is None else _read_body(body)
        if parameters is not NO_PARAMETERS:
            _read_parameters(parameters, values)
        return _checked(values)
    except LannerError as error:
        if raw is not None:
            raise locate(error, body, raw) from None
        raise


# -- the body


def _read_body(body: Any) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise LocatedError(f"Expected [START_OBJECT] but found [{token_name(body)}]", Anchor(None))
    values: dict[str, Any] = {}
    for key in body:
        reader = _KEYS.get(key)
        if reader is None:
            raise _unknown(body, key)
        reader(body, key, values)
    return values


def _unknown(body: dict[str, Any], key: str) -> LocatedError:
    return LocatedError(f"Unknown key for a {token_name(body[key])} in [{key}].", Anchor(body, key))


def _query(name: str) -> Callable[[dict[str, Any], str, dict[str, Any]], None]:
    def read(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        if not isinstance(body[key], dict):
            raise _unknown(body, key)
        values[name] = parse_query_at(body, key, _inner_hits)

    return read


def _inner_hits(container: dict[str, Any], key: str) -> Any:
    from lanner.engine.search.inner_hits.definition import parse_inner_hits  # few ask for it

    return parse_inner_hits(container, key)


def read_part(container: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    """Read a key that a body may have into the values of a request."""
    _KEYS[key](container, key, values)


def _scalar(body: dict[str, Any], key: str) -> Any:
    value = body[key]
    if value is None or isinstance(value, dict | list):
        raise _unknown(body, key)
    return value


def read_int(value: Any) -> int:
    """Return a 32-bit integer of a body; text is read too."""
    if isinstance(value, bool):
        raise IllegalArgument(f"Failed to parse [{java_text(value)}] as an integer")
    number = parse_integer(value) if isinstance(value, str) else int(value)
    if not -(2**31) <= number <= MAX_INT:
        raise IllegalArgument(f"Numeric value ({number}) out of range of int (-2147483648 - 2147483647)")
    return number


def _int(name: str) -> Callable[[dict[str, Any], str, dict[str, Any]], None]:
    def read(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        values[name] = read_int(_scalar(body, key))

    return read


def _flag(name: str) -> Callable[[dict[str, Any], str, dict[str, Any]], None]:
    def read(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        values[name] = read_boolean(_scalar(body, key))

    return read


def _only(*allowed: Any) -> Callable[[dict[str, Any], str, dict[str, Any]], None]:
    """Take the values that ask for nothing; refuse the rest as not built."""

    def read(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        if isinstance(body[key], str) and body[key] in ("true", "false"):
            given: Any = body[key] == "true"
        else:
            given = body[key]
        if isinstance(given, bool) or False in allowed:
            given = read_boolean(given)
        if given not in allowed:
            raise LocatedError(f"[{key}] is not supported by this version", Anchor(body, key))

    return read


def _object(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    """Take an empty object; refuse others as not built."""
    if not isinstance(body[key], dict):
        raise _unknown(body, key)
    if body[key]:
        raise LocatedError(f"[{key}] is not supported by this version", Anchor(body, key))


def _extensions(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    if not isinstance(body[key], dict):
        raise _unknown(body, key)
    if body[key]:
        raise XContentParseError("unknown named object category [org.opensearch.search.SearchExtBuilder]")


def _verbose_pipeline(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    if read_boolean(body[key]):
        raise IllegalArgument("The 'verbose pipeline' option requires a search pipeline to be defined.")


def _min_score(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    value = _scalar(body, key)
    values["min_score"] = parse_double(value) if isinstance(value, str) else float(value)


def _timeout(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    values["timeout"] = read_timeout(java_text(_scalar(body, key)))


def read_timeout(text: str) -> float | None:
    """Return milliseconds, or None for no limit."""
    millis = parse_time(text, "timeout")
    return None if millis < 0 else millis


def _track_total_hits(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    values["track_total_hits"] = read_track(_scalar(body, key))


def read_track(value: Any) -> int:
    """Return up to which number totals are exact: true, false (or -1), or a number."""
    if value is True or value == "true":
        return EXACT
    if value is False or value == "false":
        return UNTRACKED
    number = read_int(value)
    if number < -1:
        raise IllegalArgument(f"[track_total_hits] parameter must be positive or equals to -1, got {number}")
    return number


def _sort(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    if body[key] is None:
        raise _unknown(body, key)
    values["sort"] = parse_sort(body[key])


def _search_after(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    given = body[key]
    if not isinstance(given, list):
        raise _unknown(body, key)
    if not given:
        raise IllegalArgument("Values must contains at least one value.")
    for i, one in enumerate(given):
        if isinstance(one, dict | list):
            raise LocatedError(
                "Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found "
                f"[{token_name(one)}] inside search_after.",
                Anchor(given, i),
            )
    values["search_after"] = tuple(given)


def _source(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    values["source"] = parse_source(body, key)


def _doc_value_fields(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    values["doc_value_fields"] = parse_doc_value_fields(body, key)


def _stored_fields(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    values["stored_fields"] = parse_stored_fields(body, key)


def _part(
    name: str, parse: Callable[[dict[str, Any], str], Any]
) -> Callable[[dict[str, Any], str, dict[str, Any]], None]:
    def read(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
        values[name] = parse(body, key)

    return read


def _suggest(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    from lanner.engine.search.suggest.request import parse_suggest  # few ask for it

    suggest = parse_suggest(body, key)
    if suggest is not None:
        values["suggest"] = suggest


def _stats(body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    if not isinstance(body[key], list):
        raise _unknown(body, key)
    values["groups"] = tuple(map(java_text, body[key]))


_KEYS: dict[str, Callable[[dict[str, Any], str, dict[str, Any]], None]] = {
    "query": _query("query"),
    "post_filter": _query("post_filter"),
    "from": _int("from_"),
    "size": _int("size"),
    "sort": _sort,
    "search_after": _search_after,
    "_source": _source,
    "docvalue_fields": _doc_value_fields,
    "stored_fields": _stored_fields,
    "highlight": _part("highlight", parse_highlight),
    "rescore": _part("rescore", parse_rescore),
    "slice": _part("slice", parse_slice),
    "pit": _part("pit", parse_pit),
    "track_total_hits": _track_total_hits,
    "track_scores": _flag("track_scores"),
    "min_score": _min_score,
    "terminate_after": _int("terminate_after"),
    "timeout": _timeout,
    "version": _flag("version"),
    "seq_no_primary_term": _flag("seq_no_primary_term"),
    "stats": _stats,
    "fields": _part("fields", parse_fetch_fields),
    "suggest": _suggest,
    "collapse": _part("collapse", parse_collapse_at),
    "indices_boost": _part("indices_boost", parse_indices_boost),
    "explain": _flag("explain"),
    "profile": _flag("profile"),
    "include_named_queries_score": _only(False, True),  # it is the URL that counts
    "verbose_pipeline": _verbose_pipeline,
    "ext": _extensions,
    "search_pipeline": _only({}),
    **dict.fromkeys(("aggs", "aggregations", "derived", "script_fields"), _object),
}


# -- the URL


def _read_parameters(given: SearchParameters, values: dict[str, Any]) -> None:
    for name in (
        "from_",
        "size",
        "terminate_after",
        "track_scores",
        "version",
        "seq_no_primary_term",
        "explain",
        "phase_took",
        "pre_filter_shard_size",
    ):
        value = getattr(given, name)
        if value is not None:
            values[name] = value
    if given.q is not None:
        from lanner.engine.dsl.query_string import uri_query  # few ask in this way

        values["query"] = uri_query(
            given.q,
            default_field=given.df,
            analyzer=given.analyzer,
            default_operator=given.default_operator,
            lenient=given.lenient,
            analyze_wildcard=given.analyze_wildcard,
        )
    if given.sort is not None:
        values["sort"] = parse_sort_parameter(given.sort)
    if given.suggest_field is not None:
        from lanner.engine.search.suggest.request import uri_suggest

        text = given.q if given.suggest_text is None else given.suggest_text
        values["suggest"] = uri_suggest(given.suggest_field, text, given.suggest_mode, given.suggest_size)
    if given.typed_keys:
        values["typed_keys"] = True
    if given.named_queries_score:
        values["named_queries_score"] = True
    source = parse_source_parameters(given.source, given.source_includes, given.source_excludes)
    if source is not None:
        values["source"] = source
    if given.stored_fields is not None:
        values["stored_fields"] = check_stored_fields(tuple(given.stored_fields.split(",")))
    if given.docvalue_fields is not None:
        values["doc_value_fields"] = tuple(DocValueField(name) for name in given.docvalue_fields.split(","))
    if given.track_total_hits is not None:
        values["track_total_hits"] = _track_parameter(given.track_total_hits)
    if given.timeout is not None:
        values["timeout"] = read_timeout(given.timeout)
    if given.allow_partial_search_results is not None:
        values["allow_partial_search_results"] = given.allow_partial_search_results
    if given.rest_total_hits_as_int:
        values["total_hits_as_int"] = True
        track = values.setdefault("track_total_hits", EXACT)
        if track not in (EXACT, UNTRACKED):
            raise IllegalArgument(
                "[rest_total_hits_as_int] cannot be used if the tracking of total hits is not "
                f"accurate, got {track}"
            )
    if _reads_statistics_first(given.search_type):
        values["dfs"] = True


def _track_parameter(text: str) -> int:
    try:
        return read_track(text)
    except LannerError as error:
        if "track_total_hits" in error.reason:
            raise
        raise IllegalArgument(
            f"Failed to parse int parameter [track_total_hits] with value [{text}]", caused_by=error
        ) from None


def _reads_statistics_first(name: str | None) -> bool:
    """Return whether a search type has the phase that gathers the statistics of all shards."""
    if name is None or name == "query_then_fetch":
        return False
    if name == "dfs_query_then_fetch":
        return True
    if name in ("query_and_fetch", "dfs_query_and_fetch"):
        raise IllegalArgument(f"Unsupported search type [{name}]")
    raise IllegalArgument(f"No search type for [{name}]")


def _checked(values: dict[str, Any]) -> SearchRequest:
    if not values:
        return NO_BODY_REQUEST
    for name in ("from_", "size", "terminate_after"):
        if values.get(name, 0) < 0:
            shown = name.rstrip("_")
            if name == "terminate_after":
                raise IllegalArgument("terminateAfter must be > 0")
            raise IllegalArgument(f"[{shown}] parameter cannot be negative, found [{values[name]}]")
    if values.get("search_after") is not None and values.get("from_", 0) > 0:
        raise IllegalArgument("`from` parameter must be set to 0 when `search_after` is used.")
    if values.get("rescore") and values.get("sort"):
        raise IllegalArgument("Cannot use [sort] option in conjunction with [rescore].")
    return SearchRequest(**values)
