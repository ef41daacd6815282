"""Queries across the rows of a document: nested objects are rows of their own before it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.nested import BlockJoinWeight, RowsWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

_MODES = {"none": "None", "avg": "Avg", "max": "Max", "min": "Min", "sum": "Total"}


@dataclass(frozen=True, slots=True)
class RowsQuery(Query):
    """The rows of a nested object; path None: the documents themselves."""

    path: bytes | None

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the rows of the segments."""
        return RowsWeight(context.reader, self.path)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "DocValuesFieldExistsQuery" if self.path is None else "TermQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return how the reference tells rows apart."""
        if self.path is None:
            return "FieldExistsQuery [field=_primary_term]"
        return f"_nested_path:{self.path.decode()}"


@dataclass(frozen=True, slots=True)
class NestedQuery(Query):
    """The rows around nested objects that match a query.

    around: the path of these rows, None for documents. score_mode: what their score is made of.
    """

    path: bytes
    query: Query
    around: bytes | None
    score_mode: str

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the inner query, with scores only if they count."""
        inner = context.matching() if self.score_mode == "none" else context
        return BlockJoinWeight(self.query.weight(inner, boost), self.path, self.around, self.score_mode)

    @property
    def kind(self) -> str:
        """The name of the reference's class."""
        return "OpenSearchToParentBlockJoinQuery"

    def inner(self) -> tuple[Query, ...]:
        """Return the inner query."""
        return (self.query,)

    def text(self, fields: "FieldTexts") -> str:
        """Return the inner query as Lucene writes it."""
        return f"ToParentBlockJoinQuery ({self.query.text(fields)})"

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite the inner query."""
        return replace(self, query=self.query.rewritten(context))

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the row that scores best, or worst, and between which rows it was found."""
        from lanner.engine.query.explanation import match, no_match

        score = document.score(self, boost)
        if score is None:
            return no_match("Not a match")
        first = self._first_row(document)
        rows = [replace(document, doc=row, path=self.path) for row in range(first, document.doc)]
        held = [row for row in rows if row.is_row(self.path)]
        found = [one for one in (self.query.explain(row, boost) for row in held) if one.matched]
        choose = min if self.score_mode == "min" else max
        base = sum(segment.max_doc for segment in document.context.reader.segments[: document.segment])
        return match(
            score,
            f"Score based on {len(found)} child docs in range from {base + first} to "
            f"{base + document.doc - 1}, using score mode {_MODES[self.score_mode]}",
            choose(found, key=lambda one: one.value),
        )

    def _first_row(self, document: "Document") -> int:
        """Return the first row after the one before that is of the same kind as the document."""
        row = document.doc
        while row > 0 and not replace(document, doc=row - 1).is_row(self.around):
            row -= 1
        return row
