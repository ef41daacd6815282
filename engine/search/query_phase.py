"""The first phase of a search on one shard: from the parsed request to the best hits."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lanner.engine.common.errors import IllegalArgument, LannerError, QueryShardError, TooManyNestedClauses
from lanner.engine.dsl.base import DslContext, DslQuery, Lookup
from lanner.engine.dsl.range import DirectError
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.query.base import Query, WeightContext
from lanner.engine.query.match_all import MatchAllQuery
from lanner.engine.search.collapse_request import bind_collapse, check_collapse
from lanner.engine.search.fetch.doc_values import DocValueField, bind_doc_values
from lanner.engine.search.fetch.stored import stored_names
from lanner.engine.search.request import UNTRACKED, SearchRequest
from lanner.engine.search.request_parts import Rescore
from lanner.engine.search.rescoring import DEFAULT_WINDOW, Best, rescore
from lanner.engine.search.slicing import documents_of
from lanner.engine.search.sort import BoundSort, bind_sort
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.search.count import count
from lanner.ext.search.limits import Limits
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.sort_keys import SortKey
from lanner.ext.search.top_docs import search_top
from lanner.ext.search.top_fields import search_sorted

MATCH_ALL = MatchAllQuery()
_BY_SCORE = SortKey("score", reverse=True)
_BY_DOC = SortKey("doc")
_WINDOW = ("index.max_result_window", 10_000)
_RESCORE = ("index.max_rescore_window", 10_000)
_DOC_VALUES = ("index.max_docvalue_fields_search", 100)


@dataclass(frozen=True, slots=True)
class ShardTarget:
    """One shard that a search asks. acquire gives a point in time, to be closed.

    It raises if the shard has failed. filter: what the alias that was asked leaves of the index. lookup:
    reads the source of any document. boost: of all scores. slice: the part of the documents, see slicing.py.
    paged: results carry cursors; after is the last one that was seen.
    """

    index: str
    index_uuid: str
    shard: int
    node_id: str
    mapping: Mapping
    settings: Any
    acquire: Callable[[], Any] = field(compare=False)
    filter: DslQuery | None = None
    lookup: Lookup | None = field(default=None, compare=False)
    boost: float = 1.0
    slice: tuple[int, int, str] | None = None
    paged: bool = False
    after: list[Any] | None = None
    allow_expensive: bool = True  # queries that may look at very many terms


class ShardResult(NamedTuple):
    """The best hits of one shard, best first, and how to show them.

    values: per hit the sort values as the compiled search gives them; None when sorted by score. rows: what
    nested rows are read from, where the hits are such; None for documents. groups: the group of each hit.
    """

    target: ShardTarget
    reader: IndexReader
    total: int
    relation: str
    segments: list[int]
    docs: list[int]
    scores: list[Any]
    values: list[list[Any]] | None
    max_score: float | None
    sorts: list[BoundSort]
    doc_values: list[Any]
    stored: list[str]
    terminated_early: bool
    timed_out: bool
    cursors: list[list[Any]] = []
    suggest: Any = None  # what it proposes, of each suggestion
    rows: Any = None
    groups: list[Any] | None = None
    looked_at: list[Any] = []  # for each rescoring the documents in its window, a BitMap per segment
    profile: dict[str, Any] | None = None  # how long its parts took


#: what asks one shard: the target, its reader, the request, the time
Ask = Callable[[ShardTarget, IndexReader, SearchRequest, int], ShardResult]


def resolve_query(query: DslQuery | None, context: DslContext, uuid: str) -> Query:
    """Return a query over the fields of an index; faults become those of a shard."""
    if query is None:
        return MATCH_ALL
    try:
        resolved = query.resolve(context)
        if not context.allow_expensive:
            from lanner.engine.query.expensive import refuse_expensive  # few forbid them

            refuse_expensive(resolved, context.is_text)
        return resolved
    except DirectError as error:
        raise error.error from None
    except TooManyNestedClauses:
        raise
    except QueryShardError as error:
        error.fields = {"index": context.index, "index_uuid": uuid, **error.fields}
        raise
    except LannerError as error:
        raise QueryShardError(
            f"failed to create query: {error.reason}", caused_by=error, index=context.index, index_uuid=uuid
        ) from None


def context_of(target: ShardTarget, now_millis: int) -> DslContext:
    """Return what a shard's queries may ask for while they are resolved."""
    return DslContext(
        target.mapping,
        index=target.index,
        now=lambda: now_millis,
        settings=target.settings,
        shard=target.shard,
        lookup=target.lookup,
        allow_expensive=target.allow_expensive,
    )


