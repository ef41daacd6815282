"""Groups of parameters that several endpoints share, read into what the engine takes."""

from dataclasses import replace
from typing import Any

from lanner.engine.cluster.names import IndexOptions
from lanner.engine.common.errors import IllegalArgument, NumberFormatError, ParseError
from lanner.engine.common.source_filter import SourceFilter
from lanner.server.params import Params, split_names

INDEX_OPTIONS = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards", "ignore_throttled"})
CLUSTER_TIMEOUTS = frozenset({"timeout", "cluster_manager_timeout", "master_timeout"})
MANAGER_TIMEOUTS = CLUSTER_TIMEOUTS - {"timeout"}
SOURCE_OPTIONS = frozenset({"_source", "_source_includes", "_source_excludes"})
WRITE_OPTIONS = frozenset({"refresh", "routing", "timeout", "wait_for_active_shards"})
VERSION_OPTIONS = frozenset({"version", "version_type", "if_seq_no", "if_primary_term"})
VERSION_TYPES = ("internal", "external", "external_gte")
UNASSIGNED_SEQ_NO = -2
WILDCARDS = ("open", "closed", "hidden", "none", "all")
OPEN = IndexOptions()
OPEN_CLOSED = IndexOptions(expand_wildcards=("open", "closed"))
OPEN_CLOSED_SOME = IndexOptions(allow_no_indices=False, expand_wildcards=("open", "closed"))
NOT_CLOSED = IndexOptions(forbid_closed=True)
LENIENT = IndexOptions(ignore_unavailable=True)
EVERYTHING = IndexOptions(expand_wildcards=("open", "closed", "hidden"))


def refresh_policy(params: Params) -> str:
    """Return ``false``, ``true`` or ``wait_for``."""
    value = params.get("refresh", "false")
    if value in ("", "true"):
        return "true"
    if value in ("false", "wait_for"):
        return value
    raise IllegalArgument(f"Unknown value for refresh: [{value}].")


def version_type(params: Params) -> str:
    """Return who counts the versions."""
    value = params.get("version_type", "internal")
    if value not in VERSION_TYPES:
        raise IllegalArgument(f"No version type match [{value}]")
    return value


def compare_and_set(params: Params) -> dict[str, Any]:
    """Return the sequence number and the primary term that a document must have."""
    seq_no = params.long("if_seq_no", UNASSIGNED_SEQ_NO)
    term = params.long("if_primary_term", 0)
    if seq_no < 0 and "if_seq_no" in params:
        raise IllegalArgument(f"sequence numbers must be non negative. got [{seq_no}].")
    if term < 0:
        raise IllegalArgument(f"primary term must be non negative. got [{term}]")
    return {"if_seq_no": seq_no, "if_primary_term": term}


def pipeline_of(params: Params) -> str | None:
    """Return the ingest pipeline; there are none, so only ``_none`` passes."""
    name = params.get("pipeline")
    if name is not None and name != "_none":
        raise IllegalArgument(f"pipeline with id [{name}] does not exist")
    return None


def active_shards(params: Params) -> str | None:
    """Return how many copies must be there, as given: a number or ``all``."""
    value = params.get("wait_for_active_shards")
    if value is None or value == "all":
        return value
    try:
        count = int(value)
    except ValueError:
        raise IllegalArgument(
            f"cannot parse ActiveShardCount[{value}]",
            caused_by=NumberFormatError(f'For input string: "{value}"'),
        ) from None
    if count < 0:
        raise IllegalArgument("shard count cannot be a negative value")
    return value


def check_timeouts(params: Params) -> None:
    """Refuse durations that cannot be read; nothing here takes long enough for them to matter."""
    if "cluster_manager_timeout" in params and "master_timeout" in params:
        raise ParseError(
            "Please only use one of the request parameters [master_timeout, cluster_manager_timeout]."
        )
    params.boolean("local")
    for name in ("timeout", "cluster_manager_timeout", "master_timeout"):
        if name in params:
            params.millis(name)


def source_filter(params: Params) -> tuple[bool | list[str] | None, list[str] | None, list[str] | None]:
    """Return what ``_source``, ``_source_includes`` and ``_source_excludes`` ask for."""
    wanted: bool | list[str] | None = None
    text = params.get("_source")
    if text is not None:
        wanted = text != "false" if text in ("", "true", "false") else split_names(text)
    return wanted, params.names("_source_includes"), params.names("_source_excludes")


def fetched_source(params: Params) -> SourceFilter | None:
    """Return what of the document an update should give back, None for nothing."""
    wanted, includes, excludes = source_filter(params)
    if wanted is None and includes is None and excludes is None:
        return None
    return SourceFilter.of(wanted, includes, excludes)


def common(params: Params) -> dict[str, Any]:
    """Return the keyword arguments that all writes share."""
    return {
        "routing": params.get("routing"),
        "refresh": refresh_policy(params),
        "timeout": params.millis("timeout"),
        "wait_for_active_shards": active_shards(params),
    }


def index_options(params: Params, default: IndexOptions = OPEN) -> IndexOptions:
    """Return how index expressions are read, from what the endpoint takes for granted."""
    if not params:
        return default
    wildcards = default.expand_wildcards
    text = params.get("expand_wildcards")
    if text is not None:
        words = split_names(text)
        for word in words:
            if word not in WILDCARDS:
                raise IllegalArgument(f"No valid expand wildcard value [{word}]")
        wildcards = tuple(words)
    params.option("ignore_throttled", False)
    return replace(
        default,
        ignore_unavailable=params.option("ignore_unavailable", default.ignore_unavailable),
        allow_no_indices=params.option("allow_no_indices", default.allow_no_indices),
        expand_wildcards=wildcards,
    )
