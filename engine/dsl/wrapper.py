"""wrapper: a query as base64."""

import base64
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, LocatedError, anchored, locate, token_name
from lanner.engine.common.errors import IllegalArgument, JsonParseError, LannerError, XContentParseError
from lanner.engine.dsl.base import DslQuery, ParseContext
from lanner.engine.mapping.field_type import REDACTED

_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_NO_PADDING = (
    "Unexpected end of base64-encoded String: base64 variant 'MIME-NO-LINEFEEDS' expects padding (one or "
    "more '=' characters) at the end. This Base64Variant might have been incorrectly configured"
)


def parse_wrapper(body: dict[str, Any], context: ParseContext) -> DslQuery:
    """Return the query inside the body of a wrapper query."""
    if not body:
        raise LocatedError("[wrapper] query malformed", Anchor(body, None, "close"))
    key = next(iter(body))
    if key != "query":
        raise LocatedError(f"[wrapper] query malformed, expected `query` but was {key}", Anchor(body, key))
    given = body[key]
    if not isinstance(given, str):
        error = JsonParseError(
            f"Current token ({token_name(given)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access "
            f"as binary\n at {REDACTED}"
        )
        raise anchored(error, Anchor(body, key))
    text = decode(given, body, key)
    if not text:
        raise IllegalArgument("query source text cannot be null or empty")
    try:
        inner = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise XContentParseError("Failed to derive xcontent") from None
    # an inner query has its own lines and columns, and counts as one inside this
    try:
        return context.clause({"query": inner}, "query")
    except LannerError as error:
        raise locate(error, inner, text) from None


def decode(text: str, body: dict[str, Any], key: str) -> bytes:
    """Return the bytes of base64; raises JsonParseError in the words of Jackson's reader."""
    place = 0  # in a unit of four characters
    padded = False
    for i, char in enumerate(f'{text}"'):
        if padded and char != "=":
            raise _undecodable(_illegal(char, place), body, key, i)
        if char == '"' and place == 0 and i == len(text):
            break
        if char == '"' and place >= 2 and i == len(text):
            raise _fault(_NO_PADDING, body, key, i)
        if char <= " " and place == 0:
            continue
        if char == "=" and place >= 2:
            padded = place == 2
        elif char not in _ALPHABET:
            raise _undecodable(_illegal(char, place), body, key, i)
        place = (place + 1) % 4
    return base64.b64decode(text)  # which passes over what is between


def _illegal(char: str, place: int) -> str:
    code = f"(code 0x{ord(char):x})"
    if char <= " ":
        return (
            f"Illegal white space character {code} as character #{place + 1} of 4-char base64 unit: can only "
            "used between units"
        )
    if char == "=":
        return (
            f"Unexpected padding character ('=') as character #{place + 1} of 4-char base64 unit: padding "
            "only legal as 3rd or 4th character"
        )
    return f"Illegal character '{char}' {code} in base64 content"


def _undecodable(reason: str, body: dict[str, Any], key: str, i: int) -> JsonParseError:
    reason = f"Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): {reason}"
    return _fault(reason, body, key, i + 1)


def _fault(reason: str, body: dict[str, Any], key: str, i: int) -> JsonParseError:
    """Make the error for what is read up to a character of the text."""
    return anchored(JsonParseError(f"{reason}\n at {REDACTED}"), Anchor(body, key, further=i + 1))
