from typing import Any

from lanner.ext.index.field_values import FieldValues
from lanner.ext.index.schema import Field

class Document:
    id: bytes
    source: bytes
    routing: bytes | None
    seq_no: int
    primary_term: int
    version: int
    values: FieldValues | list[tuple[Field, str | bytes | int]]
    def __init__(
        self,
        id: bytes,
        source: bytes,
        routing: bytes | None,
        seq_no: int,
        primary_term: int,
        version: int,
        values: FieldValues | list[tuple[Field, str | bytes | int]],
    ) -> None: ...

class Operation(Document):
    kind: int
    condition: Any
    auto_id: bool
    def __init__(
        self,
        kind: int,
        id: bytes,
        source: bytes = b"",
        routing: bytes | None = None,
        values: FieldValues | list[tuple[Field, str | bytes | int]] | None = None,
        condition: Any = None,
        *,
        auto_id: bool = False,
    ) -> None: ...
    def place(self, seq_no: int, primary_term: int, version: int) -> None: ...
