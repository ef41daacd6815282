"""What every query is: a value that says what is wanted, and becomes a weight when bound to a searcher."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from lanner.ext.search.reader import IndexReader

Weight: TypeAlias = Any  # any class of lanner.ext.query


@dataclass(frozen=True, slots=True)
class WeightContext:
    """What a query needs to become a weight over one shard.

    similarity: the scoring formula of a field. scoring: whether anybody looks at the scores. checks: what to
    call once the search is over; a check raises what went wrong for a document.
    """

    reader: "IndexReader"
    similarity: Callable[[str], Any]
    scoring: bool = True
    checks: list[Callable[[], None]] = field(default_factory=list)

    def matching(self) -> "WeightContext":
        """Return the same context for a clause whose scores nobody looks at."""
        return replace(self, scoring=False) if self.scoring else self


class Query(ABC):
    """A value; two queries that want the same are equal. Boosts multiply on the way down to the weights."""

    __slots__ = ()

    @abstractmethod
    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Return the query bound to a reader, its scores multiplied by boost."""


@dataclass(frozen=True, slots=True)
class BoostQuery(Query):
    """Another query with its scores multiplied."""

    query: Query
    boost: float

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Fold the boost into the query's own weight."""
        return self.query.weight(context, boost * self.boost)


def boosted(query: Query, boost: float) -> Query:
    """Return a query with its scores multiplied; a boost of one changes nothing."""
    return query if boost == 1.0 else BoostQuery(query, boost)
