"""Queries across the rows of a document: nested objects are rows of their own before it."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.nested import BlockJoinWeight, RowsWeight


@dataclass(frozen=True, slots=True)
class RowsQuery(Query):
    """The rows of a nested object; path None: the documents themselves."""

    path: bytes | None

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the rows of the segments."""
        return RowsWeight(context.reader, self.path)


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
