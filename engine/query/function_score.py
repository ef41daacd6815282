"""Scores changed by functions of the document."""

from dataclasses import dataclass
from math import inf
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.json.number import float32
from lanner.ext.query import function_score as functions
from lanner.ext.query.function_score import FunctionScoreWeight, ScoreFunction


@dataclass(frozen=True, slots=True)
class ScoringFunction:
    """A function and the documents that it is for, None for all. about: what its faults name."""

    function: ScoreFunction
    filter: Query | None = None
    about: str = ""
    modifier: str = "none"


@dataclass(frozen=True, slots=True)
class FunctionScoreQuery(Query):
    """The matches of a query with scores that the functions change; what is below min_score is no match."""

    query: Query
    functions: tuple[ScoringFunction, ...]
    score_mode: str = "multiply"
    boost_mode: str = "multiply"
    max_boost: float = inf
    min_score: float | None = None

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the query and the filters; without scoring only a least score matters."""
        if not context.scoring and self.min_score is None:
            return self.query.weight(context, boost)
        scored = WeightContext(context.reader, context.similarity, True, context.checks)
        matching = context.matching()
        weight = FunctionScoreWeight(
            self.query.weight(scored, boost),
            [
                (None if one.filter is None else one.filter.weight(matching), one.function)
                for one in self.functions
            ],
            score_mode=self.score_mode,
            boost_mode=self.boost_mode,
            max_boost=self.max_boost,
            min_score=self.min_score,
        )
        context.checks.append(lambda: self.check(weight))
        return weight

    def check(self, weight: Any) -> None:
        """Raise what a function could not compute for a document."""
        if weight.fault == 0:
            return
        one = self.functions[weight.faulty_function] if self.functions else None
        value = java_text(weight.faulty_value)
        if weight.fault == functions.MISSING:
            raise IllegalArgument(f"Missing value for field [{one.about if one else ''}]")
        if weight.fault == functions.NEGATIVE:
            modifier = one.modifier if one else "none"
            hint = (
                f"; consider using {modifier}1p or {modifier}2p instead of {modifier} to avoid negative "
                "scores"
                if modifier in ("ln", "log")
                else ""
            )
            raise IllegalArgument(
                f"field value function must not produce negative scores, but got: [{value}] for field "
                f"value: [{java_text(weight.faulty_source)}]{hint}"
            )
        shown = str(float32(weight.faulty_value)) if weight.faulty_value == weight.faulty_value else "NaN"
        raise IllegalArgument(
            f"function score query returned an invalid score: {shown} for doc: {weight.faulty_doc}"
        )
