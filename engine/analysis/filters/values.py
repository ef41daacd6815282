"""Filters that read a value out of terms, or hang one on tokens: payloads, term frequencies."""

import re
import struct
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from lanner.engine.analysis.parameters import MAX_INT, Parameters
from lanner.engine.common.errors import IllegalArgument, NumberFormatError
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, TokenList

FilterMaker: TypeAlias = Callable[[], TokenFilter]

_FLOAT = re.compile(r"[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)[fFdD]?)", re.ASCII)
_LARGEST_FLOAT = 3.4028235677973366e38  # from here on a number rounds to infinity


def parse_int(text: str) -> int:
    """Return an integer as Lucene reads one: any decimal digits, 32 bits; raises NumberFormatError."""
    if not text:
        raise NumberFormatError("chars length is 0")
    digits = text.removeprefix("-")
    if not digits or any(unicodedata.decimal(char, None) is None for char in digits):
        raise NumberFormatError("Unable to parse")
    number = int(digits) if len(digits) < 20 else MAX_INT + 2
    number = -number if text.startswith("-") else number
    if not -MAX_INT - 1 <= number <= MAX_INT:
        raise NumberFormatError("Unable to parse")
    return number


def _float_payload(text: str) -> bytes:
    stripped = text.strip()
    if not stripped:
        raise NumberFormatError("empty String")
    if _FLOAT.fullmatch(stripped) is None:
        raise NumberFormatError(f'For input string: "{stripped}"')
    plain = stripped if stripped[-1] in "ny" else stripped.rstrip("fFdD")
    number = float(plain)
    if abs(number) >= _LARGEST_FLOAT:
        number = float("inf") if number > 0 else float("-inf")
    return struct.pack(">f", number)


def _int_payload(text: str) -> bytes:
    return struct.pack(">i", parse_int(text))


def _text_payload(text: str) -> bytes:
    return text.encode("utf-8", "replace")


_ENCODERS: dict[str, Callable[[str], bytes]] = {"int": _int_payload, "identity": _text_payload}


def delimited_payload(parameters: Parameters) -> FilterMaker:
    """What follows a delimiter as payload."""
    delimiter = (parameters.string("delimiter") or "|")[0]
    encode = _ENCODERS.get(parameters.string("encoding") or "", _float_payload)

    def split(stream: TokenList) -> None:
        for token in stream.tokens:
            term, found, value = token.term.partition(delimiter)
            token.term = term
            token.payload = encode(value) if found else None

    return lambda: StreamFilter(split, has_payloads=True, refuses=True)


def _type_as_payload(stream: TokenList) -> None:
    for token in stream.tokens:
        token.payload = token.type.encode()


def type_as_payload(_: Parameters) -> FilterMaker:
    """The type of a token as payload."""
    return lambda: StreamFilter(_type_as_payload, has_payloads=True)


def delimited_term_freq(parameters: Parameters) -> FilterMaker:
    """What follows a delimiter as the number of times that the term counts."""
    delimiter = parameters.single_character("delimiter", "|")

    def split(stream: TokenList) -> None:
        for token in stream.tokens:
            term, found, value = token.term.partition(delimiter)
            if not found:
                continue
            frequency = parse_int(value)
            if frequency < 1:
                raise IllegalArgument(f"Term frequency must be 1 or greater; got {frequency}")
            token.term, token.frequency = term, frequency

    return lambda: StreamFilter(split, refuses=True)
