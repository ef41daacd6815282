"""Documents whose own query matches given documents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pyroaring import BitMap

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.scored_set import ScoredDocsWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts
    from lanner.ext.search.reader import IndexReader


class Percolation(Protocol):
    """Documents in memory that queries of others are asked about."""

    @property
    def text(self) -> str:
        """The documents, and the query that tells whose queries are asked at all."""
        ...

    def matching(self, reader: "IndexReader") -> list[BitMap]:
        """Return the documents and rows of each segment whose query matches."""
        ...

    def scored(self, reader: "IndexReader") -> list[Mapping[int, float]]:
        """Return the same with the score that the best of the documents has."""
        ...

    def explain(self, document: "Document") -> "Explanation | None":
        """Return how a document's own query scores the best of the documents, None if it matches none."""
        ...


@dataclass(frozen=True, slots=True)
class PercolateQuery(Query):
    """The documents whose query in a field matches. A boost changes nothing: the queries have their own."""

    field: str
    percolation: Percolation

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Ask the queries."""
        if context.scoring:
            return ScoredDocsWeight(context.reader, self.percolation.scored(context.reader))
        return DocSetWeight(context.reader, self.percolation.matching(context.reader))

    def text(self, fields: "FieldTexts") -> str:
        """Return the documents and how queries were chosen."""
        return f"PercolateQuery{{{self.percolation.text}}}"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return how the query of the document scores."""
        from lanner.engine.query.explanation import match, no_match

        found = self.percolation.explain(document)
        return no_match("PercolateQuery") if found is None else match(found.value, "PercolateQuery", found)
