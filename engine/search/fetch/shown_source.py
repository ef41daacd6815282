"""Hits of an index that keeps parts of the source only: what reads a source is given those."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.json import encode

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.source_filter import SourceFilter
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.search.fetch.source_values import decode_source, values_at
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import SearchRequest
from lanner.ext.index.segment_reader import SegmentReader

Part = Callable[[dict[str, Any], SegmentReader, int, int], None]


def check_source(request: SearchRequest, wanted: SourceFilter, target: ShardTarget) -> None:
    """Refuse to read from the source what an index without any cannot give."""
    if target.mapping.source_filter.enabled:
        return
    if not wanted.whole:
        raise IllegalArgument(
            "unable to fetch fields from _source field: _source is disabled in the mappings for index "
            f"[{target.index}]"
        )
    if request.fields:
        raise IllegalArgument(
            "Unable to retrieve the requested [fields] since _source is disabled in the mappings for index "
            f"[{target.index}]"
        )
    if request.highlight is not None:
        for name, options in request.highlight.fields:
            if options.force_source:
                raise IllegalArgument(f"source is forced for fields [{name}] but _source is disabled")


class _Shown:
    """One segment, of which only sources are read."""

    def __init__(self, segment: SegmentReader, mapping: Mapping, stored: Sequence[str]) -> None:
        self._segment = segment
        self._mapping = mapping
        self._stored = stored

    def source(self, doc: int) -> bytes:
        """Return what the source shows, and the values of the fields that are stored beside it."""
        source = self._segment.source(doc)
        shown = self._mapping.shown_source(source)
        if not self._stored:
            return b"{}" if shown is None else shown
        whole = decode_source(source) if source else {}
        document = {} if shown is None else decode_source(shown)
        for name in self._stored:
            path = name.split(".")
            if not values_at(document, path):
                document[name] = values_at(whole, path)
        return encode(document)


def showing_source(mapping: Mapping) -> Callable[[Part, Sequence[str]], Part]:
    """Return what makes a part of a hit read of sources what the mapping keeps, and some stored fields."""

    def showing(part: Part, stored: Sequence[str]) -> Part:
        def add(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
            part(hit, _Shown(segment, mapping, stored), segment_index, doc)  # type: ignore[arg-type]

        return add

    return showing
