"""The tokenizer `thai`, for everything but Thai: words as Java's BreakIterator of the locale th has them.

Thai itself is written without spaces; to find its words takes a dictionary, which this package does not have,
so texts in Thai are refused.
"""

import re

from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Tokenizer
from lanner.ext.analysis.python_parts import FunctionTokenizer, Token

_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]")
_KANJI = "\u3005-\u3007\u4e00-\u9fff\uf900-\ufa2d"
_HIRAGANA = "\u3041-\u3094\u309d\u309e"
_KATAKANA = "\u30a1-\u30fe"
_LETTERS = rf"[^\W\d_{_KANJI}{_HIRAGANA}{_KATAKANA}]+"
_WORD = rf"{_LETTERS}(?:[-\u00ad\u2010-\u2015\u2027\"'.]{_LETTERS})*"
_NUMBER = r"\d+(?:[\"',.\u066b]\d+)*"
# what stands before a number belongs to it, and a word begins with a letter or digit: such a number is lost
_TOKEN = re.compile(
    rf"(?P<lost>[$£¥€¢#.]{_NUMBER}(?:{_WORD}|{_NUMBER})*)"
    rf"|(?:{_WORD}|{_NUMBER})+(?:(?<=\d)[%&¢\u066a\u2030\u2031])?|[{_KANJI}]+|[{_HIRAGANA}]+|[{_KATAKANA}ー]+"
)


def _words(text: str) -> list[Token]:
    if _THAI.search(text):
        raise IllegalArgument("the [thai] tokenizer takes no Thai text: there is no dictionary of Thai words")
    return [
        Token(match[0], match.start(), match.end())
        for match in _TOKEN.finditer(text)
        if match["lost"] is None
    ]


def make_thai() -> Tokenizer:
    """Return the tokenizer."""
    return FunctionTokenizer(_words, refuses=True)
