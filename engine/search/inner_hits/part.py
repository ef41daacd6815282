"""``inner_hits`` of hits: what the queries of a request define, bound to one shard."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslQuery
from lanner.engine.dsl.join import RelativesDsl
from lanner.engine.dsl.nested import NestedDsl
from lanner.engine.search.fetch.doc_values import bind_doc_values
from lanner.engine.search.fetch.stored import stored_names
from lanner.engine.search.inner_hits.definition import InnerHits, inner_hits_of
from lanner.engine.search.inner_hits.join import bind_relatives
from lanner.engine.search.inner_hits.nested import bind_nested
from lanner.engine.search.query_phase import ShardResult, bind_sort_of
from lanner.engine.search.request import EXACT, SearchRequest
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.json.number import float32
from lanner.ext.search.top_docs import search_top
from lanner.ext.search.top_fields import search_sorted

Fetch = Callable[[list[tuple[ShardResult, int]], SearchRequest, int], list[dict[str, Any]]]


def bind_inner_hits(
    result: ShardResult, request: SearchRequest, now_millis: int, fetch: Fetch
) -> Callable[[dict[str, Any], SegmentReader, int, int], None]:
    """Return what adds ``inner_hits`` to the hits of a shard. fetch: what shows hits of any kind."""
    bound: dict[str, _Bound] = {}
    for query in inner_hits_of(request.query, request.post_filter):
        definition: InnerHits = query.inner()
        name = definition.name or query.label
        if name in bound:
            raise IllegalArgument(f"[inner_hits] already contains an entry for key [{name}]")
        definition.check(result.target.settings)
        if query.unmapped(result.target.mapping):
            continue  # the query says that this is no fault, or it would have failed
        bound[name] = _Bound(query, definition, result, request, now_millis, fetch)

    def add(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
        if not bound:
            return
        hit["inner_hits"] = {name: {"hits": one.hits(segment_index, doc)} for name, one in bound.items()}

    return add


def _bind(query: DslQuery, definition: InnerHits, result: ShardResult, now_millis: int) -> Any:
    """Return what finds the inner hits of a hit, their reader, and the rows if they are such."""
    if isinstance(query, NestedDsl):
        return bind_nested(query, definition, result, now_millis)
    assert isinstance(query, RelativesDsl)
    return bind_relatives(query, definition, result, now_millis)


class _Bound:
    """One definition over one shard."""

    def __init__(
        self,
        query: DslQuery,
        definition: InnerHits,
        result: ShardResult,
        outer: SearchRequest,
        now_millis: int,
        fetch: Fetch,
    ) -> None:
        target = result.target
        self.fetch, self.now_millis = fetch, now_millis
        self.total_as_int = outer.total_hits_as_int
        inner = query.children()[0]
        self.request = replace(definition.request, query=inner)
        self.weight_of, self.reader, self.rows = _bind(query, definition, result, now_millis)
        scope = None if self.rows is None else self.rows.scope
        self.sorts = (
            bind_sort_of(self.request, target, self.reader, now_millis, scope) if self.request.sort else []
        )
        wanted = self.request
        self.empty = ShardResult(
            target,
            self.reader,
            0,
            "eq",
            [],
            [],
            [],
            None,
            None,
            self.sorts,
            bind_doc_values(wanted.doc_value_fields, target.mapping, target.index, most=100)
            if wanted.doc_value_fields
            else [],
            stored_names(wanted.stored_fields, target.mapping) if wanted.stored_fields else [],
            terminated_early=False,
            timed_out=False,
            rows=self.rows,
        )

    def hits(self, segment: int, doc: int) -> dict[str, Any]:
        """Return the inner hits of a document or row."""
        request = self.request
        weight = self.weight_of(segment, doc)
        first, wanted = request.from_, request.from_ + request.size if request.size else 0
        top: Any
        if self.sorts:
            keys = [one.key for one in self.sorts]
            top = search_sorted(
                self.reader, weight, wanted, keys, track=EXACT, track_scores=request.track_scores
            )
            values = top.values
            scores: list[Any] = [None] * len(top.docs)  # also if the best one is tracked
        else:
            top = search_top(self.reader, weight, wanted, track=EXACT)
            values = None
            scores = top.scores
        found = self.empty._replace(
            segments=top.segments, docs=top.docs, scores=scores, values=values, max_score=top.max_score
        )
        shown = self.fetch([(found, i) for i in range(first, len(top.docs))], request, self.now_millis)
        total = top.total if self.total_as_int else {"value": top.total, "relation": "eq"}
        max_score = top.max_score if request.size else None
        return {
            "total": total,
            "max_score": None if max_score is None else float32(max_score),
            "hits": shown,
        }
