"""Documents that as many of several queries match as a number of the document itself says."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.covering import CoveringWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts


@dataclass(frozen=True, slots=True)
class CoveringQuery(Query):
    """The sum of the clauses that match, if they are enough. field: a field of whole numbers."""

    clauses: tuple[Query, ...]
    field: str

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind every clause."""
        return CoveringWeight([clause.weight(context, boost) for clause in self.clauses], self.field)

    def inner(self) -> tuple[Query, ...]:
        """Return the clauses."""
        return self.clauses

    def text(self, fields: "FieldTexts") -> str:
        """Return the clauses and the field."""
        written = ", ".join(clause.text(fields) for clause in self.clauses)
        return f"CoveringQuery(queries=[{written}], minimumNumberMatch=long({self.field}))"

    def rewritten(self, context: WeightContext) -> Query:
        """Rewrite the clauses."""
        return CoveringQuery(tuple(clause.rewritten(context) for clause in self.clauses), self.field)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the sum of the clauses that match."""
        from lanner.engine.query.explanation import match, no_match

        numbers = document.numbers(self.field)
        if not numbers:
            return no_match("minimumNumberMatch has no value on the current document")
        needed = max(1, numbers[0])
        found = [clause.explain(document, boost) for clause in self.clauses]
        matches = sum(one.matched for one in found)
        if matches < needed:
            return no_match(f"{matches} matches for {needed} required matches", *found)
        score = document.score(self, boost)
        assert score is not None
        return match(score, f"{matches} matches for {needed} required matches, sum of:", *found)
