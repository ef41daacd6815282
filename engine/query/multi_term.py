"""Documents with any of the terms of a set, scored in one of the ways that Lucene rewrites such queries."""

from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

from lanner.engine.common.errors import IllegalArgument, TooManyClauses
from lanner.engine.query.base import Query, Weight, WeightContext, boosted
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.pattern import text_automaton
from lanner.engine.query.term import StatedTermQuery, TermQuery, term_weight
from lanner.engine.query.term_set import AutomatonTerms, TermSet
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchNoneWeight
from lanner.ext.query.multi_term import MachineWeight, TermsWeight
from lanner.ext.query.term import TermWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts

MAX_CLAUSES = 1024
_TOP = ("top_terms_boost_", "top_terms_blended_freqs_", "top_terms_")
_SAME_SCORE = ("constant_score", "constant_score_auto", "constant_score_filter")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """How the terms of a set become a query.

    scoring: "constant" (every document alike), "boost" (the sum of what its terms count), "terms" (as a
    disjunction of terms) or "blended" (the same with one document frequency for all). most: only so many
    terms, those that count most, then the least ones; None for all, which are refused beyond the limit of
    clauses if limited.
    """

    scoring: str = "constant"
    most: int | None = None
    limited: bool = False


CONSTANT = Rewrite()


def read_rewrite(name: str | None, default: Rewrite = CONSTANT) -> Rewrite:
    """Return the way that a rewrite method stands for; raises IllegalArgument."""
    if name is None:
        return default
    if name in _SAME_SCORE:
        return CONSTANT
    if name == "constant_score_boolean":
        return Rewrite(limited=True)
    if name == "scoring_boolean":
        return Rewrite("terms", limited=True)
    for start, scoring in zip(_TOP, ("boost", "blended", "terms"), strict=True):
        digits = name.removeprefix(start)
        if digits != name and digits.isascii() and digits.isdigit():
            if not 0 < int(digits) < 2**31:
                raise IllegalArgument(f"size must be positive but was [{digits}] in rewrite_method [{name}]")
            return Rewrite(scoring, min(int(digits), MAX_CLAUSES))
    raise IllegalArgument(f"Failed to parse rewrite_method [{name}]")


@dataclass(frozen=True, slots=True)
class MultiTermQuery(Query):
    """Documents with any term of a set."""

    field: str
    terms: TermSet
    rewrite: Rewrite = CONSTANT

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the postings of the terms; raises TooManyClauses."""
        if self.rewrite == CONSTANT:
            return ConstantWeight(MachineWeight(context.reader, self.field, self.terms.machine()), boost)
        chosen = self.choose(context)
        if not chosen:
            return MatchNoneWeight(context.reader)
        scoring = self.rewrite.scoring
        if scoring == "constant" or not context.scoring:
            terms = [term for term, _ in chosen]
            return ConstantWeight(TermsWeight(context.reader, self.field, terms), boost)
        if scoring == "boost":
            weights = [
                ConstantWeight(TermWeight(context.reader, self.field, term), boost * own)
                for term, own in chosen
            ]
        else:
            weights = self.term_weights(context, chosen, boost)
        return weights[0] if len(weights) == 1 else BooleanWeight(should=weights)

    @property
    def kind(self) -> str:
        """The name of Lucene's class, of which it makes one that searches."""
        return "MultiTermQueryConstantScoreBlendedWrapper"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:pattern``."""
        return f"{self.field}:{self.terms.written()}"

    def rewritten(self, context: WeightContext) -> Query:
        """Return the query for the terms that are there, unless all score alike."""
        from lanner.engine.query.boolean import BooleanQuery
        from lanner.engine.query.constant_score import ConstantScoreQuery

        if self.rewrite == CONSTANT:
            return self
        chosen = self.choose(context)
        if not chosen:
            return MatchNoneQuery("empty BooleanQuery")
        scoring = self.rewrite.scoring
        if scoring == "constant":
            terms = BooleanQuery(should=tuple(TermQuery(self.field, term) for term, _ in chosen))
            return ConstantScoreQuery(terms).rewritten(context)
        clauses: list[Query] = []
        statistics = self.statistics(context, chosen)
        for term, own in chosen:
            query: Query = TermQuery(self.field, term)
            if statistics is not None:
                query = StatedTermQuery(self.field, term, statistics)
            clauses.append(boosted(ConstantScoreQuery(query) if scoring == "boost" else query, own))
        return BooleanQuery(should=tuple(clauses)).rewritten(context)

    def choose(self, context: WeightContext) -> list[tuple[bytes, float]]:
        """Return the terms that stand for the set, with what each counts, in order of the terms."""
        rewrite = self.rewrite
        found = matching_terms(context.reader, self.field, self.terms.machine())
        if rewrite.limited and len(found) > MAX_CLAUSES:
            raise TooManyClauses(f"maxClauseCount is set to {MAX_CLAUSES}")
        counted = [(-self.terms.boost(term, value), term) for term, value in found.items()]
        if rewrite.most is not None:
            counted = nsmallest(rewrite.most, counted)
        return sorted((term, -own) for own, term in counted)

    def term_weights(
        self, context: WeightContext, chosen: list[tuple[bytes, float]], boost: float
    ) -> list[Weight]:
        """Return a weight for each term."""
        reader = context.reader
        statistics = self.statistics(context, chosen)

        def total_freq() -> int:
            """Add up how often any of the terms comes."""
            return sum(reader.total_term_freq(self.field, term) for term, _ in chosen)

        return [
            term_weight(context, self.field, term, boost * own, statistics, total_freq)
            for term, own in chosen
        ]

    def statistics(self, context: WeightContext, chosen: list[tuple[bytes, float]]) -> tuple[int, int] | None:
        """Return what the terms are scored by together; None for each by its own."""
        if self.rewrite.scoring != "blended":
            return None
        reader = context.reader
        doc_count, _, _ = reader.field_statistics(self.field)
        return max(reader.doc_freq(self.field, term) for term, _ in chosen), doc_count


def any_case_query(field: str, text: str) -> MultiTermQuery:
    """Return the documents with a term that is the text in any case."""
    return MultiTermQuery(field, AutomatonTerms("text", text, text_automaton(text)))