def bind(
    target: ShardTarget,
    reader: IndexReader,
    query: DslQuery | None,
    post_filter: DslQuery | None,
    now_millis: int,
    *,
    scoring: bool,
    checks: list[Callable[[], None]] | None = None,
) -> Any:
    """Return the weight of a query, and of the filter after it, over a reader.

    checks: takes what is to be called once the search is over.
    """
    context = context_of(target, now_millis)
    weights = WeightContext(reader, target.mapping.similarity, scoring, [] if checks is None else checks)
    try:
        weight = resolve_query(query, context, target.index_uuid).weight(weights, target.boost)
        if post_filter is None and target.filter is None and target.slice is None:
            return weight
        after = [
            resolve_query(one, context, target.index_uuid).weight(weights.matching())
            for one in (target.filter, post_filter)
            if one is not None
        ]
        if target.slice is not None:
            after.append(DocSetWeight(reader, documents_of(reader, target.slice)))
    except QueryShardError:
        raise
    except IllegalArgument as error:
        raise QueryShardError(
            f"failed to create query: {error.reason}",
            caused_by=error,
            index=target.index,
            index_uuid=target.index_uuid,
        ) from None
    return BooleanWeight(must=[weight], filter=after)


def query_shard(
    target: ShardTarget, reader: IndexReader, request: SearchRequest, now_millis: int
) -> ShardResult:
    """Return the best hits of a shard; raises what a shard answers."""
    wanted = request.from_ + request.size
    _check_window(wanted, target)
    sorts = bind_sort_of(request, target, reader, now_millis) if request.sort else []
    if request.search_after is not None:
        check_after(request)
    doc_values: list[Any] = []
    shown = request.doc_value_fields
    if request.collapse is not None:
        check_collapse(request, paged=target.paged)
        group = bind_collapse(request.collapse, target.mapping)
        if all(one.field != request.collapse.field for one in shown):
            shown = (*shown, DocValueField(request.collapse.field))
    if shown:
        doc_values = bind_doc_values(shown, target.mapping, target.index, most=_setting(target, *_DOC_VALUES))
    stored = stored_names(request.stored_fields, target.mapping) if request.stored_fields else []
    scored = not sorts or request.track_scores or any(one.key.kind == "score" for one in sorts)
    checks: list[Callable[[], None]] = []
    weight = bind(
        target,
        reader,
        request.query,
        request.post_filter,
        now_millis,
        scoring=(scored and request.size > 0) or request.min_score is not None,
        checks=checks,
    )
    limits = None
    if request.timeout is not None:
        limits = Limits(time.monotonic_ns() + int(request.timeout * 1e6))
    # the compiled search takes 0 for "not at all"; a limit of 0 still tells whether there is anything
    track = 0 if request.track_total_hits == UNTRACKED else max(request.track_total_hits, 1)
    if request.size == 0 and request.min_score is None and not request.terminate_after:
        total = count(reader, weight, limits=limits) if track else -1
        timed_out = limits is not None and limits.timed_out
        for check in checks:
            check()
        return ShardResult(
            target, reader, total, "eq", [], [], [], None, None, sorts, doc_values, stored, False, timed_out
        )
    top: Any
    cursors: list[list[Any]] = []
    groups = None
    if request.collapse is not None:
        from lanner.engine.search.collapse_phase import search_collapsed  # few ask for it

        order = [one.key for one in sorts] if sorts else [_BY_SCORE]
        top = search_collapsed(reader, weight, wanted, order, group, request, track=track, limits=limits)
        values = top.values if sorts else None
        groups = top.groups
    elif target.paged:
        order = [one.key for one in sorts] if sorts else [_BY_SCORE]
        top = search_sorted(
            reader,
            weight,
            wanted,
            [*order, _BY_DOC],
            track=track,
            after=target.after,
            track_scores=request.track_scores or not sorts,
            min_score=request.min_score,
            terminate_after=request.terminate_after,
            limits=limits,
        )
        cursors = top.values
        values = [row[:-1] for row in cursors] if sorts else None
    elif sorts:
        keys = [one.key for one in sorts]
        after = None
        if request.search_after is not None:
            after = [one.read(value) for one, value in zip(sorts, request.search_after, strict=True)]
        top = search_sorted(
            reader,
            weight,
            wanted,
            keys,
            track=track,
            after=after,
            track_scores=request.track_scores,
            min_score=request.min_score,
            terminate_after=request.terminate_after,
            limits=limits,
        )
        values = top.values
    else:
        window = max([wanted, *(_rescore_window(one, target) for one in request.rescore)])
        top = search_top(
            reader,
            weight,
            window,
            track=track,
            min_score=request.min_score,
            terminate_after=request.terminate_after,
            limits=limits,
        )
        values = None
    for check in checks:
        check()
    best: Any = top
    max_score = top.max_score if not sorts or request.track_scores else None
    looked_at: list[Any] = []
    if request.rescore:
        best, looked_at = _rescored(target, reader, request, top, now_millis)
        best = Best(best.segments[:wanted], best.docs[:wanted], best.scores[:wanted])
        max_score = best.scores[0] if best.scores else None
    return ShardResult(
        target,
        reader,
        top.total,
        top.relation,
        best.segments,
        best.docs,
        best.scores,
        values,
        max_score,
        sorts,
        doc_values,
        stored,
        top.terminated_early,
        top.timed_out,
        cursors,
        groups=groups,
        looked_at=looked_at,
    )


