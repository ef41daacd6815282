"""wrapper: a query as base64."""

import base64
import binascii
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, LocatedError, anchored, locate, token_name
from lanner.engine.common.errors import IllegalArgument, JsonParseError, LannerError, XContentParseError
from lanner.engine.dsl.base import DslQuery, ParseContext
from lanner.engine.mapping.field_type import REDACTED


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
    """Return the bytes of base64; raises JsonParseError."""
    for char in text:
        if not (char.isascii() and (char.isalnum() or char in "+/=")):
            reason = f"Illegal character '{char}' (code 0x{ord(char):x}) in base64 content"
            raise _undecodable(reason, body, key)
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise _undecodable(str(error), body, key) from None


def _undecodable(reason: str, body: dict[str, Any], key: str) -> JsonParseError:
    error = JsonParseError(
        f"Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): {reason}\n at {REDACTED}"
    )
    return anchored(error, Anchor(body, key))
