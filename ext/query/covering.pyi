from collections.abc import Iterable

from lanner.ext.query.scorer import Weight

class CoveringWeight(Weight):
    def __init__(self, children: Iterable[Weight], field: str) -> None: ...
