"""Every document, or none."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import MatchAllWeight, MatchNoneWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class MatchAllQuery(Query):
    """Every live document, all with the same score."""

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Return a weight that scores every document with the boost."""
        return MatchAllWeight(context.reader, boost)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "MatchAllDocsQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return ``*:*``."""
        return "*:*"


@dataclass(frozen=True, slots=True)
class MatchNoneQuery(Query):
    """No document. The reason is for people and does not count in comparisons."""

    reason: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchNoneQuery)

    def __hash__(self) -> int:
        return hash(MatchNoneQuery)

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Return a weight without matches."""
        return MatchNoneWeight(context.reader)

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return "MatchNoDocsQuery"

    def text(self, fields: "FieldTexts") -> str:
        """Return the reason, as Lucene shows it."""
        return f'MatchNoDocsQuery("{self.reason}")'

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the reason."""
        from lanner.engine.query.explanation import no_match

        return no_match(self.reason)


#: what the reference makes of a query that no document can match, before it looks at the terms
NO_MATCH = MatchNoneQuery('User requested "match_none" query.')
