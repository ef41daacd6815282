from collections.abc import Callable, Sequence
from typing import Any

from lanner.ext.codec.column_reader import ColumnReader
from lanner.ext.search.distance import Distance

KINDS: dict[str, int]
MODES: dict[str, int]
NUMBERS: dict[str, int]

class SortKey:
    kind: str
    field: str
    reverse: bool
    missing_first: bool
    missing_value: int | bytes | None
    mode: str
    numbers: str
    columns: list[ColumnReader | None] | None
    distance: Distance | None
    def __init__(
        self,
        kind: str,
        field: str = "",
        *,
        reverse: bool = False,
        missing_first: bool = False,
        missing_value: int | bytes | None = None,
        mode: str | None = None,
        numbers: str = "long",
        distance: Distance | None = None,
    ) -> None: ...

def order_of(keys: Sequence[SortKey]) -> Callable[[Any, Any], int]: ...
