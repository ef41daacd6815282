"""Documents that match any clause, scored by the best one."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import MatchNoneWeight
from lanner.ext.query.dis_max import DisMaxWeight


@dataclass(frozen=True, slots=True)
class DisMaxQuery(Query):
    """The best clause's score, plus tie_breaker times the scores of the others."""

    queries: tuple[Query, ...]
    tie_breaker: float = 0.0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind every clause."""
        if not self.queries:
            return MatchNoneWeight(context.reader)
        if len(self.queries) == 1:
            return self.queries[0].weight(context, boost)
        return DisMaxWeight([query.weight(context, boost) for query in self.queries], self.tie_breaker)
