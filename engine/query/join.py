"""Queries across documents that belong together: parents by their children, children by their parents."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import ConstantWeight
from lanner.ext.query.join import JoinWeight
from lanner.ext.search.reader import IndexReader

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class JoinQuery(Query):
    """The documents of one side for which enough of the other side are found.

    column: of the id that both sides share. sought, wanted: what finds the documents of either side.
    score_mode: what the score is made of, "none" for 1. least, most: how many must be found. bound: whether
    the reference has searched the one side, which is when it names the query by another name.
    """

    column: str
    sought: Query
    wanted: Query
    score_mode: str = "none"
    least: int = 1
    most: int = MOST
    bound: bool = False

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind both sides; the one that is sought scores by the statistics of its own shard always."""
        mode = self.score_mode if context.scoring else "none"
        own = replace(context, reader=IndexReader(context.reader.segments), scoring=mode != "none")
        weight = JoinWeight(
            self.sought.weight(own),
            self.wanted.weight(context.matching()),
            self.column,
            mode,
            least=self.least,
            most=self.most,
            boost=boost,
        )
        return weight if mode != "none" or not context.scoring else ConstantWeight(weight, boost)

    @property
    def is_plain(self) -> bool:
        """Whether only matches count, neither how many nor what they score."""
        return self.score_mode == "none" and self.least <= 1 and self.most == MOST

    @property
    def kind(self) -> str:
        """The name of the reference's class, or of Lucene's."""
        if not self.bound:
            return "LateParsingQuery"
        return "GlobalOrdinalsQuery" if self.is_plain else "GlobalOrdinalsWithScoreQuery"

    def inner(self) -> tuple[Query, ...]:
        """Return both sides."""
        return (self.sought, self.wanted)

    def text(self, fields: "FieldTexts") -> str:
        """Return the column, and what Lucene tells of a query that was bound."""
        if not self.bound:
            return f"LateParsingQuery {{joinField={self.column}}}"
        if self.is_plain:
            return f"GlobalOrdinalsQuery{{joinField={self.column}}}"
        return (
            f"GlobalOrdinalsQuery{{joinField={self.column},min={self.least},max={self.most},"
            f"fromQuery={self.sought.text(fields)}}}"
        )

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite what is sought."""
        return replace(self, sought=self.sought.rewritten(context), bound=True)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return by which id the document was found."""
        from lanner.engine.query.explanation import match, no_match, shown, term_text

        found = document.context.reader.segments[document.segment].terms(self.column, document.doc)
        score = document.score(self, boost)
        value = f", join value {term_text(found[0])}" if found else ""
        if score is None:
            return no_match(f"Not a match{value}")
        times = "" if self.is_plain or boost == 1.0 else f"^{shown(boost)}"
        return match(score, f"A match{value}{times}")
