"""Terms beside each other."""

from dataclasses import dataclass

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.pattern import text_automaton
from lanner.engine.query.term import TermQuery
from lanner.ext.automaton.machine import AutomatonMachine
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.query.constant import MatchNoneWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.similarity import Similarity

MOST_EXPANSIONS = 1024


@dataclass(frozen=True, slots=True)
class PhraseQuery(Query):
    """Terms at given positions, or moved by at most slop. One position may allow several terms."""

    field: str
    terms: tuple[tuple[bytes, ...], ...]
    positions: tuple[int, ...]
    slop: int = 0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the positions of every term."""
        similarity = context.similarity(self.field) if context.scoring else None
        if similarity is not None and not similarity.by_block:
            from lanner.ext.query.formulas import FormulaPhraseWeight, RawFrequency  # few indices have one

            counted = self._weight(context, 1.0, RawFrequency())
            terms = [term for place in self.terms for term in place]
            return FormulaPhraseWeight(counted, self.field, terms, similarity, boost=boost)
        return self._weight(context, boost, similarity)

    def _weight(self, context: WeightContext, boost: float, similarity: Similarity | None) -> Weight:
        return PhraseWeight(
            context.reader,
            self.field,
            [list(terms) for terms in self.terms],
            list(self.positions),
            slop=self.slop,
            boost=boost,
            similarity=similarity,
        )


@dataclass(frozen=True, slots=True)
class PhrasePrefixQuery(Query):
    """As a phrase, but the last place takes any term that begins with one of the given ones.

    expansions: how many such terms are tried, the first ones of each segment in turn.
    """

    field: str
    terms: tuple[tuple[bytes, ...], ...]
    positions: tuple[int, ...]
    slop: int
    expansions: int

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the terms that begin so."""
        most = min(self.expansions, MOST_EXPANSIONS + 1)
        last: dict[bytes, int] = {}
        for start in self.terms[-1]:
            machine = AutomatonMachine(
                text_automaton(start.decode("utf-8", "replace"), prefix=True, any_case=False)
            )
            last |= matching_terms(context.reader, self.field, machine, most)
        terms = tuple(last)[: self.expansions]
        if len(terms) > MOST_EXPANSIONS:
            raise IllegalArgument(
                f"a phrase of prefixes takes at most [{MOST_EXPANSIONS}] terms at one position"
            )
        if not terms:
            return MatchNoneWeight(context.reader)
        query: Query
        if len(self.terms) == 1:
            query = BooleanQuery(should=tuple(TermQuery(self.field, term) for term in terms))
        else:
            query = PhraseQuery(self.field, (*self.terms[:-1], terms), self.positions, self.slop)
        return query.weight(context, boost)
