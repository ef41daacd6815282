"""Where sentences and words end, by regular expressions over the whole text: the rules of ext/highlight."""

import re
import unicodedata
from functools import cache

PARAGRAPH = "\u2029"
_BMP = 0x10000


def sentences(text: str) -> list[int]:
    """Return the boundaries of sentences."""
    ends = sentence_pattern(ascii_only=text.isascii()).finditer(text)
    found = [0, *(match.end() for match in ends if match.lastindex)]
    if found[-1] != len(text):
        found.append(len(text))
    return found


def words(text: str) -> list[int]:
    """Return the boundaries of words."""
    return [0, *(match.end() for match in word_pattern(ascii_only=text.isascii()).finditer(text))]


@cache
def _class(*categories: str, ascii_only: bool) -> str:
    """Return the characters of some Unicode categories, as they stand inside the brackets of a pattern."""
    ranges: list[list[int]] = []
    for code in range(128 if ascii_only else _BMP):
        if unicodedata.category(chr(code)) in categories:
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in ranges)


@cache
def sentence_pattern(*, ascii_only: bool) -> re.Pattern[str]:
    """Return the pattern of what may end a sentence; a group is set where it does."""

    def chars(*categories: str) -> str:
        return _class(*categories, ascii_only=ascii_only)

    space = f"\t\n\f\r\u2028{chars('Zs')}"
    opening = f"\"'{chars('Ps', 'Pi')}"
    closing = f"\"'{chars('Pe', 'Pf')}"
    certain = "!?" if ascii_only else "!?\u3002\uff01\uff1f"
    stop = "." if ascii_only else ".\uff0e"
    digit = chars("Nd", "Nl", "No")
    run = f"[{certain}{stop}{closing}]*+"
    starts = f"(?!\\d)[^\\W{chars('Ll')}]"
    opened = f"(?:(?![,{closing}{certain}{stop}{space}])\\W|[{opening}])++[^{space}{closing}{certain}{stop}]"
    ends = certain + stop if ascii_only else f"{PARAGRAPH}\u0964\u0965{certain}{stop}"
    return re.compile(  # a set in front is what the search can skip by
        f"[{ends}](?:(?<={PARAGRAPH})()"
        f"|(?<=[\u0964\u0965])([{space}]*+{PARAGRAPH}?)"
        f"|(?<=[{certain}])({run}[{space}]*+{PARAGRAPH}?)"
        f"|(?<=[{stop}]){run}(?:([{space}]*+(?:{PARAGRAPH}|\\Z))|([{space}][{space}]++(?![{stop}{digit}]))"
        f"|([{space}]?(?={opened})|[{space}](?={starts})))?)"
    )


@cache
def word_pattern(*, ascii_only: bool) -> re.Pattern[str]:
    """Return the pattern of the pieces of a text: words, numbers, blanks, single characters."""

    def chars(*categories: str) -> str:
        return _class(*categories, ascii_only=ascii_only)

    marks = "" if ascii_only else f"[{chars('Mn', 'Me', 'Cf')}]*+"

    def one(pattern: str) -> str:
        return f"(?:{pattern}{marks})" if marks else pattern

    hiragana = "[\u3041-\u3094\u309d\u309e\u30fc]"
    katakana = "[\u30a1-\u30fa\u30fc-\u30fe]"
    kanji = "[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    letter = (
        one("[A-Za-z]")
        if ascii_only
        else one(f"(?:(?!{hiragana}|{katakana}|{kanji})(?:[^\\W\\d_]|[{chars('Mc')}]))")
    )
    digit = one("[0-9]" if ascii_only else f"[{chars('Nd', 'Nl', 'No')}]")
    in_word = one(f"[\"'.\u00ad\u2027{chars('Pd', 'Pc')}]")
    in_number = one("[\"',.\u066b]")
    before_number = one(f"(?!\u00a2)[#.{chars('Sc')}]")
    after_number = one("[\u00a2%&\u2030\u2031\u066a]")
    blank = f"\t{chars('Zs')}"
    word = f"{letter}++(?:{in_word}{letter}++)*+"
    number = f"{digit}++(?:{in_number}{digit}++)*+"
    return re.compile(
        f"(?:{before_number})?{number}(?:{word}{number})*+(?:{word}|{after_number})?"
        f"|{word}(?:{number}{word})*+(?:{number}(?:{after_number})?)?"
        + ("" if ascii_only else f"|{one(hiragana)}++|{one(katakana)}++|{one(kanji)}++")
        + f"|[{blank}]*+(?:\r?[\n\f\u2028\u2029]|\r)|[{blank}]++|.{marks}",
        re.DOTALL,
    )
