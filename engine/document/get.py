"""Reading one document, in real time unless asked otherwise."""

from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import VersionConflict
from lanner.engine.common.source_filter import ALL, SourceFilter, filter_source
from lanner.engine.document.placement import Place, read_place
from lanner.engine.index.operation import GetResult
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.search.fetch.stored import stored_values


@dataclass(frozen=True, slots=True, kw_only=True)
class GetRequest:
    """Read one document. `source`: what ``_source`` says, None when it is not given."""

    index: str
    id: str
    routing: str | None = None
    preference: str | None = None
    realtime: bool = True
    refresh: bool = False
    version: int | None = None
    version_type: str = "internal"
    source: bool | list[str] | None = None
    source_includes: list[str] | None = None
    source_excludes: list[str] | None = None
    stored_fields: list[str] | None = None

    @property
    def source_filter(self) -> SourceFilter:
        """Which parts of the source are wanted."""
        asked = self.source is not None or self.source_includes or self.source_excludes
        if not asked and not self.stored_fields:
            return ALL
        if self.stored_fields and not asked:
            return SourceFilter(enabled="_source" in self.stored_fields)
        return SourceFilter.of(self.source, self.source_includes, self.source_excludes)


def get_document(node: NodeContext, request: GetRequest, place: Place | None = None) -> dict[str, Any]:
    """A document, or that it was not found; `_source` is raw JSON. place: where it is, if that is known."""
    if place is None:
        place = read_place(node, request.index)
    found = read_document(place, request)
    answer: dict[str, Any] = {"_index": place.index.name, "_id": request.id}
    if found is None:
        answer["found"] = False
        return answer
    answer["_version"] = found.version
    answer["_seq_no"] = found.seq_no
    answer["_primary_term"] = found.primary_term
    if found.routing is not None:
        answer["_routing"] = found.routing.decode()
    return show_document(answer, place.service.mapping, found, request)


def show_document(
    answer: dict[str, Any], mapping: Mapping, found: GetResult, request: GetRequest
) -> dict[str, Any]:
    """The answer with what a request wants of a document that was found."""
    if mapping.may_ignore and found.source:
        routing = None if found.routing is None else found.routing.decode()
        ignored = mapping.parse_document(found.source, id=request.id, routing=routing).ignored
        if ignored:
            answer["_ignored"] = ignored
    answer["found"] = True
    wanted = request.source_filter
    if wanted.enabled:
        shown = mapping.shown_source(found.source)
        if shown is not None:
            answer["_source"] = msgspec.Raw(filter_source(shown, wanted))
    if request.stored_fields:
        stored = [name for name in mapping.stored_fields if name in request.stored_fields]
        fields = stored_values(found.source, stored) if stored else {}
        if fields:
            answer["fields"] = fields
    return answer


def read_document(place: Place, request: GetRequest) -> GetResult | None:
    """The document, or None; VersionConflict when it has another version than asked for."""
    routing = place.routing(request.id, request.routing)
    number = place.shard_number(request.id, routing)
    shard = place.service.shard(number)
    if request.refresh:
        shard.refresh()
    found = shard.get(request.id.encode(), realtime=request.realtime)
    counter = shard.counters.get_missing if found is None else shard.counters.get_found
    counter.total += 1
    if found is not None and request.version is not None and found.version != request.version:
        raise VersionConflict(
            f"[{request.id}]: version conflict, current version [{found.version}] is different than the one "
            f"provided [{request.version}]",
            **place.place_of(number),
        )
    return found


def source_of(
    node: NodeContext, index: str, id_: str, routing: str | None, version: int | None
) -> bytes | None:
    """Return the source of a document as it is now; None: no document, nothing: its source is not kept."""
    answer = get_document(node, GetRequest(index=index, id=id_, routing=routing, version=version))
    if not answer["found"]:
        return None
    return bytes(answer["_source"]) if "_source" in answer else b""
