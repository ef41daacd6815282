"""Clauses that must, should or must not match."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.match_all import NO_MATCH, MatchAllQuery, MatchNoneQuery
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import ConstantWeight, MatchAllWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

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

    def inner(self) -> tuple[Query, ...]:
        """Return the clauses in the order in which they are written."""
        return (*self.must, *self.must_not, *self.should, *self._filters())

    def text(self, fields: "FieldTexts") -> str:
        """Return the clauses, each with the sign of how it occurs."""
        none = next((one for one in (*self.must, *self.filter) if one is NO_MATCH), None)
        if none is not None:  # the reference sees that before it makes Lucene's query
            return none.text(fields)
        signed = (("+", self.must), ("-", self.must_not), ("", self.should), ("#", self._filters()))
        written = " ".join(
            f"{sign}({one.text(fields)})" if isinstance(one, BooleanQuery) else sign + one.text(fields)
            for sign, clauses in signed
            for one in clauses
        )
        return f"({written})~{self.minimum_should_match}" if self.minimum_should_match else written

    def _filters(self) -> tuple[Query, ...]:
        """Return the filters; where there are only exclusions, they exclude from everything."""
        return self.filter if self.must or self.should or self.filter else (MatchAllQuery(),)

    def rewritten(self, context: WeightContext) -> Query:
        """Return the query without what does not matter."""
        from lanner.engine.query.explanation_rewrite import rewrite_boolean

        return rewrite_boolean(replace(self, filter=self._filters()), context)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the sum of the clauses, or which of them are missing."""
        from lanner.engine.query.explanation import Explanation, constant, match, no_match

        found: list[Explanation] = []
        failed = False
        matched = wanted = 0
        for clause in self.must:
            one = clause.explain(document, boost)
            matched += one.matched
            failed |= not one.matched
            found.append(one if one.matched else _missing(document, clause, one))
        for clause in self.must_not:
            one = constant(document, clause, 1.0, document.text(clause))
            if one.matched:
                failed = True
                found.append(no_match(f"match on prohibited clause ({document.text(clause)})", one))
        for clause in self.should:
            one = clause.explain(document, boost)
            if one.matched:
                wanted += 1
                found.append(one)
        for clause in self.filter:
            one = constant(document, clause, 1.0, document.text(clause))
            matched += one.matched
            failed |= not one.matched
            found.append(
                match(0.0, "match on required clause, product of:", match(0.0, "# clause"), one)
                if one.matched
                else _missing(document, clause, one)
            )
        if failed:
            return no_match("Failure to meet condition(s) of required/prohibited clause(s)", *found)
        if not matched + wanted:
            return no_match("No matching clauses", *found)
        if wanted < self.minimum_should_match:
            reason = f"Failure to match minimum number of optional clauses: {self.minimum_should_match}"
            return no_match(reason, *found)
        score = document.score(self, boost)
        assert score is not None
        return match(score, "sum of:", *found)

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


def _missing(document: "Document", clause: Query, explanation: "Explanation") -> "Explanation":
    from lanner.engine.query.explanation import no_match

    return no_match(f"no match on required clause ({document.text(clause)})", explanation)
