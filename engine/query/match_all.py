"""Every document, or none."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.constant import MatchAllWeight, MatchNoneWeight


@dataclass(frozen=True, slots=True)
class MatchAllQuery(Query):
    """Every live document, all with the same score."""

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Return a weight that scores every document with the boost."""
        return MatchAllWeight(context.reader, boost)


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
