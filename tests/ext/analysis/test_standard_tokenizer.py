"""Word breaks. Expected tokens are those of Lucene's StandardTokenizer, or lines of Unicode's own test."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import Chain
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer
from tests.ext.analysis.shared_data import lines

WORDS = Chain([], StandardTokenizer(), [])
SLOW_WORDS = Chain([], StandardTokenizer(split_blocks=False), [])

CASES = [
    ("", []),
    (" ", []),
    ("a", [("a", 0, 1, "<ALPHANUM>")]),
    ("The 2 QUICK", [("The", 0, 3, "<ALPHANUM>"), ("2", 4, 5, "<NUM>"), ("QUICK", 6, 11, "<ALPHANUM>")]),
    ("jumped_over _a_ _ _1_", [("jumped_over", 0, 11, "<ALPHANUM>"), ("_a_", 12, 15, "<ALPHANUM>"),
                               ("_1_", 18, 21, "<NUM>")]),
    ("dog's 'quoted' can't''t", [("dog's", 0, 5, "<ALPHANUM>"), ("quoted", 7, 13, "<ALPHANUM>"),
                                 ("can't", 15, 20, "<ALPHANUM>"), ("t", 22, 23, "<ALPHANUM>")]),
    ("3.14 1,000.5 1.a a.1 1:2 a:b a;b 1;2", [
        ("3.14", 0, 4, "<NUM>"), ("1,000.5", 5, 12, "<NUM>"), ("1", 13, 14, "<NUM>"),
        ("a", 15, 16, "<ALPHANUM>"),
        ("a", 17, 18, "<ALPHANUM>"), ("1", 19, 20, "<NUM>"), ("1", 21, 22, "<NUM>"), ("2", 23, 24, "<NUM>"),
        ("a:b", 25, 28, "<ALPHANUM>"), ("a", 29, 30, "<ALPHANUM>"), ("b", 31, 32, "<ALPHANUM>"),
        ("1;2", 33, 36, "<NUM>")]),
    ("U.S.A. x86 4five", [("U.S.A", 0, 5, "<ALPHANUM>"), ("x86", 7, 10, "<ALPHANUM>"),
                          ("4five", 11, 16, "<ALPHANUM>")]),
    ("日本ひカタ한국ไทย", [
        ("日", 0, 1, "<IDEOGRAPHIC>"), ("本", 1, 2, "<IDEOGRAPHIC>"), ("ひ", 2, 3, "<HIRAGANA>"),
        ("カタ", 3, 5, "<KATAKANA>"), ("한국", 5, 7, "<HANGUL>"), ("ไทย", 7, 10, "<SOUTHEAST_ASIAN>")]),
    ("𠀀 𝒜b", [("𠀀", 0, 2, "<IDEOGRAPHIC>"), ("𝒜b", 3, 6, "<ALPHANUM>")]),
    ("#️⃣ 1️⃣ #", [("#️⃣", 0, 3, "<EMOJI>"), ("1️⃣", 4, 7, "<EMOJI>")]),
    ("👩‍👩‍👧a🇩🇪🇫", [("👩‍👩‍👧", 0, 8, "<EMOJI>"), ("a", 8, 9, "<ALPHANUM>"), ("🇩🇪", 9, 13, "<EMOJI>")]),
    ('\u05d0\' \u05d0"\u05d0 a"a', [("\u05d0'", 0, 2, "<ALPHANUM>"), ('\u05d0"\u05d0', 3, 6, "<ALPHANUM>"),
                                    ("a", 7, 8, "<ALPHANUM>"), ("a", 9, 10, "<ALPHANUM>")]),
    ("e\u0301te\u0301 a\u00adb", [("e\u0301te\u0301", 0, 5, "<ALPHANUM>"), ("a\u00adb", 6, 9, "<ALPHANUM>")]),
    ("\u02e5 a\u055ab", [("a", 2, 3, "<ALPHANUM>"), ("b", 4, 5, "<ALPHANUM>")]),
]  # fmt: skip


def tokens(chain: Chain, text: str) -> list[tuple[str, int, int, str]]:
    return [(term.decode(), start, end, kind) for term, start, end, _, kind, *_ in chain.tokens(text)]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_words(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    assert tokens(WORDS, text) == expected
    assert tokens(SLOW_WORDS, text) == expected


@pytest.mark.parametrize("lead", [*range(70), 126, 127, 128, 129])
def test_words_at_the_edge_of_a_block(lead: int) -> None:
    text = " " * lead + "some.words don't end,here é_x"
    expected = ["some.words", "don't", "end", "here", "é_x"]
    assert [token[0] for token in tokens(WORDS, text)] == expected
    assert WORDS.run(text) == SLOW_WORDS.run(text)


def test_long_words_are_cut() -> None:
    three = Chain([], StandardTokenizer(3), [])
    assert [token[0] for token in tokens(three, "running_home of")] == ["run", "nin", "g_h", "ome", "of"]
    assert [len(token[0]) for token in tokens(WORDS, "x" * 256 + " " + "y" * 255)] == [255, 1, 255]
    # a character of two units that does not fit begins the next token
    assert [token[:3] for token in tokens(three, "ab𝒜b")] == [("ab", 0, 2), ("𝒜b", 2, 5)]
    with pytest.raises(ValueError, match="max_token_length"):
        StandardTokenizer(0)


def test_positions_and_end() -> None:
    found, end, trailing = WORDS.run("é, b 𝒜 ")
    assert [token[3] for token in found] == [0, 1, 2]
    assert (end, trailing) == (8, 0)


def test_halves_of_pairs_become_replacement_characters() -> None:
    assert tokens(WORDS, "a\ud857b") == [("a", 0, 1, "<ALPHANUM>"), ("b", 2, 3, "<ALPHANUM>")]
    # two halves that fit are a character
    assert tokens(WORDS, "\ud835\udc9c") == [("𝒜", 0, 2, "<ALPHANUM>")]


SIGNIFICANT = st.sampled_from(
    "aZ09_'.:,;\"#* -\u05d0\u0301\u200d\u3042\u30a2\u4e00\uac00\u0e01\ufe0f\u20e3👍🏽🇩𝒜é"
)


@given(st.text(st.characters(codec="utf-8") | SIGNIFICANT, max_size=300), st.sampled_from([1, 2, 7, 255]))
def test_short_way_equals_the_automaton(text: str, length: int) -> None:
    quick = Chain([], StandardTokenizer(length), []).run(text)
    assert quick == Chain([], StandardTokenizer(length, split_blocks=False), []).run(text)
    units = len(text.encode("utf-16-le")) // 2
    assert quick[1] == units
    before = 0
    for term, start, end, *_ in quick[0]:
        assert before <= start < end <= units
        assert end - start <= max(length, 2)
        assert text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le").encode() == term
        before = end


@given(st.text(st.characters(max_codepoint=127) | SIGNIFICANT.filter(str.isascii), max_size=400))
def test_short_way_equals_the_automaton_on_ascii(text: str) -> None:
    assert WORDS.run(text) == SLOW_WORDS.run(text)


@given(st.text(max_size=200))
def test_lower_case_equals_one_character_at_a_time(text: str) -> None:
    lowered = Chain([], StandardTokenizer(), [LowercaseFilter()]).tokens(text)
    for plain, low in zip(WORDS.tokens(text), lowered, strict=True):
        expected = "".join(
            "i" if c == "İ" else c.lower() if len(c.lower()) == 1 else c for c in plain[0].decode()
        )
        assert low == (expected.encode(), *plain[1:])


def is_word(segment: str) -> bool:
    """Does a segment between two breaks hold more than marks, spaces and punctuation?"""
    kinds = {unicodedata.category(char) for char in segment}
    return bool(kinds & {"Lu", "Ll", "Lo", "Lm", "Nd"})


def test_the_word_break_test_of_unicode() -> None:
    """Lucene's emoji rule is its own: for lines with emoji its recorded tokens decide, in the next test."""
    n_words = n_emoji = 0
    for line in lines("unicode-15.0.0", "WordBreakTest.txt.gz"):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        segments = [
            "".join(chr(int(point, 16)) for point in part.replace("×", " ").split())
            for part in content.split("÷")
        ]
        found = tokens(WORDS, "".join(segments))
        if "(ExtPict)" in line or "[3.3]" in line:
            n_emoji += 1
            continue
        n_words += 1
        words = [segment for segment in segments if is_word(segment)]
        assert [term for term, _, _, kind in found if kind != "<EMOJI>"] == words, line
    assert (n_words, n_emoji) == (1698, 125)


def test_lucene_on_the_lines_of_the_word_break_test() -> None:
    lowered = Chain([], StandardTokenizer(), [LowercaseFilter()])
    n_texts = 0
    for line in lines("lucene991_tokens.jsonl.gz"):
        record = json.loads(line)
        if record["analyzer"] == "standard" and record["id"].startswith("wb"):
            found = [[term.decode(), *rest] for term, *rest, _, _, _, _ in lowered.tokens(record["text"])]
            assert found == record["tokens"], record["id"]
            n_texts += 1
    assert n_texts == 1823
