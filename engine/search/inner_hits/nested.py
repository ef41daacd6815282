"""Inner hits of ``nested`` queries: the nested objects of a hit that match, best first."""

from typing import Any

import msgspec
from msgspec import Raw
from pyroaring import BitMap

from lanner.engine.common.errors import UnsupportedOperation
from lanner.engine.dsl.nested import NestedDsl
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.query.base import WeightContext
from lanner.engine.search.inner_hits.definition import InnerHits
from lanner.engine.search.query_phase import ShardResult, context_of, resolve_query
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.nested import RowsWeight, first_row, rows_between
from lanner.ext.search.reader import IndexReader

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class NestedRows:
    """The rows of one path as hits show them; reads like the segments of a reader."""

    def __init__(self, reader: IndexReader, mapping: Mapping, path: str) -> None:
        self.scope = path
        self.segments = tuple(_Rows(segment, mapping, path) for segment in reader.segments)

    def part(self, hit: dict[str, Any], segment: Any, segment_index: int, doc: int) -> None:
        """Say where in its document a hit stands, and show its own source alone."""
        steps = segment.steps(doc)
        identity: dict[str, Any] = {}
        for name, offset in reversed(steps):
            identity = {"field": name, "offset": offset, **({"_nested": identity} if identity else {})}
        hit["_nested"] = identity
        if "_source" in hit:
            source = _decode(hit["_source"])
            for name, _ in steps:
                source = source.get(name) if isinstance(source, dict) else None
            hit["_source"] = Raw(_encode({} if source is None else source))


class _Rows:
    """One segment of it."""

    def __init__(self, segment: SegmentReader, mapping: Mapping, path: str) -> None:
        self._segment = segment
        self._scopes = mapping.nested_scopes(path)[::-1]  # the outermost first
        self.terms = segment.terms

    def steps(self, doc: int) -> list[tuple[str, int]]:
        """Return (name, place among its siblings) of each nested object around a row, from the outside in."""
        segment = self._segment
        steps = []
        around: str | None = None
        for scope in self._scopes:
            path = scope.encode()
            end = doc + 1
            while not rows_between(segment, path, end - 1, end):
                end += 1
            document = segment.document_of(doc)
            outer = document if around is None else rows_between(segment, around.encode(), doc, document)[0]
            first = first_row(segment, None if around is None else around.encode(), outer)
            offset = len(rows_between(segment, path, first, end)) - 1
            steps.append((scope if around is None else scope[len(around) + 1 :], offset))
            around = scope
        return steps

    def stored_row(self, doc: int) -> tuple[bytes, bytes | None, bytes]:
        """Return id and routing of the document, and the row's source inside of what is around it."""
        id_, routing, source = self._segment.stored_row(self._segment.document_of(doc))
        value = _decode(source) if source else {}
        wrapped: dict[str, Any] = {}
        here = wrapped
        steps = self.steps(doc)
        for i, (name, offset) in enumerate(steps):
            objects = _objects_at(value, name.split("."))
            value = objects[offset] if offset < len(objects) else {}
            here[name] = value if i == len(steps) - 1 else {}
            here = here[name]
        return id_, routing, _encode(wrapped)

    def id(self, doc: int) -> bytes:
        """Return the id of the document."""
        return self._segment.id(self._segment.document_of(doc))

    def numbers(self, field: str, doc: int) -> list[int]:
        """Return the numbers of a row; rows share their place in history with the document."""
        return self._segment.numbers(field, self._segment.document_of(doc) if field == "_seq_no" else doc)

    def source(self, doc: int) -> bytes:
        """Return the row's source inside of what is around it."""
        return self.stored_row(doc)[2]

    def versions(self, doc: int) -> tuple[int, int, int]:
        """Return what nested rows have: the version of the document, no place in history."""
        return -2, 0, self._segment.versions(self._segment.document_of(doc))[2]


def _objects_at(value: Any, path: list[str]) -> list[dict[str, Any]]:
    """Return the objects at a path of an object, through lists and names with dots."""
    found: list[dict[str, Any]] = []
    pending: list[tuple[Any, list[str]]] = [(value, path)]
    while pending:
        one, rest = pending.pop()
        if isinstance(one, list):
            pending += [(item, rest) for item in reversed(one)]
        elif isinstance(one, dict):
            if not rest:
                found.append(one)
            for n in range(len(rest), 0, -1):
                name = ".".join(rest[:n])
                if name in one:
                    pending.append((one[name], rest[n:]))
    return found


def bind_nested(query: NestedDsl, definition: InnerHits, result: ShardResult, now_millis: int) -> Any:
    """Return what finds the rows of a hit: (segment, doc) -> (weight, reader of all rows)."""
    target = result.target
    if definition.request.seq_no_primary_term:
        raise UnsupportedOperation("nested documents are not assigned sequence numbers")
    reader = whole_reader(result.reader)
    context = context_of(target, now_millis)
    context.scope = query.path
    path = query.path.encode()
    weights = WeightContext(reader, target.mapping.similarity, scoring=definition.scored)
    child = resolve_query(query.query, context, target.index_uuid).weight(weights)
    matching = BooleanWeight(must=[child], filter=[RowsWeight(reader, path)])
    kind = None if result.rows is None else result.rows.scope.encode()

    def of(segment: int, doc: int) -> Any:
        sets = [BitMap() for _ in reader.segments]
        sets[segment] = BitMap(range(first_row(reader.segments[segment], kind, doc), doc))
        return BooleanWeight(must=[matching], filter=[DocSetWeight(reader, sets)])

    return of, reader, NestedRows(reader, target.mapping, query.path)


def whole_reader(reader: IndexReader) -> IndexReader:
    """Return a reader that sees nested rows as well."""
    return IndexReader([segment.whole or segment for segment in reader.segments])
