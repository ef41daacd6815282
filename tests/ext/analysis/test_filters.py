"""Token filters, held against plain Python and against what Lucene gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.ext.analysis.ascii_folding import AsciiFoldingFilter
from lanner.ext.analysis.ascii_folding_data import FOLDINGS
from lanner.ext.analysis.case_filters import LowercaseFilter, UppercaseFilter
from lanner.ext.analysis.chain import Chain, TokenFilter
from lanner.ext.analysis.char_tokenizers import CharTokenizer, KeywordTokenizer
from lanner.ext.analysis.porter_stem import PorterStemFilter
from lanner.ext.analysis.removing_filters import LengthFilter, LimitFilter, StopFilter, UniqueFilter
from lanner.ext.analysis.term_filters import (
    KeywordMarkerFilter,
    PossessiveFilter,
    ReverseFilter,
    TrimFilter,
    TruncateFilter,
)
from lanner.ext.analysis.word_set import WordSet
from tests.ext.analysis.shared_data import lines

ANY_TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from("AZaz ÉéßẞİıǅȺⱥKÅ𐐀🙂"), max_size=60)


def words(*filters: TokenFilter) -> Chain:
    return Chain([], CharTokenizer("not_space"), filters)


def whole(*filters: TokenFilter) -> Chain:
    return Chain([], KeywordTokenizer(), filters)


def terms(chain: Chain, text: str) -> list[str]:
    return [token[0].decode() for token in chain.tokens(text)]


def places(chain: Chain, text: str) -> list[tuple[str, int]]:
    return [(token[0].decode(), token[3]) for token in chain.tokens(text)]


@given(ANY_TEXT)
def test_upper_case_equals_one_character_at_a_time(text: str) -> None:
    def upper(char: str) -> str:
        return next((form for form in (char.upper(), char.title()) if len(form) == 1), char)

    assert terms(whole(UppercaseFilter()), text) == ["".join(map(upper, text))]


@given(ANY_TEXT)
def test_case_filters_leave_other_tokens_alone(text: str) -> None:
    both = terms(words(LowercaseFilter()), f"{text} {text}")
    one = terms(words(LowercaseFilter()), text)
    assert both == one + one


@given(ANY_TEXT)
def test_folding_equals_its_table(text: str) -> None:
    table = {char: replacement for replacement, chars in FOLDINGS.items() for char in chars}
    assert terms(whole(AsciiFoldingFilter()), text) == ["".join(table.get(char, char) for char in text)]


def test_folding_keeps_the_original_behind() -> None:
    chain = words(AsciiFoldingFilter(preserve_original=True))
    assert places(chain, "Été x ﬁn") == [("Ete", 0), ("Été", 0), ("x", 1), ("fin", 2), ("ﬁn", 2)]


@given(ANY_TEXT)
def test_reverse_turns_code_points(text: str) -> None:
    assert terms(whole(ReverseFilter()), text) == [text[::-1]]


@given(st.text(st.characters(codec="utf-8") | st.sampled_from(" \t\u00a0\u2003\u3000\x1f"), max_size=20))
def test_trim(text: str) -> None:
    # as Java's isWhitespace: no no-break spaces; what Python strips besides stays
    spaces = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u1680\u2028\u2029\u205f\u3000" + "".join(
        chr(point) for point in range(0x2000, 0x200B) if point != 0x2007
    )
    assert terms(whole(TrimFilter()), text) == [text.strip(spaces)]


@given(ANY_TEXT, st.integers(1, 70))
def test_truncate_counts_utf16_units(text: str, most: int) -> None:
    cut = text.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "replace")
    assert terms(whole(TruncateFilter(most)), text) == [cut]


def test_truncate_leaves_keywords() -> None:
    chain = words(KeywordMarkerFilter(WordSet(["elephants"])), TruncateFilter(3))
    assert terms(chain, "elephants giraffes") == ["elephants", "gir"]


def test_possessive() -> None:
    text = "dog's dog’s dog＇S 's s' x's's boss é's"
    expected = ["dog", "dog", "dog", "", "s'", "x's", "boss", "é"]
    assert terms(words(PossessiveFilter()), text) == expected


def test_stop_words_leave_gaps() -> None:
    chain = words(StopFilter(WordSet(["the", "of"])))
    found, end, trailing = chain.run("the end of the dog The of")
    assert [(token[0], token[3]) for token in found] == [(b"end", 1), (b"dog", 4), (b"The", 5)]
    assert (end, trailing) == (25, 1)
    assert places(words(StopFilter(WordSet(["THE"], ignore_case=True))), "the x THe") == [("x", 1)]


def test_last_stop_word_stays_while_typing() -> None:
    chain = words(StopFilter(WordSet(["the", "a"]), remove_trailing=False))
    assert [(t[0], t[3], t[7]) for t in chain.tokens("the dogs the a")] == [
        (b"dogs", 1, False),
        (b"a", 3, True),
    ]
    assert places(chain, "the dogs the a ") == [("dogs", 1)]


@given(st.sets(st.text(max_size=8)), st.lists(st.text(max_size=8)), st.booleans())
def test_word_set_is_a_set(members: set[str], asked: list[str], ignore_case: bool) -> None:
    def lower(word: str) -> str:
        word = word.encode("utf-8", "replace").decode()
        if not ignore_case:
            return word
        return "".join("i" if c == "İ" else c.lower() if len(c.lower()) == 1 else c for c in word)

    found = WordSet(members, ignore_case=ignore_case)
    plain = {lower(word) for word in members}
    for word in [*asked, *members]:
        assert (word in found) == (lower(word) in plain)


@given(ANY_TEXT, st.integers(0, 5), st.integers(0, 9))
def test_length(text: str, least: int, most: int) -> None:
    chain = words(LengthFilter(least, most))
    kept = [
        (token[0], token[3])
        for token in words().tokens(text)
        if least <= len(token[0].decode().encode("utf-16-le")) // 2 <= most
    ]
    assert [(token[0], token[3]) for token in chain.tokens(text)] == kept


@given(st.lists(st.sampled_from(["a", "b", "é", "aa"])))
def test_unique(names: list[str]) -> None:
    assert terms(words(UniqueFilter()), " ".join(names)) == list(dict.fromkeys(names))
    assert terms(words(UniqueFilter(same_position=True)), " ".join(names)) == names


def test_unique_at_one_position() -> None:
    chain = words(
        AsciiFoldingFilter(preserve_original=True), LowercaseFilter(), UniqueFilter(same_position=True)
    )
    assert places(chain, "É e") == [("e", 0), ("é", 0), ("e", 1)]


def test_limit() -> None:
    assert words(LimitFilter(2)).run("a b c")[1:] == (3, 0)
    assert words(LimitFilter(2, consume_all=True)).run("a b c")[1:] == (5, 0)
    assert terms(words(LimitFilter(2)), "a b c") == ["a", "b"]


def test_keyword_marks() -> None:
    chain = words(KeywordMarkerFilter(WordSet(["running"])), PorterStemFilter())
    assert [(t[0], t[7]) for t in chain.tokens("running runs")] == [(b"running", True), (b"run", False)]


STEMS = """
    caresses>caress ponies>poni ties>ti cats>cat feed>feed agreed>agre plastered>plaster
    motoring>motor sing>sing conflated>conflat troubled>troubl sized>size hopping>hop falling>fall
    hissing>hiss failing>fail filing>file happy>happi sky>sky relational>relat rational>ration
    valenci>valenc hesitanci>hesit digitizer>digit conformabli>conform radicalli>radic vileli>vile
    analogousli>analog vietnamization>vietnam predication>predic operator>oper feudalism>feudal
    decisiveness>decis hopefulness>hope callousness>callous formaliti>formal sensitiviti>sensit
    sensibiliti>sensibl triplicate>triplic formative>form formalize>formal electrical>electr
    goodness>good revival>reviv allowance>allow inference>infer airliner>airlin gyroscopic>gyroscop
    adjustable>adjust defensible>defens irritant>irrit replacement>replac adjustment>adjust
    dependent>depend adoption>adopt homologou>homolog communism>commun activate>activ
    angulariti>angular homologous>homolog effective>effect bowdlerize>bowdler probate>probat
    rate>rate cease>ceas controll>control roll>roll apology>apolog is>is generously>gener
    yyyyed>yyyi by>by ion>ion aed>a eed>eed naïveness>naïv éééing>éééing
"""


@pytest.mark.parametrize("pair", STEMS.split())
def test_porter(pair: str) -> None:
    word, stem = pair.split(">")
    assert terms(words(PorterStemFilter()), word) == [stem]


@given(
    st.text("aeiouybcdglnstxz'é𝒜", max_size=12),
    st.sampled_from(["", "ed", "ing", "ational", "iveness", "ll", "e"]),
)
def test_porter_never_lengthens(word: str, suffix: str) -> None:
    (stem,) = terms(whole(PorterStemFilter()), word + suffix)
    assert len(stem) <= max(len(word + suffix), 3)


def test_porter_on_the_snowball_vocabulary() -> None:
    chain = whole(PorterStemFilter())
    n_words = n_same = 0
    for line in lines("snowball", "porter.tsv.gz"):
        word, stem = line.rstrip("\n").split("\t")
        n_words += 1
        n_same += terms(chain, word) == [stem]
    # Snowball's version has abli in place of bli, no logi, and stems words of two letters
    assert (n_words, n_same) == (15214, 15196)
