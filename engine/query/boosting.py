"""The matches of one query, those that another matches too with a smaller score."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.function_score import FunctionScoreQuery, ScoringFunction
from lanner.ext.query.function_score import constant

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class BoostingQuery(Query):
    """Two queries, and what the scores are multiplied by where both match."""

    positive: Query
    negative: Query
    negative_boost: float

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind both."""
        less = ScoringFunction(constant(self.negative_boost), self.negative)
        return FunctionScoreQuery(self.positive, (less,)).weight(context, boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "FunctionScoreQuery"

    def inner(self) -> tuple[Query, ...]:
        """Return both."""
        return (self.positive,)

    def text(self, fields: "FieldTexts") -> str:
        """Return both as Lucene writes them."""
        return f"FunctionScoreQuery({self.positive.text(fields)}, scored by boost({self._less(fields)}))"

    def _less(self, fields: "FieldTexts") -> str:
        from lanner.engine.query.explanation import shown

        return f"queryboost(score({self.negative.text(fields)}))^{shown(self.negative_boost)}"

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite both."""
        positive, negative = self.positive.rewritten(context), self.negative.rewritten(context)
        return BoostingQuery(positive, negative, self.negative_boost)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the one and what the other leaves of it."""
        from lanner.engine.query.explanation import Double, match, single

        scored = self.positive.explain(document)
        if not scored.matched:
            return scored
        product = scored
        if document.matches(self.negative):
            about = f"Matched boosting query score({document.text(self.negative)})"
            factor = match(single(self.negative_boost), about)
            product = match(Double(scored.value * factor.value), "product of:", scored, factor)
        words = f"weight({document.text(self)})"
        if boost == 1.0:
            return match(product.value, f"{words}, result of:", product)
        value = single(boost * product.value)
        return match(value, f"{words}, product of:", match(boost, "boost"), product)
