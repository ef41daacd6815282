"""What hits of percolate queries tell of the documents that were given: places, and marks in texts."""

from collections.abc import Callable, Iterator
from typing import Any

from lanner.engine.dsl.base import DslContext, DslQuery, RequestFaultError
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.dsl.percolate import PercolateDsl
from lanner.engine.dsl.percolation import DocumentsInMemory
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import SearchRequest
from lanner.ext.index.segment_reader import SegmentReader

_SLOTS = "_percolator_document_slot"


def _percolate_queries(query: DslQuery | None) -> Iterator[PercolateDsl]:
    """Yield the percolate queries inside a query that its hits match, from the outside in."""
    pending = [] if query is None else [query]
    while pending:
        one = pending.pop()
        if isinstance(one, PercolateDsl):
            yield one
        inside = (*one.must, *one.filter, *one.should) if isinstance(one, BoolDsl) else one.children()
        pending += reversed(inside)


def bind_percolated(
    request: SearchRequest, target: ShardTarget, context: DslContext
) -> Callable[[dict[str, Any], SegmentReader, int, int], None]:
    """Return what adds the places of the documents that a hit's query matches, and their ``highlight``."""
    queries = list(_percolate_queries(request.query))
    try:
        asked = [(query.label, query.percolation(context)) for query in queries]
    except RequestFaultError as fault:
        raise fault.error from None
    single = len(asked) == 1
    highlight = request.highlight if request.highlight is not None and request.highlight.fields else None

    def add(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
        for label, percolation in asked:
            slots = percolation.slots(segment, doc)
            if not slots:
                continue
            name = _SLOTS if single else f"{_SLOTS}_{label}"
            hit.setdefault("fields", {})[name] = [place for place, _ in slots]
            if highlight is None:
                continue
            for place, row in slots:
                words = [] if single else [label]
                if len(percolation.documents) > 1:
                    words.append(str(place))
                shown = _highlighted(percolation, segment, doc, row)
                for field, fragments in shown.items():
                    hit.setdefault("highlight", {})["_".join((*words, field))] = fragments

    def _highlighted(
        percolation: DocumentsInMemory, segment: SegmentReader, doc: int, row: int
    ) -> dict[str, list[str]]:
        from lanner.engine.search.fetch.highlight.part import bind_highlight

        assert highlight is not None
        query, reader = percolation.query_of(segment, doc), percolation.reader
        marked: dict[str, Any] = {}
        bind_highlight(highlight, query, target, context, reader)(marked, reader.segments[0], 0, row)
        found: dict[str, list[str]] = marked.get("highlight", {})
        return found

    return add
