"""Reading one document, in real time unless asked otherwise."""

from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.errors import VersionConflict
from lanner.engine.document.placement import Place, read_place
from lanner.engine.document.requests import SourceFilter
from lanner.engine.document.source_filter import filter_source
from lanner.engine.index.operation import GetResult

EVERYTHING = SourceFilter()


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
            return EVERYTHING
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
    answer["found"] = True
    wanted = request.source_filter
    if wanted.enabled and _source_enabled(place):
        answer["_source"] = filter_source(found.source, wanted)
    if request.stored_fields:
        fields = stored_fields(place, found, request.stored_fields)
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


def stored_fields(place: Place, found: GetResult, names: list[str]) -> dict[str, list[Any]]:
    """Values of the fields that the mapping stores; they are read from the source."""
    answer: dict[str, list[Any]] = {}
    wanted = [name for name in names if name != "_source"]
    if not wanted:
        return answer
    source = msgspec.json.decode(found.source)
    for name in wanted:
        properties: Any = place.index.mapping.get("properties", {})
        value: Any = source
        definition: Any = None
        for part in name.split("."):
            definition = properties.get(part) if isinstance(properties, dict) else None
            properties = definition.get("properties", {}) if isinstance(definition, dict) else {}
            value = value.get(part) if isinstance(value, dict) else None
        if isinstance(definition, dict) and definition.get("store") is True and value is not None:
            answer[name] = value if isinstance(value, list) else [value]
    return answer


def _source_enabled(place: Place) -> bool:
    return bool(place.index.mapping.get("_source", {}).get("enabled", True))


def source_of(
    node: NodeContext, index: str, id_: str, routing: str | None, version: int | None
) -> bytes | None:
    """Return the source of a document as it is now; None: no document, nothing: its source is not kept."""
    answer = get_document(node, GetRequest(index=index, id=id_, routing=routing, version=version))
    if not answer["found"]:
        return None
    return bytes(answer["_source"]) if "_source" in answer else b""
