"""Terms beside each other."""

from dataclasses import dataclass

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.query.phrase import PhraseWeight


@dataclass(frozen=True, slots=True)
class PhraseQuery(Query):
    """Terms at given positions, or moved by at most slop. One position may allow several terms."""

    field: str
    terms: tuple[tuple[bytes, ...], ...]
    positions: tuple[int, ...]
    slop: int = 0

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind to the positions of every term."""
        return PhraseWeight(
            context.reader,
            self.field,
            [list(terms) for terms in self.terms],
            list(self.positions),
            slop=self.slop,
            boost=boost,
            similarity=context.similarity(self.field) if context.scoring else None,
        )
