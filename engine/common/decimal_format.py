"""Numbers printed by a decimal pattern such as ``#,##0.00``, as java.text.DecimalFormat prints them.

Source: its documentation. Rounding is half-even on the exact value.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from lanner.engine.common.errors import IllegalArgument

_SCALES = {"%": 2, "\u2030": 3}  # what a sign multiplies by, as a power of ten
_MOST_DIGITS = 340


@dataclass(frozen=True, slots=True)
class _Pattern:
    prefix: str
    suffix: str
    least_whole: int
    most_whole: int  # only with an exponent
    least_fraction: int
    most_fraction: int
    group: int  # digits between separators; 0 for none
    exponent: int  # least digits of one; 0 for none
    scale: int


def decimal_format(pattern: str) -> Callable[[float], str]:
    """Return what prints numbers by a pattern; raises IllegalArgument."""
    positive, semicolon, negative = _split(pattern)
    parsed = _parse(positive, pattern)
    minus = (f"-{parsed.prefix}", parsed.suffix)
    if semicolon:
        other = _parse(negative, pattern)
        minus = (other.prefix, other.suffix)

    def show(number: float) -> str:
        exact = Decimal(number)
        below = exact.is_signed()
        digits = _digits(abs(exact), parsed)
        prefix, suffix = minus if below else (parsed.prefix, parsed.suffix)
        return f"{prefix}{digits}{suffix}"

    return show


def _split(pattern: str) -> tuple[str, str, str]:
    """Return the pattern for positive numbers, whether there is another, and that."""
    quoted = False
    for i, sign in enumerate(pattern):
        if sign == "'":
            quoted = not quoted
        elif sign == ";" and not quoted:
            return pattern[:i], ";", pattern[i + 1 :]
    return pattern, "", ""


def _parse(text: str, whole: str) -> _Pattern:
    prefix, at, scale = _literal(text, 0)
    start = at
    while at < len(text) and text[at] in "#0,.":
        at += 1
    number = text[start:at]
    exponent = 0
    if at < len(text) and text[at] == "E" and number:
        at += 1
        while at < len(text) and text[at] == "0":
            exponent += 1
            at += 1
        if not exponent:
            raise IllegalArgument(f'Malformed exponential pattern "{whole}"')
    suffix, end, other = _literal(text, at)
    if end < len(text):
        raise IllegalArgument(f"Unquoted special character '{text[end]}' in pattern \"{whole}\"")
    if number.count(".") > 1:
        raise IllegalArgument(f'Multiple decimal separators in pattern "{whole}"')
    integer, dot, fraction = number.partition(".")
    digits = integer.replace(",", "")
    if digits.lstrip("#").rstrip("0") or fraction.rstrip("#").strip("0") or "," in fraction:
        raise IllegalArgument(f'Malformed pattern "{whole}"')
    group = len(integer) - integer.rindex(",") - 1 if "," in integer else 0
    if "," in integer and not group:
        raise IllegalArgument(f'Malformed pattern "{whole}"')
    least = digits.count("0")
    least_fraction = fraction.count("0")
    if dot and not least and not least_fraction and number != ".":
        if digits:
            least = 1
        else:
            least_fraction = 1
    most = len(digits)
    return _Pattern(
        prefix, suffix, least, most, least_fraction, len(fraction), group, exponent, scale or other
    )


def _literal(text: str, at: int) -> tuple[str, int, int]:
    """Return the plain text from a place on, where it ends, and the power of ten of a sign in it."""
    found, quoted, scale = "", False, 0
    while at < len(text):
        sign = text[at]
        if sign == "'":
            if text[at + 1 : at + 2] == "'":
                found += "'"
                at += 1
            else:
                quoted = not quoted
        elif not quoted and sign in "#0,.":
            break
        else:
            if not quoted:
                scale = _SCALES.get(sign, scale)
            found += sign
        at += 1
    return found, at, scale


def _digits(number: Decimal, parsed: _Pattern) -> str:
    """Return the digits of a number without its sign."""
    if not number.is_finite():
        return "\u221e" if number.is_infinite() else "NaN"
    with localcontext() as context:
        context.prec = 2 * _MOST_DIGITS
        number = number.scaleb(parsed.scale)
        if parsed.exponent:
            return _scientific(number, parsed)
        return _plain(number, parsed)


def _plain(number: Decimal, parsed: _Pattern) -> str:
    most = min(parsed.most_fraction, _MOST_DIGITS)
    rounded = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_EVEN)
    whole, _, fraction = f"{rounded:f}".partition(".")
    fraction = fraction.rstrip("0").ljust(parsed.least_fraction, "0")
    whole = whole.lstrip("0").rjust(parsed.least_whole, "0")
    if not whole and not fraction:
        whole = "0"
    if parsed.group:
        first = len(whole) % parsed.group
        parts = [whole[:first]] if first else []
        parts += [whole[i : i + parsed.group] for i in range(first, len(whole), parsed.group)]
        whole = ",".join(parts)
    return f"{whole}.{fraction}" if fraction else whole


def _scientific(number: Decimal, parsed: _Pattern) -> str:
    exponent = number.adjusted() if number else 0
    if parsed.most_whole > parsed.least_whole and parsed.most_whole > 1:
        whole = exponent % parsed.most_whole + 1
        exponent = exponent // parsed.most_whole * parsed.most_whole
        # the digits that count are as many as the least whole ones and the most behind the point
        behind = max(0, parsed.least_whole + parsed.most_fraction - whole)
        parsed = replace(parsed, most_fraction=behind)
    else:
        exponent -= max(parsed.least_whole, 1) - 1
    shown = _plain(number.scaleb(-exponent), parsed)
    sign = "-" if exponent < 0 else ""
    return f"{shown}E{sign}{str(abs(exponent)).rjust(parsed.exponent, '0')}"
