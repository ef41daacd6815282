"""Clauses that must, should or must not match."""

from dataclasses import dataclass, replace

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight

_NONE = MatchNoneQuery()


@dataclass(frozen=True, slots=True)
class BooleanQuery(Query):
    """Clauses by how they occur.

    Minimum_should_match counts should clauses and is at least 1 if nothing else is asked.
    """

    must: tuple[Query, ...] = ()
    should: tuple[Query, ...] = ()
    filter: tuple[Query, ...] = ()
    must_not: tuple[Query, ...] = ()
    minimum_should_match: int = 0

    def needed(self) -> int:
        """Return how many should clauses must match."""
        if self.minimum_should_match:
            return self.minimum_should_match
        return 1 if self.should and not self.must and not self.filter else 0

    def rewrite(self) -> Query:
        """Return a simpler query with the same matches and scores."""
        if not (self.must or self.should or self.filter or self.must_not):
            return MatchAllQuery()
        needed = self.needed()
        if needed > len(self.should) or _NONE in self.must or _NONE in self.filter:
            return _NONE
        should = tuple(query for query in self.should if query != _NONE)
        must_not = tuple(query for query in self.must_not if query != _NONE)
        if any(isinstance(query, MatchAllQuery) for query in must_not) or needed > len(should):
            return _NONE
        if len(self.must) == 1 and not (should or self.filter or must_not):
            return self.must[0]
        if len(should) == 1 and not (self.must or self.filter or must_not):
            return should[0]
        if len(should) == len(self.should) and len(must_not) == len(self.must_not):
            return self
        return replace(self, should=should, must_not=must_not)

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind every clause; filters and exclusions without scoring."""
        simple = self.rewrite()
        if simple is not self and not isinstance(simple, BooleanQuery):
            return simple.weight(context, boost)
        assert isinstance(simple, BooleanQuery)
        return simple._bind(context, boost)

    def _bind(self, context: WeightContext, boost: float) -> Weight:
        matching = context.matching()
        must = [query.weight(context, boost) for query in self.must]
        should = [query.weight(context, boost) for query in self.should]
        filters = [query.weight(matching) for query in self.filter]
        must_not = [query.weight(matching) for query in self.must_not]
        needed = self.needed()
        if not must and not should:
            # nothing scores: every match scores zero
            if not filters:
                filters = [MatchAllWeight(context.reader, 0.0)]
            if len(filters) == 1 and not must_not:
                return ConstantWeight(filters[0], 0.0)
            return ConstantWeight(BooleanWeight(filter=filters, must_not=must_not), 0.0)
        return BooleanWeight(
            must=must, should=should, filter=filters, must_not=must_not, minimum_should_match=needed
        )
