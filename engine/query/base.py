"""What every query is: a value that says what is wanted, and becomes a weight when bound to a searcher."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts
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

    # -- what is told of a query; none of it is used to find documents

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return type(self).__name__

    def text(self, fields: "FieldTexts") -> str:
        """Return the query as Lucene writes it."""
        return self.kind

    def rewritten(self, context: WeightContext) -> "Query":
        """Return the query in the form that Lucene gives it before it searches."""
        return self

    def inner(self) -> "tuple[Query, ...]":
        """Return the queries that it is made of."""
        return ()

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return how the score of a document came about; by default all matches score the boost."""
        from lanner.engine.query.explanation import constant

        return constant(document, self, boost)


@dataclass(frozen=True, slots=True)
class BoostQuery(Query):
    """Another query with its scores multiplied."""

    query: Query
    boost: float

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Fold the boost into the query's own weight."""
        return self.query.weight(context, boost * self.boost)

    def text(self, fields: "FieldTexts") -> str:
        """Return ``(query)^boost``."""
        from lanner.engine.query.explanation import shown

        return f"({self.query.text(fields)})^{shown(self.boost)}"

    def rewritten(self, context: WeightContext) -> Query:
        """Multiply with boosts inside; what scores nothing is only asked whether it matches."""
        from lanner.engine.query.explanation_rewrite import rewrite_boost

        return rewrite_boost(self, context)

    def inner(self) -> tuple[Query, ...]:
        """Return the query."""
        return (self.query,)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Explain the query with the product of the boosts."""
        from lanner.engine.query.explanation import single

        return self.query.explain(document, single(boost * self.boost))


def boosted(query: Query, boost: float) -> Query:
    """Return a query with its scores multiplied; a boost of one changes nothing."""
    return query if boost == 1.0 else BoostQuery(query, boost)
