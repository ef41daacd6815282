"""Documents in memory, and the stored queries of an index that are asked about them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from pyroaring import BitMap

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.dsl.stored_query import resolve_stored, stored_context
from lanner.engine.mapping.types.percolator import FAILED, PercolatorFieldType
from lanner.engine.query.base import Query, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery
from lanner.engine.query.required_terms import keys_of
from lanner.engine.query.term import TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.ext.index.document import Document
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.similarity import BM25
from lanner.ext.search.count import matching
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document as ExplainedDocument
    from lanner.engine.query.explanation import Explanation

_ID = "_temp_id"
_SIMILARITY = BM25(plain=True)  # whatever the mapping says, as in the reference


def _similarity(field: str) -> BM25:
    return _SIMILARITY


class DocumentsInMemory:
    """A percolation: a segment of its own, searched by one query after the other.

    field: that holds the queries. documents: as JSON; what is not mapped in them is mapped for them alone.
    Raises what the API answers for documents that do not fit the mapping.
    """

    def __init__(self, field: PercolatorFieldType, documents: tuple[bytes, ...], context: DslContext) -> None:
        self.field = field
        self.documents = documents
        self._context = stored_context(
            context.mapping,
            index=context.index,
            now=context.now,
            lookup=context.lookup,
            settings=context.settings,
        )
        mapping, rows = context.mapping, []
        for source in documents:
            parsed = mapping.parse_document(source, id=_ID, routing=None)
            if parsed.update is not None:
                mapping = mapping.merge(parsed.update)
                parsed = mapping.parse_document(source, id=_ID, routing=None)
            rows.append(Document(_ID.encode(), source, None, 0, 1, 1, parsed.values))
        buffer = WriteBuffer()
        try:
            buffer.add(rows)
        except (ValueError, TypeError, OverflowError) as refusal:
            raise IllegalArgument(str(refusal)) from None
        files = {name: b"".join(map(bytes, parts)) for name, parts in buffer.write_segment().items()}
        #: a segment with the documents
        self.reader = IndexReader([SegmentReader(files["idx"], files["src"], verify=False).searchable()])

    # -- which queries

    @cached_property
    def _keys(self) -> tuple[bytes, ...]:
        return tuple(sorted(keys_of(self.reader.segments[0])))

    @cached_property
    def _chosen(self) -> BooleanQuery:
        """The documents whose query may match: one of its terms is there, or its terms are not known."""
        unknown = TermQuery(self.field.result.name, FAILED.encode())
        return BooleanQuery(should=(TermsQuery(self.field.terms.name, self._keys), unknown))

    @property
    def text(self) -> str:
        """The documents, and what chooses the queries."""
        sources = "".join(f"{source.decode()}\n" for source in self.documents)
        terms = f"{self.field.terms.name}:<{len(self._keys)} terms>"
        unknown = f"{self.field.result.name}:{FAILED}"
        return f"document_sources={{{sources}}},inner={{{terms} {unknown}}}"

    def _candidates(self, reader: IndexReader) -> Iterator[tuple[int, int, Query]]:
        """Yield (segment, document or row, its query) of those that may match."""
        whole = IndexReader([segment.whole or segment for segment in reader.segments])
        weight = self._chosen.weight(WeightContext(whole, _similarity, scoring=False))
        for number, found in enumerate(matching(whole, weight)):
            segment = whole.segments[number]
            for doc in found:
                query = self._query(segment, doc)
                if query is not None:
                    yield number, doc, query[1]

    def _query(self, segment: SegmentReader, doc: int) -> tuple[DslQuery, Query] | None:
        text = self.field.text_of(segment, doc)
        return None if text is None else resolve_stored(self.field, text, self._context)

    # -- asking them

    def matching(self, reader: IndexReader) -> list[BitMap]:
        """Return the documents and rows of each segment whose query matches."""
        found = [BitMap() for _ in reader.segments]
        for segment, doc, query in self._candidates(reader):
            if self._best(query, scoring=False) is not None:
                found[segment].add(doc)
        return found

    def scored(self, reader: IndexReader) -> list[Mapping[int, float]]:
        """Return the same with the score that the best of the documents has."""
        found: list[dict[int, float]] = [{} for _ in reader.segments]
        for segment, doc, query in self._candidates(reader):
            best = self._best(query, scoring=True)
            if best is not None:
                found[segment][doc] = best[1]
        return list(found)

    def _best(self, query: Query, *, scoring: bool) -> tuple[int, float] | None:
        """Return the row and the score of the document that a query scores best, None if it matches none."""
        weights = WeightContext(self.reader, _similarity, scoring)
        top = search_top(self.reader, query.weight(weights), 1, track=0)
        for check in weights.checks:
            check()
        return (top.docs[0], top.scores[0]) if top.docs else None

    def query_of(self, segment: SegmentReader, doc: int) -> DslQuery | None:
        """Return the query of a document or row, None if it has none."""
        found = self._query(segment, doc)
        return None if found is None else found[0]

    def slots(self, segment: SegmentReader, doc: int) -> list[tuple[int, int]]:
        """Return (place, row) of the documents that the query of a document or row matches."""
        found = self._query(segment, doc)
        if found is None:
            return []
        weights = WeightContext(self.reader, _similarity, scoring=False)
        rows = matching(self.reader, found[1].weight(weights))[0]
        return [(place, row) for place, row in enumerate(self._rows) if row in rows]

    @cached_property
    def _rows(self) -> list[int]:
        """The rows of the documents, in their order."""
        weights = WeightContext(self.reader, _similarity, scoring=False)
        return list(matching(self.reader, MatchAllQuery().weight(weights))[0])

    def explain(self, document: "ExplainedDocument") -> "Explanation | None":
        """Return how a document's own query scores the best of the documents, None if it matches none."""
        from lanner.engine.query.explanation import Explainer

        found = self._query(document.context.reader.segments[document.segment], document.doc)
        best = None if found is None else self._best(found[1], scoring=True)
        if found is None or best is None:
            return None
        weights = WeightContext(self.reader, _similarity)
        return Explainer(weights, document.fields, found[1], "BM25Similarity").explain(0, best[0])
