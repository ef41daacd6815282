"""Scores changed by functions of the document."""

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.match_all import MatchAllQuery
from lanner.ext.json.number import float32
from lanner.ext.query import function_score as functions
from lanner.ext.query.function_score import FunctionScoreWeight, ScoreFunction

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts
    from lanner.engine.query.explanation_functions import Words


@dataclass(frozen=True, slots=True)
class ScoringFunction:
    """A function and the documents that it is for, None for all.

    about: what its faults name. words: what explains its values, None where only a weight was given.
    """

    function: ScoreFunction
    filter: Query | None = None
    about: str = ""
    modifier: str = "none"
    words: "Words | None" = field(default=None, compare=False)


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

    def inner(self) -> tuple[Query, ...]:
        """Return the query; the filters of the functions are not searched for."""
        return (self.query,)

    def text(self, fields: "FieldTexts") -> str:
        """Return the query, with a sign for every function."""
        functions = "".join("{function}" for _ in self.functions)
        return f"function score ({self.query.text(fields)}, functions: [{functions}])"

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite the query and the filters."""
        functions = tuple(
            one if one.filter is None else replace(one, filter=one.filter.rewritten(context))
            for one in self.functions
        )
        return replace(self, query=self.query.rewritten(context), functions=functions)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the query and what the functions make of it."""
        from lanner.engine.query.explanation import match, no_match, shown

        scored = self.query.explain(document, boost)
        if not scored.matched:
            return scored
        explained = scored
        if self.functions:
            found = [
                self._explain_function(document, one)
                for one in self.functions
                if one.filter is None or document.matches(one.filter)
            ]
            if not found:
                factor = match(1.0, "No function matched")
            elif len(self.functions) == 1 and self.functions[0].filter is None:
                factor = found[0]
            else:
                alone = replace(self, boost_mode="replace", min_score=None, max_boost=inf)
                factor = match(
                    document.score(alone) or 0.0, f"function score, score mode [{self.score_mode}]", *found
                )
            explained = self._combined(scored, factor)
        if self.min_score is not None and self.min_score > explained.value:
            return no_match(
                f"Score value is too low, expected at least {shown(self.min_score)} but got "
                f"{shown(explained.value)}",
                explained,
            )
        return explained

    def _explain_function(self, document: "Document", one: ScoringFunction) -> "Explanation":
        from lanner.engine.query.explanation import match
        from lanner.engine.query.explanation_functions import no_function, weighted

        weight = one.function.weight
        alone = FunctionScoreQuery(MatchAllQuery(), (replace(one, filter=None),), boost_mode="replace")
        value = document.score(alone) or 0.0
        words = no_function if one.words is None else one.words
        explained = words(document, value / weight if weight else 0.0)
        if one.words is None or weight != 1.0:
            explained = weighted(explained, weight)
        if one.filter is None:
            return explained
        matched = match(1.0, f"match filter: {document.text(one.filter)}")
        return match(explained.value, "function score, product of:", matched, explained)

    def _combined(self, scored: "Explanation", factor: "Explanation") -> "Explanation":
        from lanner.engine.query.explanation import MAX_FLOAT, match, single

        most = min(self.max_boost, MAX_FLOAT)
        limited = match(min(factor.value, most), "min of:", factor, match(most, "maxBoost"))
        first, second = scored.value, limited.value
        match self.boost_mode:
            case "multiply":
                return match(single(first * second), "function score, product of:", scored, limited)
            case "replace":
                return limited
            case "sum":
                return match(single(first + second), "sum of", scored, limited)
            case "avg":
                return match(single((first + second) / 2.0), "avg of", scored, limited)
            case "min":
                return match(min(first, second), "min of", scored, limited)
        return match(max(first, second), "max of:", scored, limited)

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
