from __future__ import annotations

from collections.abc import Iterator

from lanner.ext.index.schema import Field

class FieldValues:
    path: bytes | None
    block: list[FieldValues] | None
    def append(self, pair: tuple[Field, str | bytes | int]) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[Field, str | bytes | int]]: ...

class RowValues(list[tuple[Field, str | bytes | int]]):
    path: bytes | None
    parent: RowValues | None
    block: list[RowValues]
    def __init__(self, path: bytes | None = None, parent: RowValues | None = None) -> None: ...
    @property
    def document(self) -> RowValues: ...
