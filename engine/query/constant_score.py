"""Another query whose matches all score alike."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts


@dataclass(frozen=True, slots=True)
class ConstantScoreQuery(Query):
    """The matches of a query, each with the boost as score."""

    query: Query

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the query without scoring."""
        return ConstantWeight(self.query.weight(context.matching()), boost)

    def inner(self) -> tuple[Query, ...]:
        """Return the query."""
        return (self.query,)

    def text(self, fields: "FieldTexts") -> str:
        """Return ``ConstantScore(query)``."""
        return f"ConstantScore({self.query.text(fields)})"

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite the query to one of which only the matches matter."""
        from lanner.engine.query.explanation_rewrite import rewrite_constant

        return rewrite_constant(self, context)
