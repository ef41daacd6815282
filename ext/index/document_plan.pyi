from collections.abc import Callable
from typing import Any, Final

from lanner.ext.index.field_values import FieldValues
from lanner.ext.index.schema import Field

HANDLED: Final = 0
STRING: Final = 1
INTEGER: Final = 2
DOUBLE: Final = 3
FLOAT: Final = 4
BOOLEAN: Final = 5
DATE: Final = 6

class Leaf:
    def __init__(
        self,
        field: Field | None,
        kind: int,
        handler: Callable[[Any, list[tuple[Field, Any]]], None],
        *,
        low: int = 0,
        high: int = 0,
        iso: bool = False,
        skips_null: bool = False,
    ) -> None: ...

class Table:
    def __init__(
        self,
        entries: dict[str, list[Leaf] | Table | bool | None],
        *,
        lenient: bool,
        strict: bool,
        nested: bytes | None = None,
        in_parent: bool = False,
        in_document: bool = False,
    ) -> None: ...

class DocumentPlan:
    def __init__(self, root: Table, ignored: Field, most_nested: int = 0) -> None: ...
    def walk(self, source: bytes) -> FieldValues | None: ...
