"""Settings as the API handles them.

Flat maps of text, definitions with types and bounds, and their complaints.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from lanner.engine.common.errors import IllegalArgument, NumberFormatError, ParseError, UnknownSetting
from lanner.engine.common.units import parse_memory, parse_size, parse_time

Flat = dict[str, str | list[str]]
INT_MAX = 2**31 - 1


def text_of(value: Any) -> str:
    """A JSON scalar as settings keep it."""
    if value is True:
        return "true"
    if value is False:
        return "false"
    return str(value)


def flatten(body: Mapping[str, Any], prefix: str = "") -> dict[str, str | list[str] | None]:
    """Nested or dotted keys to dotted ones.

    Scalars to text, null stays None. `prefix` is put before every key.
    """
    flat: dict[str, str | list[str] | None] = {}
    stack: list[tuple[str, Any]] = [(prefix, body)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, Mapping):
            stack.extend(
                (f"{name}.{key}" if name and not name.endswith(".") else f"{name}{key}", below)
                for key, below in reversed(list(value.items()))
            )
        elif isinstance(value, list):
            if any(isinstance(each, Mapping | list) for each in value):
                stack.extend((f"{name}.{at}", below) for at, below in reversed(list(enumerate(value))))
            else:
                flat[name] = [text_of(each) for each in value]
        else:
            flat[name] = None if value is None else text_of(value)
    return flat


def nest(flat: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """Dotted keys to nested objects, in the order in which the API prints settings.

    A key that is also the beginning of others (``a`` beside ``a.b``) stays dotted below the common part.
    """
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        parts = key.split(".")
        below = nested
        for at, part in enumerate(parts[:-1]):
            step = below.setdefault(part, {})
            if not isinstance(step, dict):
                below[".".join(parts[at:])] = value
                break
            below = step
        else:
            below[parts[-1]] = value
    return nested


def without_numbers(value: Any) -> Any:
    """Objects whose keys are 0, 1, 2, ... as lists: how nested lists of objects survive flattening."""
    if isinstance(value, dict):
        inner = {key: without_numbers(below) for key, below in value.items()}
        if inner and all(key == str(at) for at, key in enumerate(inner)):
            return list(inner.values())
        return inner
    return value


# ---- definitions

Parser = Callable[[str, str], Any]  # text, name of the setting


@dataclass(frozen=True, slots=True)
class Setting:
    """One known setting. `default` is the text that ``include_defaults`` shows."""

    name: str
    default: str | list[str]
    parse: Parser
    dynamic: bool = True
    private: bool = False  # set by the service itself only

    def check(self, value: str | list[str]) -> None:
        """Raise IllegalArgument as the API does when the value is not one."""
        if isinstance(value, list):
            if not isinstance(self.default, list):
                self.parse(",".join(value), self.name)
            return
        if not isinstance(self.default, list):
            self.parse(value, self.name)


def boolean(text: str, name: str) -> bool:
    """True or false."""
    if text not in ("true", "false"):
        raise IllegalArgument(f"Failed to parse value [{text}] as only [true] or [false] are allowed.")
    return text == "true"


def integer(minimum: int, maximum: int = INT_MAX) -> Parser:
    """A whole number within bounds."""

    def parse(text: str, name: str) -> int:
        if not re.fullmatch(r"[+-]?\d+", text) or abs(int(text)) > 2**63:
            raise IllegalArgument(
                f"Failed to parse value [{text}] for setting [{name}]",
                caused_by=NumberFormatError(f'For input string: "{text}"'),
            )
        value = int(text)
        if value < minimum:
            raise IllegalArgument(f"Failed to parse value [{text}] for setting [{name}] must be >= {minimum}")
        if value > maximum:
            raise IllegalArgument(f"Failed to parse value [{text}] for setting [{name}] must be <= {maximum}")
        return value

    return parse


def number(minimum: float, maximum: float = float("inf")) -> Parser:
    """A number within bounds."""

    def parse(text: str, name: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise IllegalArgument(
                f"Failed to parse value [{text}] for setting [{name}]",
                caused_by=NumberFormatError(f'For input string: "{text}"'),
            ) from None
        if value < minimum:
            raise IllegalArgument(f"Failed to parse value [{text}] for setting [{name}] must be >= {minimum}")
        if value > maximum:
            raise IllegalArgument(f"Failed to parse value [{text}] for setting [{name}] must be <= {maximum}")
        return value

    return parse


def duration(minimum_millis: float = -1, minimum_text: str = "-1") -> Parser:
    """A time value."""

    def parse(text: str, name: str) -> float:
        value = parse_time(text, name)
        if value < minimum_millis:
            raise IllegalArgument(
                f"failed to parse value [{text}] for setting [{name}], must be >= [{minimum_text}]"
            )
        return value

    return parse


def size(text: str, name: str) -> int:
    """A size in bytes."""
    try:
        return parse_size(text, name)
    except ParseError as error:
        raise IllegalArgument(error.reason, caused_by=error) from None


def size_from(least: int, text_of_least: str) -> Parser:
    """A size in bytes, not below another."""

    def parse(text: str, name: str) -> int:
        value = size(text, name)
        if value < least:
            raise IllegalArgument(
                f"failed to parse value [{text}] for setting [{name}], must be >= [{text_of_least}]"
            )
        return value

    return parse


def memory(total: int) -> Parser:
    """A size or a percentage of `total`."""

    def parse(text: str, name: str) -> int:
        return parse_memory(text, name, total)

    return parse


def one_of(complaint: str, *values: str, fold: bool = False) -> Parser:
    """One of a few words. `complaint` is formatted with ``value``, ``upper`` and ``name``."""

    def parse(text: str, name: str) -> str:
        if (text.lower() if fold else text) not in values:
            raise IllegalArgument(complaint.format(value=text, upper=text.upper(), name=name))
        return text

    return parse


def word(text: str, name: str) -> str:
    """Any text."""
    return text


# ---- checking a whole request


class SettingsTable:
    """All settings of one scope, and the families (``index.analysis.``) whose members are free."""

    def __init__(self, settings: Iterable[Setting], families: Mapping[str, bool]) -> None:
        self.settings = {setting.name: setting for setting in settings}
        self._families = families  # prefix: whether members can be changed later

    def get(self, name: str) -> Setting | None:
        """The definition of a setting."""
        return self.settings.get(name)

    def knows(self, name: str) -> bool:
        """Whether a setting of this name may be given."""
        setting = self.settings.get(name)
        if setting is not None:
            return not setting.private
        return any(name.startswith(prefix) and name != prefix for prefix in self._families)

    def is_dynamic(self, name: str) -> bool:
        """Whether the setting can be changed while it is in use."""
        setting = self.settings.get(name)
        if setting is not None:
            return setting.dynamic
        return any(name.startswith(prefix) and dynamic for prefix, dynamic in self._families.items())

    def check(self, flat: Mapping[str, str | list[str] | None]) -> None:
        """Raise IllegalArgument for the first unknown setting or bad value (in the order of names)."""
        for error in self.complaints(flat):
            raise error

    def complaints(self, flat: Mapping[str, str | list[str] | None]) -> Iterator[IllegalArgument]:
        """Yield what is wrong with each setting, in the order of names."""
        for name in sorted(flat):
            if not self.knows(name):
                yield self.unknown(name)
                continue
            value, setting = flat[name], self.settings.get(name)
            if value is None or setting is None:
                continue
            try:
                setting.check(value)
            except ParseError as error:
                yield IllegalArgument(error.reason, caused_by=error)
            except IllegalArgument as error:
                yield error

    def unknown(self, name: str) -> UnknownSetting:
        """The error for a name that is not known, with what may have been meant."""
        near = self._near(name)
        if not near:
            hint = " please check that any required plugins are installed, or check the breaking changes"
            return UnknownSetting(name, f"unknown setting [{name}]{hint} documentation for removed settings")
        if len(near) == 1:
            return UnknownSetting(name, f"unknown setting [{name}] did you mean [{near[0]}]?")
        return UnknownSetting(name, f"unknown setting [{name}] did you mean any of [{', '.join(near)}]?")

    def _near(self, name: str) -> list[str]:
        """Settings whose names are close, the closest first."""
        scored = []
        for known, setting in self.settings.items():
            if setting.private:
                continue
            distance = _levenshtein_similarity(name, known)
            if distance > 0.7:
                scored.append((distance, known))
        scored.sort(reverse=True)
        return [known for _, known in scored]


def _levenshtein_similarity(one: str, other: str) -> float:
    """1 minus the edit distance over the longer length."""
    if SequenceMatcher(None, one, other).quick_ratio() < 0.6:
        return 0.0
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, opposite in enumerate(other, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (char != opposite)),
            )
    return 1 - row[-1] / max(len(one), len(other))
