"""Documents that match any clause, scored by the best one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.ext.query.constant import MatchNoneWeight
from lanner.ext.query.dis_max import DisMaxWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


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

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "DisjunctionMaxQuery"

    def inner(self) -> tuple[Query, ...]:
        """Return the clauses."""
        return self.queries

    def text(self, fields: "FieldTexts") -> str:
        """Return ``(a | b)~tie_breaker``."""
        from lanner.engine.query.explanation import shown

        written = " | ".join(
            f"({one.text(fields)})" if isinstance(one, BooleanQuery) else one.text(fields)
            for one in self.queries
        )
        return f"({written})~{shown(self.tie_breaker)}" if self.tie_breaker else f"({written})"

    def rewritten(self, context: WeightContext) -> Query:
        """Return a simpler query with the same scores."""
        from lanner.engine.query.explanation_rewrite import rewrite_dis_max

        return rewrite_dis_max(self, context)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the best clause and what the others add."""
        from lanner.engine.query.explanation import match, no_match, shown, single

        found = [one.explain(document, boost) for one in self.queries]
        matches = [one for one in found if one.matched]
        if not matches:
            return no_match("No matching clause", *found)
        values = [one.value for one in matches]
        best = max(values)
        score = single(best + (sum(values) - best) * single(self.tie_breaker))
        words = f"max plus {shown(self.tie_breaker)} times others of:" if self.tie_breaker else "max of:"
        return match(score, words, *matches)
