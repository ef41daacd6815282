from typing import Literal

def plain_actions(
    body: bytes,
) -> tuple[list[tuple[Literal["index", "create"], str | None, str | None, bytes]], int]: ...
