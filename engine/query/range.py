"""Documents with a value between two bounds, all scored alike."""

from dataclasses import dataclass, replace
from dataclasses import field as option
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchNoneWeight
from lanner.ext.query.multi_term import TermRangeWeight
from lanner.ext.query.range import NumberRangeWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class NumberRangeQuery(Query):
    """Encoded numbers from low to high, both included."""

    field: str
    low: int
    high: int

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the field's points; an empty range matches nothing."""
        if self.low > self.high:
            return MatchNoneWeight(context.reader)
        return ConstantWeight(NumberRangeWeight(context.reader, self.field, self.low, self.high), boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class for a field with points and doc values."""
        return "IndexOrDocValuesQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return the range as points and as doc values show it."""
        points = f"{self.field}:[{fields.number(self.field, self.low)} TO "
        return two_ways(
            fields, self.field, f"{points}{fields.number(self.field, self.high)}]", self.cells(fields)
        )

    def cells(self, fields: "FieldTexts") -> str:
        """Return the range as doc values show it."""
        low, high = fields.cell(self.field, self.low), fields.cell(self.field, self.high)
        return f"{self.field}:[{low} TO {high}]"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return whether the doc values are in the range, or the points where there are no others."""
        from lanner.engine.query.explanation import constant

        decides = self.cells(document.fields) if document.fields.has_doc_values(self.field) else None
        return constant(document, self, boost, decides)


@dataclass(frozen=True, slots=True)
class NumberSetQuery(Query):
    """Any of some encoded numbers."""

    field: str
    values: tuple[int, ...]

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the field's points."""
        each = [NumberRangeWeight(context.reader, self.field, value, value) for value in self.values]
        return ConstantWeight(each[0] if len(each) == 1 else BooleanWeight(should=each), boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class for a field with points and doc values."""
        return "IndexOrDocValuesQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return the numbers as points and as doc values show them."""
        points = " ".join(fields.number(self.field, value) for value in self.values)
        return two_ways(fields, self.field, f"{self.field}:{{{points}}}", self.cells(fields))

    def cells(self, fields: "FieldTexts") -> str:
        """Return the numbers as doc values show them."""
        return f"{self.field}: [{', '.join(fields.cell(self.field, value) for value in self.values)}]"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return whether the doc values hold a number, or the points where there are no others."""
        from lanner.engine.query.explanation import constant

        decides = self.cells(document.fields) if document.fields.has_doc_values(self.field) else None
        return constant(document, self, boost, decides)


def two_ways(fields: "FieldTexts", field: str, indexed: str, cells: str) -> str:
    """Return the text of a query that both an index and doc values can answer, or of the one there is."""
    if not fields.has_doc_values(field):
        return indexed
    if not fields.indexed(field):
        return cells
    return f"IndexOrDocValuesQuery(indexQuery={indexed}, dvQuery={cells})"


@dataclass(frozen=True, slots=True)
class TermRangeQuery(Query):
    """Terms between two bounds in the order of their bytes; None is no bound."""

    field: str
    lower: bytes | None
    upper: bytes | None
    include_lower: bool = True
    include_upper: bool = True
    constant: bool = option(
        default=False, compare=False
    )  # whether it was rewritten, which Lucene's text shows

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the terms in the range."""
        child = TermRangeWeight(
            context.reader,
            self.field,
            self.lower,
            self.upper,
            include_lower=self.include_lower,
            include_upper=self.include_upper,
        )
        return ConstantWeight(child, boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class for a field with terms and doc values."""
        return "IndexOrDocValuesQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return the range as terms and as doc values show it."""
        return two_ways(fields, self.field, self.terms(fields), self.cells(fields))

    def rewritten(self, context: WeightContext) -> Query:
        """Return the same range, of which Lucene's text says that all matches score alike."""
        return replace(self, constant=True)

    def terms(self, fields: "FieldTexts") -> str:
        """Return the range as terms show it."""
        from lanner.engine.query.explanation import term_text

        first, last = self.lower, self.upper
        if first is not None and last is not None:
            low, high = fields.address(self.field, first), fields.address(self.field, last)
            if low is not None:
                return f"{self.field}:[{low} TO {high}]"
        written = ["*" if one is None else term_text(one) for one in (first, last)]
        opens = "[" if self.include_lower or first is None else "{"
        closes = "]" if self.include_upper or last is None else "}"
        return f"{self.field}:{opens}{written[0]} TO {written[1]}{closes}"

    def cells(self, fields: "FieldTexts") -> str:
        """Return the range as doc values show it."""
        from lanner.engine.query.explanation import bytes_text

        first, last = self.lower, self.upper
        if first is None or last is None or fields.address(self.field, first) is None:
            terms = self.terms(fields)
            return f"ConstantScore({terms})" if self.constant else terms
        return f"{self.field}:[{bytes_text(first)} TO {bytes_text(last)}]"

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return whether a term is in the range."""
        from lanner.engine.query.explanation import constant

        fields = document.fields
        if not fields.has_doc_values(self.field):
            return constant(document, self, boost)
        return constant(document, self, boost, self.cells(fields))
