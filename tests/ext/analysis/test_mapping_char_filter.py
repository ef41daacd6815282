"""The mapping char filter; offsets are those of Lucene's MappingCharFilter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.analysis.chain import Chain
from lanner.ext.analysis.char_tokenizers import CharTokenizer, KeywordTokenizer
from lanner.ext.analysis.mapping_char_filter import MappingCharFilter

CASES = [
    ([("ab", "XYZ"), ("a", "1"), ("abc", "q")], "abc & ab", [("q", 0, 3), ("&", 4, 5), ("XYZ", 6, 8)]),
    ([("a", "")], "abc & I ab", [("bc", 1, 3), ("&", 4, 5), ("I", 6, 7), ("b", 9, 10)]),
    ([("&", "and"), ("I", "one")], "abc & I", [("abc", 0, 3), ("and", 4, 5), ("one", 6, 7)]),
    ([("𝒜", "x"), ("x", "𝒜𝒜")], "a𝒜b xx c𝒜", [("axb", 0, 4), ("𝒜𝒜𝒜𝒜", 5, 7), ("cx", 8, 11)]),
    ([("b", "q"), ("𝒜a&", "")], "b𝒜a& b𝒜", [("q", 0, 5), ("q𝒜", 6, 9)]),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text", "expected"), CASES)
def test_offsets(rules: list[tuple[str, str]], text: str, expected: list[tuple[str, int, int]]) -> None:
    chain = Chain([MappingCharFilter(rules)], CharTokenizer("not_space"), [])
    assert [(term.decode(), start, end) for term, start, end, *_ in chain.tokens(text)] == expected


def test_one_after_the_other() -> None:
    filters = [MappingCharFilter([("R", "are"), ("&", "_and_")]), MappingCharFilter([("_", " ")])]
    chain = Chain(filters, CharTokenizer("not_space"), [])
    assert chain.filtered("R&x") == ["are_and_x", "are and x"]
    tokens, end, _ = chain.run("R&x")
    assert [(token[0], token[1], token[2]) for token in tokens] == [
        (b"are", 0, 1),
        (b"and", 1, 1),
        (b"x", 2, 3),
    ]
    assert end == 3


def slow_mapping(rules: dict[str, str], text: str) -> str:
    out, at = [], 0
    while at < len(text):
        found = max((source for source in rules if text.startswith(source, at)), key=len, default=None)
        out.append(rules[found] if found else text[at])
        at += len(found) if found else 1
    return "".join(out)


LETTERS = st.sampled_from("ab𝒜é東&")


@given(
    st.dictionaries(st.text(LETTERS, min_size=1, max_size=3), st.text(LETTERS, max_size=4), max_size=6),
    st.text(LETTERS, max_size=30),
)
def test_equals_plain_python(rules: dict[str, str], text: str) -> None:
    chain = Chain([MappingCharFilter(rules.items())], KeywordTokenizer(), [])
    expected = slow_mapping(rules, text)
    assert chain.filtered(text) == [expected]
    ((term, start, end, *_),), end_offset, _ = chain.run(text)
    units = len(text.encode("utf-16-le")) // 2
    assert term.decode() == expected
    assert 0 <= start <= end == end_offset <= units


def test_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        MappingCharFilter([("", "a")])
    with pytest.raises(ValueError, match="once"):
        MappingCharFilter([("a", "b"), ("a", "c")])
