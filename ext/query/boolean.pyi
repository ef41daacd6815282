from collections.abc import Sequence
from typing import Any

from lanner.ext.query.scorer import Scorer, Weight

class Clauses:
    def __init__(self, pairs: list[tuple[Scorer, bool]]) -> None: ...

def cost_of(pair: tuple[Scorer, bool]) -> Any: ...

class BooleanScorer(Scorer): ...

class BooleanWeight(Weight):
    def __init__(
        self,
        *,
        must: Sequence[Weight] = (),
        should: Sequence[Weight] = (),
        filter: Sequence[Weight] = (),
        must_not: Sequence[Weight] = (),
        minimum_should_match: int = 0,
    ) -> None: ...
