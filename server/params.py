"""Typed access to the parameters of a URL, and the refusal of unknown ones."""

from collections.abc import Iterable, Mapping
from typing import overload
from urllib.parse import unquote_to_bytes

from lanner.engine.common.errors import BadParameter, IllegalArgument, NumberFormatError
from lanner.engine.common.units import parse_time

# What every endpoint takes.
COMMON = frozenset({"pretty", "human", "error_trace", "filter_path", "format"})
INT_RANGE = (-(2**31), 2**31 - 1)
LONG_RANGE = (-(2**63), 2**63 - 1)
# Suggestions are names at least this much alike: 1 - edit distance / the longer length.
LIKENESS = 0.5


def unescape(text: str, *, plus: bool) -> str:
    """Decode a part of a query string; bytes that are no UTF-8 become replacement characters."""
    if plus:
        text = text.replace("+", " ")
    if "%" not in text:
        return text
    at = text.find("%")
    while at >= 0:
        digits = text[at + 1 : at + 3]
        if len(digits) < 2:
            kind = (
                "unterminated escape sequence at end of string"
                if not digits
                else "partial escape sequence at"
            )
            reason = f"{kind} of: {text}" if not digits else f"{kind} end of string: {text}"
            raise BadParameter(
                f"java.lang.IllegalArgumentException: {reason}", caused_by=IllegalArgument(reason)
            )
        if not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            raise bad_escape(f"invalid escape sequence `%{digits}' at index {at} of: {text}")
        at = text.find("%", at + 3)
    return unquote_to_bytes(text).decode("utf-8", "replace")


def bad_escape(reason: str) -> BadParameter:
    """Return the error for an escape that cannot be decoded."""
    return BadParameter(f"java.lang.IllegalArgumentException: {reason}", caused_by=IllegalArgument(reason))


def parse_query_string(query: str) -> dict[str, str]:
    """Names and values of a query string; the last one of a name counts."""
    values: dict[str, str] = {}
    for part in query.replace(";", "&").split("&") if ";" in query else query.split("&"):
        if not part:
            continue
        name, equals, value = part.partition("=")
        if not name and equals:
            name, value = value, ""
        values[unescape(name, plus=True)] = unescape(value, plus=True)
    return values


def parse_boolean(text: str) -> bool:
    """Return what ``true``, ``false`` or nothing at all (which turns a switch on) stands for."""
    if text == "true" or not text:
        return True
    if text == "false":
        return False
    raise IllegalArgument(f"Failed to parse value [{text}] as only [true] or [false] are allowed.")


def split_names(text: str) -> list[str]:
    """Parts of a comma-separated list, without the empty ones."""
    return [name for part in text.split(",") if (name := part.strip())]


class Params(dict[str, str]):
    """Parameters of one request by name. The path's own are not among them."""

    __slots__ = ()

    def boolean(self, name: str, default: bool = False) -> bool:
        """A switch; present without a value means true."""
        text = self.get(name)
        return default if text is None else parse_boolean(text)

    def option(self, name: str, default: bool) -> bool:
        """A switch of the index options, whose faults read differently."""
        text = self.get(name)
        if text is None or not text:
            return default
        try:
            return parse_boolean(text)
        except IllegalArgument as fault:
            raise IllegalArgument(f"Could not convert [{name}] to boolean", caused_by=fault) from None

    def _whole(self, name: str, kind: str, bounds: tuple[int, int]) -> int:
        text = self[name]
        digits = text[1:] if text[:1] in ("-", "+") else text
        if digits.isascii() and digits.isdigit() and bounds[0] <= (value := int(text)) <= bounds[1]:
            return value
        raise IllegalArgument(
            f"Failed to parse {kind} parameter [{name}] with value [{text}]",
            caused_by=NumberFormatError(f'For input string: "{text}"'),
        )

    @overload
    def integer(self, name: str) -> int | None: ...
    @overload
    def integer(self, name: str, default: int) -> int: ...
    def integer(self, name: str, default: int | None = None) -> int | None:
        """A 32-bit number."""
        return self._whole(name, "int", INT_RANGE) if name in self else default

    @overload
    def long(self, name: str) -> int | None: ...
    @overload
    def long(self, name: str, default: int) -> int: ...
    def long(self, name: str, default: int | None = None) -> int | None:
        """A 64-bit number."""
        return self._whole(name, "long", LONG_RANGE) if name in self else default

    @overload
    def number(self, name: str) -> float | None: ...
    @overload
    def number(self, name: str, default: float) -> float: ...
    def number(self, name: str, default: float | None = None) -> float | None:
        """A floating-point number."""
        text = self.get(name)
        if text is None:
            return default
        try:
            return float(text)
        except ValueError:
            raise IllegalArgument(
                f"Failed to parse float parameter [{name}] with value [{text}]",
                caused_by=NumberFormatError(f'For input string: "{text}"'),
            ) from None

    @overload
    def millis(self, name: str) -> float | None: ...
    @overload
    def millis(self, name: str, default: float) -> float: ...
    def millis(self, name: str, default: float | None = None) -> float | None:
        """A duration in milliseconds."""
        text = self.get(name)
        return default if text is None else parse_time(text, name)

    def names(self, name: str) -> list[str] | None:
        """A comma-separated list."""
        text = self.get(name)
        return None if text is None else split_names(text)


EMPTY = Params()


def likeness(a: str, b: str) -> float:
    """1 for equal texts, 0 for texts with nothing in common."""
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
        before = row
    longest = max(len(a), len(b))
    return 1.0 - before[-1] / longest if longest else 1.0


def unrecognized(path: str, wrong: Iterable[str], candidates: Iterable[str], kind: str) -> IllegalArgument:
    """Return the error for names that nothing reads, with the names that may have been meant."""
    names = sorted(wrong)
    known = sorted(candidates)
    parts = []
    for name in names:
        near = [
            (-score, known_name) for known_name in known if (score := likeness(name, known_name)) > LIKENESS
        ]
        meant = [other for _, other in sorted(near)]
        hint = ""
        if len(meant) == 1:
            hint = f" -> did you mean [{meant[0]}]?"
        elif meant:
            hint = f" -> did you mean any of [{', '.join(meant)}]?"
        parts.append(f"[{name}]{hint}")
    return IllegalArgument(
        f"request [{path}] contains unrecognized {kind}{'s' if len(names) > 1 else ''}: {', '.join(parts)}"
    )


def check_names(path: str, params: Mapping[str, str], accepted: frozenset[str]) -> None:
    """Refuse parameters that the endpoint does not know."""
    if not (params.keys() <= accepted or params.keys() <= accepted | COMMON):
        raise unrecognized(path, params.keys() - accepted - COMMON, accepted | COMMON, "parameter")
