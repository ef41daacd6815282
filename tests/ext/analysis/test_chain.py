"""The chain itself: tokenizers of single characters, many threads, parts of the wrong kind."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.analysis.case_filters import LowercaseFilter
from lanner.ext.analysis.chain import Chain, CharFilter, TokenFilter, Tokenizer
from lanner.ext.analysis.char_tokenizers import CharTokenizer, FilteredTokenizer, KeywordTokenizer
from lanner.ext.analysis.standard_tokenizer import StandardTokenizer
from lanner.ext.analysis.token_stream import token_types

WHITESPACE = Chain([], CharTokenizer("not_space"), [])
LETTERS = Chain([], CharTokenizer("letter"), [])
KEYWORD = Chain([], KeywordTokenizer(), [])


def test_whitespace_keeps_everything_else() -> None:
    text = "one-two\u00a0x\u3000東 a\x1fb"
    assert [token[:5] for token in WHITESPACE.tokens(text)] == [
        ("one-two\u00a0x".encode(), 0, 9, 0, "word"),
        ("東".encode(), 10, 11, 1, "word"),
        (b"a", 12, 13, 2, "word"),
        (b"b", 14, 15, 3, "word"),
    ]


def test_letters() -> None:
    assert [token[:3] for token in LETTERS.tokens("R2D2 naïve_x 𝒜!")] == [
        (b"R", 0, 1),
        (b"D", 2, 3),
        ("naïve".encode(), 5, 10),
        (b"x", 11, 12),
        ("𝒜".encode(), 13, 15),
    ]


def test_long_tokens_are_cut() -> None:
    four = Chain([], CharTokenizer("not_space", 4), [])
    assert [token[:3] for token in four.tokens("one-two 𝒜𝒜𝒜a")] == [
        (b"one-", 0, 4), (b"two", 4, 7), ("𝒜𝒜".encode(), 8, 12), ("𝒜a".encode(), 12, 15),
    ]  # fmt: skip
    # as in Lucene, a pair may reach one unit beyond the limit
    three = Chain([], CharTokenizer("letter", 3), [])
    assert [token[:3] for token in three.tokens("ab𝒜c")] == [("ab𝒜".encode(), 0, 4), (b"c", 4, 5)]


@given(st.text(max_size=100))
def test_keyword_is_the_whole_text(text: str) -> None:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    units = len(whole.encode("utf-16-le")) // 2
    assert KEYWORD.run(text) == ([(whole.encode(), 0, units, 0, "word", 1, 1, False, None)], units, 0)


def test_a_tokenizer_with_a_filter_inside() -> None:
    chain = Chain([], FilteredTokenizer(CharTokenizer("letter"), LowercaseFilter()), [])
    assert [token[0] for token in chain.tokens("Ab CÉ")] == [b"ab", "cé".encode()]


def test_types_are_told_apart() -> None:
    assert len(set(token_types)) == len(token_types)


def test_parts_are_kept_and_checked() -> None:
    lower, tokenizer = LowercaseFilter(), StandardTokenizer()
    chain = Chain([], tokenizer, [lower])
    assert (chain.char_filters, chain.tokenizer, chain.token_filters) == ((), tokenizer, (lower,))
    with pytest.raises(TypeError):
        Chain([], lower, [])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a token filter"):
        Chain([], tokenizer, [tokenizer])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="not a char filter"):
        Chain([lower], tokenizer, [])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        chain.tokens(b"x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "chain",
    [
        Chain([], Tokenizer(), []),
        Chain([], StandardTokenizer(), [TokenFilter()]),
        Chain([CharFilter()], StandardTokenizer(), []),
    ],
)
def test_a_base_class_does_nothing_by_itself(chain: Chain) -> None:
    with pytest.raises(NotImplementedError):
        chain.tokens("a")


def test_one_chain_for_many_threads() -> None:
    chain = Chain([], StandardTokenizer(), [LowercaseFilter()])
    texts = [f"Word{number} don't É{number} " * 50 for number in range(4)]
    expected = [chain.tokens(text) for text in texts]
    wrong: list[int] = []

    def work(number: int) -> None:
        wrong.extend(number for _ in range(50) if chain.tokens(texts[number]) != expected[number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
