from typing import Any

class JsonFault(ValueError):
    message: str
    line: int
    column: int
    ends_early: bool
    extra: str | None
    def __init__(
        self, message: str, line: int, column: int, *, ends_early: bool = False, extra: str | None = None
    ) -> None: ...

def line_and_column(data: bytes, position: int) -> tuple[int, int]: ...
def render(
    data: bytes, code: int, at: int, token: int, frame: tuple[int, bool], max_depth: int
) -> JsonFault: ...
def check_json(data: Any, *, max_depth: int = 1000) -> None: ...
