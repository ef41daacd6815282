"""The settings of one part of analysis, read as OpenSearch reads settings: all is text or a list of text."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, NumberFormatError, SettingsError

MAX_INT = 2**31 - 1


def flatten(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str | list[str] | None]]:
    """Yield dotted keys and values as text: ``{"a": {"b": 1}}`` and ``{"a.b": "1"}`` are the same."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from flatten(value, f"{prefix}{key}.")
        elif isinstance(value, list | tuple):
            yield prefix + key, [java_text(item) for item in value]
        else:
            yield prefix + key, None if value is None else java_text(value)


class Limits(NamedTuple):
    """What other settings of an index allow its parts."""

    ngram_diff: int = 1  # index.max_ngram_diff
    shingle_diff: int = 3  # index.max_shingle_diff


NO_SETTINGS = Limits()


class Parameters:
    """Typed reading; unknown keys are nobody's concern, as in OpenSearch."""

    __slots__ = ("_values", "limits", "name")

    def __init__(self, settings: Mapping[str, Any], limits: Limits = NO_SETTINGS, name: str = "") -> None:
        """name: that of the part, for its complaints."""
        self._values = dict(flatten(settings))
        self.limits = limits
        self.name = name

    def __str__(self) -> str:
        """Print as OpenSearch prints settings in its complaints."""
        import json  # only errors print

        return json.dumps(dict(sorted(self._values.items())), separators=(",", ":"), ensure_ascii=False)

    def string(self, key: str) -> str | None:
        """Return the text of a key, a list as ``[a, b]``."""
        value = self._values.get(key)
        return f"[{', '.join(value)}]" if isinstance(value, list) else value

    def strings(self, key: str) -> list[str] | None:
        """Return a list; text is split at its commas."""
        value = self._values.get(key)
        if value is None or isinstance(value, list):
            return value
        return [part for part in map(str.strip, value.split(",")) if part]

    def has(self, key: str) -> bool:
        """Return whether a key is there with a value."""
        return self._values.get(key) is not None

    def single_character(self, key: str, default: str) -> str:
        """Return a character; raises IllegalArgument."""
        value = self.string(key)
        if value is None:
            return default
        if len(value) != 1 or value == "\x00":
            raise IllegalArgument(
                f"Setting [{key}] must be a single, non-null character. [{value}] was provided."
            )
        return value

    def boolean(self, key: str, default: bool) -> bool:
        """Return a boolean; raises IllegalArgument."""
        value = self.string(key)
        if value is None:
            return default
        if value not in ("true", "false"):
            raise IllegalArgument(f"Failed to parse value [{value}] as only [true] or [false] are allowed.")
        return value == "true"

    def integer(self, key: str, default: int) -> int:
        """Return an integer of 32 bits; raises SettingsError."""
        value = self.string(key)
        if value is None:
            return default
        try:
            number = (
                int(value) if value.isascii() and not value.startswith(" ") and "_" not in value else None
            )
        except ValueError:
            number = None
        if number is None or not -MAX_INT - 1 <= number <= MAX_INT:
            raise SettingsError(
                f"Failed to parse int setting [{key}] with value [{value}]",
                caused_by=NumberFormatError(f'For input string: "{value}"'),
            )
        return number
