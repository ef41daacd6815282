from collections.abc import Iterable

from lanner.ext.query.scorer import Scorer, Weight

class DisMaxScorer(Scorer): ...

class DisMaxWeight(Weight):
    def __init__(self, children: Iterable[Weight], tie_breaker: float = 0.0) -> None: ...
