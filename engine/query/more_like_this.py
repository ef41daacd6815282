"""Documents that share the telling words of a text."""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.minimum import clauses_needed
from lanner.engine.query.term import TermQuery
from lanner.ext.search.reader import IndexReader

if TYPE_CHECKING:
    from lanner.engine.query.explanation import FieldTexts


@dataclass(frozen=True, slots=True)
class LikeTerms:
    """Words with their frequencies; of the fields the one that has a word most often is asked."""

    fields: tuple[str, ...]
    freqs: tuple[tuple[bytes, int], ...]


@dataclass(frozen=True, slots=True)
class MoreLikeThisQuery(Query):
    """Groups of words; each group is a disjunction of the best words of its parts.

    boost_terms: 0 for words that all count alike. Words are chosen by tf * idf, as by Lucene's MoreLikeThis.
    """

    groups: tuple[tuple[LikeTerms, ...], ...]
    max_query_terms: int
    min_term_freq: int
    min_doc_freq: int
    max_doc_freq: int
    minimum_should_match: str
    boost_terms: float
    texts: tuple[str, ...] = ()

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the words."""
        return self.chosen(context).weight(context, boost)

    def chosen(self, context: WeightContext) -> Query:
        """Choose the words by the statistics of the reader."""
        queries = [self.group(parts, context.reader) for parts in self.groups]
        found = [query for query in queries if query is not None]
        if not found:
            return MatchNoneQuery("empty BooleanQuery")
        return found[0] if len(found) == 1 else BooleanQuery(should=tuple(found))

    def text(self, fields: "FieldTexts") -> str:
        """Return ``like:[text]``."""
        return f"like:[{', '.join(self.texts)}]"

    def rewritten(self, context: WeightContext) -> Query:
        """Return the query for the chosen words."""
        return self.chosen(context).rewritten(context)

    def group(self, parts: tuple[LikeTerms, ...], reader: IndexReader) -> Query | None:
        """Return the disjunction of the words that are chosen; None if none is."""
        clauses: list[Query] = []
        for part in parts:
            chosen = sorted(self.choose(part, reader))
            least = chosen[0][0] if chosen else 1.0
            for score, field, term in chosen:
                own = self.boost_terms * score / least if self.boost_terms else 1.0
                clauses.append(boosted(TermQuery(field, term), own))
        if not clauses:
            return None
        needed = clauses_needed(len(clauses), self.minimum_should_match)
        return BooleanQuery(should=tuple(clauses), minimum_should_match=max(needed, 0))

    def choose(self, part: LikeTerms, reader: IndexReader) -> list[tuple[float, str, bytes]]:
        """Return (score, field, term) of the words that tell most."""
        scored = []
        for term, freq in part.freqs:
            if freq < self.min_term_freq:
                continue
            doc_freq, field = 0, part.fields[0]
            for name in part.fields:
                held = reader.doc_freq(name, term)
                if held > doc_freq:
                    doc_freq, field = held, name
            if not max(self.min_doc_freq, 1) <= doc_freq <= self.max_doc_freq:
                continue
            idf = log((reader.num_docs + 1) / (doc_freq + 1)) + 1.0
            scored.append((freq * idf, field, term))
        # of words that tell alike the first ones, in the order of Java's maps, as in the original
        return sorted(scored, key=lambda one: -one[0])[: self.max_query_terms]
