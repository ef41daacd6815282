"""Terms beside each other."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.pattern import text_automaton
from lanner.engine.query.term import TermQuery
from lanner.ext.automaton.machine import AutomatonMachine
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.query.constant import MatchNoneWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.similarity import RawFrequency, Similarity
from lanner.ext.query.term import TermWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

MOST_EXPANSIONS = 1024
_PREFIX_CLASS = "org.opensearch.common.lucene.search.MultiPhrasePrefixQuery"


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
            from lanner.ext.query.formulas import FormulaPhraseWeight  # few indices have one

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

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "PhraseQuery" if all(len(terms) == 1 for terms in self.terms) else "MultiPhraseQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:"a (b c)"~slop``."""
        return _written(self.field, self.terms, self.positions, self.slop)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of the phrase."""
        from lanner.engine.query.explanation import match, no_match, shown, weight_words
        from lanner.engine.query.explanation_similarity import explain_score

        reader, segment, doc = document.context.reader, document.segment, document.doc
        weight = PhraseWeight(
            reader, self.field, [list(terms) for terms in self.terms], list(self.positions), slop=self.slop
        )
        freq = weight.freq(segment, doc)
        if not freq:
            held = all(
                any(TermWeight(reader, self.field, term).freq(segment, doc) for term in terms)
                for terms in self.terms
            )
            return no_match("no matching phrase" if held else "no matching terms")
        explained = match(freq, f"phraseFreq={shown(freq)}")
        every = [(self.field, term) for terms in self.terms for term in terms]
        return weight_words(
            document, document.text(self), explain_score(document, self.field, every, boost, explained)
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
        query = self.expanded(context)
        return MatchNoneWeight(context.reader) if query is None else query.weight(context, boost)

    @property
    def kind(self) -> str:
        """The name of the reference's class."""
        return "MultiPhrasePrefixQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``field:"a b*"~slop``."""
        return _written(self.field, self.terms, self.positions, self.slop, "*")

    def rewritten(self, context: WeightContext) -> Query:
        """Return the phrase with the terms that begin so."""
        query = self.expanded(context)
        if query is None:
            return MatchNoneQuery(f"No terms supplied for {_PREFIX_CLASS}")
        return query.rewritten(context)

    def expanded(self, context: WeightContext) -> Query | None:
        """Return the query for the terms that begin so; None if there is none."""
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
            return None
        if len(self.terms) == 1:
            return BooleanQuery(should=tuple(TermQuery(self.field, term) for term in terms))
        return PhraseQuery(self.field, (*self.terms[:-1], terms), self.positions, self.slop)


def _written(
    field: str, terms: tuple[tuple[bytes, ...], ...], positions: tuple[int, ...], slop: int, end: str = ""
) -> str:
    """Return a phrase as Lucene writes it, a sign where no term is. end: after the last terms."""
    from lanner.engine.query.explanation import term_text

    parts: list[str] = []
    for i, (alternatives, position) in enumerate(zip(terms, positions, strict=True)):
        parts += ["?"] * (position - positions[i - 1] - 1 if i else position)
        words = [term_text(term) + (end if i == len(terms) - 1 else "") for term in alternatives]
        parts.append(words[0] if len(words) == 1 else f"({' '.join(words)})")
    return f'{field}:"{" ".join(parts)}"' + (f"~{slop}" if slop else "")
