from typing import Any

class ColumnReader:
    width: int
    minimum: int
    n_values: int
    n_docs: int
    max_doc: int
    def __init__(
        self, max_doc: int, about: dict[str, Any], cells: Any, starts: Any, present: Any, zones: Any
    ) -> None: ...
    def values(self, doc: int) -> list[int]: ...

class PointsReader:
    minimum: int
    n_values: int
    def __init__(self, max_doc: int, about: dict[str, Any], cells: Any, docs: Any) -> None: ...
