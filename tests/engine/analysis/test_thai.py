"""The tokenizer `thai` on other texts; expected words from OpenSearch 2.19.1."""

import pytest

from lanner.engine.analysis.thai import make_thai
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Chain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello, don't stop 3.14 a_b x@y.org", ["Hello", "don't", "stop", "3.14", "a", "b", "x", "y.org"]),
        ("foo-bar 日本語 カタカナ 😀 é", ["foo-bar", "日本語", "カタカナ", "é"]),
        ("a.b a:b 1.5kg U.S.A. 한국어 ひらがな", ["a.b", "a", "b", "1.5kg", "U.S.A", "한국어", "ひらがな"]),
        ("A&B $5 50% 2-3 2& 1,000", ["A", "B", "50%", "2", "3", "2&", "1,000"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [token[0].decode() for token in Chain([], make_thai(), []).tokens(text)] == words


def test_thai_itself_is_refused() -> None:
    with pytest.raises(IllegalArgument, match="there is no dictionary"):
        Chain([], make_thai(), []).tokens("ทดสอบ")
