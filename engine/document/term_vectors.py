"""Term vectors: the terms of one document's fields, where they stand, and how common they are.

No vectors are stored: the texts of the document are analysed again. What a mapping would have stored
(``term_vector``) decides which fields are shown unasked, and how much of them. Statistics are those of the
shard's searcher, so they do not know what was not refreshed yet.
"""

import sys
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import nlargest
from math import log
from typing import Any

from lanner.engine.analysis.analyze import numbered
from lanner.engine.cluster.context import NodeContext
from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.source_filter import ALL
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.document.get import GetRequest, read_document
from lanner.engine.document.placement import Place, read_place
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType, utf16_length
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.search.fetch.highlight.text import gap_of
from lanner.engine.search.fetch.source_values import decode_source, source_paths, values_at
from lanner.ext.index.schema import DOCS
from lanner.ext.json.number import float32
from lanner.ext.search.reader import IndexReader

GIVEN = "_id_for_tv_api"  # the id under which the mapping reads a document that is given
MAX_INT = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TermFilter:
    """Which terms tell most: limits, and how many of a field at most."""

    max_num_terms: int = 25
    min_term_freq: int = 1
    max_term_freq: int = MAX_INT
    min_doc_freq: int = 1
    max_doc_freq: int = MAX_INT
    min_word_length: int = 0
    max_word_length: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TermVectorsRequest:
    """The terms of a document of an index, or of one that is given. fields: names and patterns."""

    index: str
    id: str | None = None
    doc: bytes | None = None
    routing: str | None = None
    preference: str | None = None
    realtime: bool = True
    version: int | None = None
    version_type: str = "internal"
    fields: tuple[str, ...] | None = None
    offsets: bool = True
    positions: bool = True
    payloads: bool = True
    term_statistics: bool = False
    field_statistics: bool = True
    per_field_analyzer: Mapping[str, str] = field(default_factory=dict)
    filter: TermFilter | None = None


def term_vectors(
    node: NodeContext, request: TermVectorsRequest, place: Place | None = None
) -> dict[str, Any]:
    """Return the answer of a request."""
    started = time.perf_counter_ns()
    if place is None:
        place = read_place(node, request.index)
    answer: dict[str, Any] = {"_index": place.index.name}
    if request.doc is None:
        assert request.id is not None
        answer["_id"] = request.id
        asked = GetRequest(
            index=request.index,
            id=request.id,
            routing=request.routing,
            realtime=request.realtime,
            version=request.version,
        )
        found = read_document(place, asked)
        answer["_version"] = 0 if found is None else found.version
        source = None if found is None else found.source
        number = place.shard_number(request.id, place.routing(request.id, request.routing))
    else:
        place.service.mapping.parse_document(request.doc, id=GIVEN, routing=request.routing)
        answer["_version"] = 0
        source = request.doc
        number = 0 if request.routing is None else place.shard_number("", request.routing)
    answer["found"] = source is not None
    vectors: dict[str, Any] | None = None
    if source is not None:
        with place.service.shard(number).acquire_searcher(search=False) as searcher:
            vectors = _vectors(request, place, source, searcher.reader)
    answer["took"] = (time.perf_counter_ns() - started) // 1_000_000
    if vectors is not None:
        answer["term_vectors"] = vectors
    return answer


def _vectors(request: TermVectorsRequest, place: Place, source: bytes, reader: IndexReader) -> dict[str, Any]:
    shown = {}
    whole, known = _documents(request, place, source)
    for one in _fields(request, place):
        tokens = _tokens(request, place, one, whole if one.get("store") or _stored(one) != "no" else known)
        if not tokens:
            continue
        vector: dict[str, Any] = {}
        doc_count, sum_total_term_freq, sum_doc_freq = reader.field_statistics(one.name)
        if _only_docs(reader, one.name):
            sum_total_term_freq = sum_doc_freq
        if request.field_statistics and doc_count:
            vector["field_statistics"] = {
                "sum_doc_freq": sum_doc_freq,
                "doc_count": doc_count,
                "sum_ttf": sum_total_term_freq,
            }
        grouped: dict[bytes, list[Any]] = {}
        for token in tokens:
            grouped.setdefault(token[0], []).append(token)
        scores = (
            None if request.filter is None else _best(request.filter, reader, one.name, grouped, doc_count)
        )
        vector["terms"] = {
            term.decode("utf-8", "replace"): _render(request, one, reader, term, grouped[term], scores)
            for term in sorted(grouped if scores is None else scores)
        }
        shown[one.name] = vector
    return shown


