"""Where sentences and words end, as Java's ``BreakIterator`` of the root locale tells it.

The rules were found by asking Java about random texts: pieces of words agree on all of them, sentences but
for oddities around full stops with no blank behind. Offsets are code points.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from functools import cache
from typing import Protocol

DONE = -1
PARAGRAPH = "\u2029"  # stands between two values of a field
_BMP = 0x10000
_NEAR = 256  # characters looked back at for a blank before a word


class Breaks(Protocol):
    """The boundaries of a text; 0 and its length are among them."""

    def preceding(self, offset: int) -> int:
        """Return the last boundary before an offset, DONE if there is none."""

    def following(self, offset: int) -> int:
        """Return the first boundary after an offset, DONE if there is none."""


class ListedBreaks:
    """Boundaries in ascending order."""

    __slots__ = ("at",)

    def __init__(self, at: list[int]) -> None:
        self.at = at

    def preceding(self, offset: int) -> int:
        """Return the last boundary before an offset, DONE if there is none."""
        i = bisect_left(self.at, offset)
        return self.at[i - 1] if i else DONE

    def following(self, offset: int) -> int:
        """Return the first boundary after an offset, DONE if there is none."""
        i = bisect_right(self.at, offset)
        return self.at[i] if i < len(self.at) else DONE


class WordBreaks:
    """Boundaries of words, found where they are asked for: a word begins anew behind every blank."""

    __slots__ = ("_all", "_pattern", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._pattern = _words(ascii_only=text.isascii())
        self._all: ListedBreaks | None = None

    def _near(self, offset: int) -> int:
        """Return a boundary before an offset, close to it; DONE if the whole text has to be looked at."""
        blank = self._text.rfind(" ", max(0, offset - _NEAR), max(0, offset - 1))
        while blank > 0 and self._text[blank - 1].isspace():
            blank -= 1
        return blank if blank > 0 else 0 if offset <= _NEAR else DONE

    def _whole(self) -> ListedBreaks:
        if self._all is None:
            self._all = ListedBreaks([0, *(match.end() for match in self._pattern.finditer(self._text))])
        return self._all

    def preceding(self, offset: int) -> int:
        """Return the last boundary before an offset, DONE if there is none."""
        at = self._near(offset)
        if at == DONE:
            return self._whole().preceding(offset)
        found = at if at < offset else DONE
        for match in self._pattern.finditer(self._text, at):
            if match.end() >= offset:
                break
            found = match.end()
        return found

    def following(self, offset: int) -> int:
        """Return the first boundary after an offset, DONE if there is none."""
        at = self._near(offset)
        if at == DONE:
            return self._whole().following(offset)
        for match in self._pattern.finditer(self._text, at):
            if match.end() > offset:
                return match.end()
        return DONE


def sentence_breaks(text: str) -> Breaks:
    """Return the boundaries of sentences."""
    ends = _sentences(ascii_only=text.isascii()).finditer(text)
    found = [0, *(match.end() for match in ends if match.lastindex)]
    if found[-1] != len(text):
        found.append(len(text))
    return ListedBreaks(found)


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
def _sentences(*, ascii_only: bool) -> re.Pattern[str]:
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
def _words(*, ascii_only: bool) -> re.Pattern[str]:
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
