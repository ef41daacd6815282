"""The sections of a segment's file as bytes."""

from typing import Any

import msgspec

from lanner.ext.codec.sections import read_sections


class RawSegment:
    """What a write buffer or a merge wrote, for those who look at the bytes."""

    def __init__(self, files: dict[str, list[Any]]) -> None:
        self.sections = read_sections("idx", b"".join(map(bytes, files["idx"])), verify=True)
        self.meta: dict[str, Any] = msgspec.msgpack.decode(self.sections["meta"])

    def about(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(column for column in self.meta["columns"] if column["name"] == name)
        return found

    def column(self, name: str) -> dict[str, bytes]:
        """Return the sections of a column by their short names."""
        prefix = f"{self.about(name)['number']}."
        return {
            key.removeprefix(prefix): bytes(view)
            for key, view in self.sections.items()
            if key.startswith(prefix)
        }