def _documents(
    request: TermVectorsRequest, place: Place, source: bytes
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a document as it was indexed, and what its source shows of it."""
    mapping = place.service.mapping
    whole = decode_source(source) if source else {}
    if request.doc is not None or mapping.source_filter is ALL:
        return whole, whole
    shown = mapping.shown_source(source)
    return whole, {} if shown is None else decode_source(shown)


def _only_docs(reader: IndexReader, name: str) -> bool:
    parts = (segment.fields_by_name.get(name) for segment in reader.segments)
    return all(part is None or part.postings == DOCS for part in parts)


def _fields(request: TermVectorsRequest, place: Place) -> Iterator[FieldType]:
    """Yield the fields that are asked for: of those with texts all that are in a given document."""
    mapping = place.service.mapping
    names: dict[str, None] = {}
    if request.fields is None:
        names = dict.fromkeys(mapping.fields)
    else:
        for name in request.fields:
            names |= dict.fromkeys(mapping.match_fields(name) if is_pattern(name) else [name])
    for name in names:
        one = mapping.field_type(name)
        if not isinstance(one, TextFieldType | KeywordFieldType) or one.name != name or not one.indexed:
            continue
        if request.fields is not None or request.doc is not None or _stored(one) != "no":
            yield one


def _stored(one: FieldType) -> str:
    """Return what the mapping stores of the terms of a document."""
    return str(one.get("term_vector") or "no")


def _tokens(request: TermVectorsRequest, place: Place, one: FieldType, document: dict[str, Any]) -> list[Any]:
    """Return the tokens of a field; their positions and offsets go on from value to value."""
    mapping = place.service.mapping
    values = [
        java_text(value)
        for path in source_paths(mapping, one.name)
        for value in values_at(document, path.split("."))
    ]
    analyzer = one.analyzer if isinstance(one, TextFieldType) else None
    gap = gap_of(one) if analyzer is not None else 0
    wanted = request.per_field_analyzer.get(one.name)
    if wanted is not None:
        with suppress(IllegalArgument):  # as in the reference the field then keeps its own
            analyzer = mapping.registry.analyzer(wanted)
    if isinstance(one, KeywordFieldType):
        values = [value for value in values if utf16_length(value) <= one.get("ignore_above")]
    if analyzer is not None:
        return numbered(gap, (analyzer.chain.run(value) for value in values), sys.maxsize)
    assert isinstance(one, KeywordFieldType)
    tokens = []
    offset = 0
    for position, value in enumerate(values):
        end = offset + utf16_length(value)
        tokens.append((one.encode_query(value), offset, end, position, "word", 1, 1, False, None))
        offset = end + 1
    return tokens


def _render(
    request: TermVectorsRequest,
    one: FieldType,
    reader: IndexReader,
    term: bytes,
    tokens: list[Any],
    scores: dict[bytes, float] | None,
) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if request.term_statistics:
        doc_freq = reader.doc_freq(one.name, term)
        if doc_freq:
            shown["doc_freq"] = doc_freq
            shown["ttf"] = reader.total_term_freq(one.name, term)
    shown["term_freq"] = len(tokens)
    stored = _stored(one)
    generated = request.doc is not None or stored == "no" or one.name in request.per_field_analyzer
    positions = request.positions and (generated or "positions" in stored)
    offsets = request.offsets and (generated or "offsets" in stored)
    payloads = request.payloads and not generated and "payloads" in stored
    places = []
    for _, start, end, position, *_, payload in tokens:
        at: dict[str, Any] = {}
        if positions:
            at["position"] = position
        if offsets:
            at["start_offset"] = start
            at["end_offset"] = end
        if payloads and payload is not None:
            at["payload"] = b64encode(payload).decode()
        if at:
            places.append(at)
    if places:
        shown["tokens"] = places
    if scores is not None:
        shown["score"] = float32(scores[term])
    return shown


def _best(
    limits: TermFilter, reader: IndexReader, name: str, grouped: Mapping[bytes, list[Any]], doc_count: int
) -> dict[bytes, float]:
    """Return the terms of a field that tell most, with tf * idf. Source: ClassicSimilarity of Lucene."""
    scores: dict[bytes, float] = {}
    for term, tokens in sorted(grouped.items()):
        freq, length = len(tokens), len(term.decode("utf-8", "replace"))
        if not limits.min_term_freq <= freq <= limits.max_term_freq or length < limits.min_word_length:
            continue
        if limits.max_word_length and length > limits.max_word_length:
            continue
        doc_freq = reader.doc_freq(name, term)
        if doc_freq > limits.max_doc_freq or (doc_freq and doc_freq < limits.min_doc_freq):
            continue
        scores[term] = freq * (log((doc_count + 1) / (doc_freq + 1)) + 1)
    return dict(nlargest(limits.max_num_terms, scores.items(), key=lambda item: item[1]))
