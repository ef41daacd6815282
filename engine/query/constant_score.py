"""Another query whose matches all score alike."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight


@dataclass(frozen=True, slots=True)
class ConstantScoreQuery(Query):
    """The matches of a query, each with the boost as score."""

    query: Query

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the query without scoring."""
        return ConstantWeight(self.query.weight(context.matching()), boost)
