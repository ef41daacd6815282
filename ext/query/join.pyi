from typing import Final

from lanner.ext.query.doc_set import SetWeight
from lanner.ext.query.scorer import Weight

MODES: Final[dict[str, int]]

class JoinWeight(SetWeight):
    def __init__(
        self,
        sought: Weight,
        wanted: Weight,
        column: str,
        mode: str,
        *,
        least: int = 1,
        most: int = 0x7FFFFFFF,
        boost: float = 1.0,
    ) -> None: ...
