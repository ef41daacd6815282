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