def _rescored(
    target: ShardTarget, reader: IndexReader, request: SearchRequest, top: Any, now_millis: int
) -> tuple[Best, list[Any]]:
    best = Best(top.segments, top.docs, top.scores)
    looked_at = []
    for one in request.rescore:
        weight = bind(target, reader, one.query, None, now_millis, scoring=True)
        best, chosen = rescore(reader, weight, best, one)
        looked_at.append(chosen)
    return best, looked_at


def _rescore_window(asked: Rescore, target: ShardTarget) -> int:
    window = DEFAULT_WINDOW if asked.window is None else asked.window
    most = _setting(target, *_RESCORE)
    if window > most:
        raise IllegalArgument(
            f"Rescore window [{window}] is too large. It must be less than [{most}]. This prevents "
            "allocating massive heaps for storing the results to be rescored. This limit can be set by "
            "changing the [index.max_rescore_window] index level setting."
        )
    return window


def bind_sort_of(
    request: SearchRequest,
    target: ShardTarget,
    reader: IndexReader,
    now_millis: int,
    scope: str | None = None,
) -> list[BoundSort]:
    """Return the sort of a request over the fields of an index. scope: the nested object that is sorted."""
    try:
        bound = bind_sort(request.sort, target.mapping, target.index)
        for sort, one in zip(request.sort, bound, strict=True):
            if one.columns is not None:
                one.key.columns = one.columns(reader)
            elif sort.nested is None and one.convert is not None:
                from lanner.engine.search.sort_numbers import converted_columns  # few ask for it

                one.key.columns = converted_columns(one.key.field, reader, one.convert)
            elif sort.nested is not None:
                from lanner.engine.search.nested_sort import nested_columns  # few ask for it

                context = context_of(target, now_millis)
                context.scope = scope
                similarity = target.mapping.similarity
                one.key.columns = nested_columns(sort.nested, one, reader, context, similarity)
        return bound
    except QueryShardError as error:
        error.fields = {"index": target.index, "index_uuid": target.index_uuid, **error.fields}
        raise


def _setting(target: ShardTarget, name: str, default: int) -> int:
    value = target.settings.get(name)
    return default if value is None else int(value)


def _check_window(wanted: int, target: ShardTarget) -> None:
    most = _setting(target, *_WINDOW)
    if wanted > most:
        raise IllegalArgument(
            f"Result window is too large, from + size must be less than or equal to: [{most}] but "
            f"was [{wanted}]. See "
            "the scroll api for a more efficient way to request large data sets. This limit can be "
            "set by changing the "
            "[index.max_result_window] index level setting."
        )


def check_after(request: SearchRequest) -> None:
    """Refuse a ``search_after`` that does not fit the sort."""
    given = len(request.search_after or ())
    if not request.sort:
        raise IllegalArgument("Sort must contain at least one field.")
    if given != len(request.sort):
        raise IllegalArgument(f"search_after has {given} value(s) but sort has {len(request.sort)}.")
