"""Documents that have a value in a column with doc values or norms."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.match_all import MatchAllQuery
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.exists import ExistsWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts


@dataclass(frozen=True, slots=True)
class ExistsQuery(Query):
    """Documents with any value of the field; every match scores the boost."""

    field: str

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the column."""
        return ConstantWeight(ExistsWeight(context.reader, self.field), boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "FieldExistsQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``FieldExistsQuery [field=name]``."""
        return f"FieldExistsQuery [field={self.field}]"

    def rewritten(self, context: WeightContext) -> Query:
        """Return everything if every document has terms or points of the field."""
        reader = context.reader
        parts = [segment.fields_by_name.get(self.field) for segment in reader.segments]
        full = all(
            part is not None
            and (part.terms is not None or part.points is not None)
            and part.doc_count == segment.max_doc
            for part, segment in zip(parts, reader.segments, strict=True)
        )
        return MatchAllQuery() if full and parts else self
