"""Settings and texts that are meant to take long or to overflow a stack: an answer or an error, soon."""

from typing import Any

import pytest

from lanner.engine.analysis.analyze import analyze, parse_analyze_request
from lanner.engine.common import java_regex
from lanner.engine.common.errors import LannerError

N = 20_000


def run(text: str, *filters: Any, tokenizer: Any = "whitespace", char_filter: Any = ()) -> list[str] | str:
    """Return the terms, or the reason of the error."""
    body = {"tokenizer": tokenizer, "filter": list(filters), "char_filter": list(char_filter), "text": text}
    try:
        return [token["token"] for token in analyze(parse_analyze_request(body))["tokens"]]
    except LannerError as error:
        return error.reason


def terms(text: str, *filters: Any, tokenizer: Any = "whitespace", char_filter: Any = ()) -> list[str]:
    """Return the terms of a text that is no error; a _analyze shows at most 10000."""
    found = run(text, *filters, tokenizer=tokenizer, char_filter=char_filter)
    assert isinstance(found, list), found
    return found


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|aa)+$", "(a*)*b", "([a-z]+)*\\d", "(?:(?:a+)+)+b", "^(([a-z])+.)+[A-Z]+$"],
)
@pytest.mark.parametrize("place", ["tokenizer", "char_filter", "filter", "keyword_marker"])
def test_expressions_that_backtrack_end(pattern: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_regex, "TIME_LIMIT", 0.05)
    text = "a" * 60 + "!"
    if place == "tokenizer":
        found = run(text, tokenizer={"type": "pattern", "pattern": pattern})
    elif place == "char_filter":
        found = run(text, char_filter=[{"type": "pattern_replace", "pattern": pattern, "replacement": ""}])
    elif place == "filter":
        found = run(" ".join([text] * 1000), {"type": "pattern_replace", "pattern": pattern})
    else:
        found = run(text, {"type": "keyword_marker", "keywords_pattern": pattern}, "porter_stem")
    assert isinstance(found, list) or "takes too long on this text" in found


@pytest.mark.parametrize(
    "pattern",
    [
        "(" * N,
        ")" * N,
        "(" * N + ")" * N,
        "[" * N,
        "[" * N + "]" * N,
        "(?:" * 99 + "a" + ")*" * 99,
        "a{1,2}{1,2}{1,2}",
    ],
    ids=range(7),
)
def test_deep_expressions_do_not_overflow(pattern: str) -> None:
    run("aaa", tokenizer={"type": "pattern", "pattern": pattern})
    run("aaa", tokenizer={"type": "simple_pattern", "pattern": pattern})


@pytest.mark.parametrize("pattern", ["(a|b)*a" + "(a|b)" * 40, "a{1000}{1000}", "~(" * 50 + "a" + ")" * 50])
def test_automata_that_explode_are_refused(pattern: str) -> None:
    found = run("ab" * 500, tokenizer={"type": "simple_pattern", "pattern": pattern})
    assert isinstance(found, list | str)


@pytest.mark.parametrize(
    "scrap",
    ["<", "<a ", "<!--", "<a href='", "&#", "</", "<?", "<![CDATA[", "<script>", '<a b="\\', "<!--#", "&amp"],
)
def test_markup_without_end(scrap: str) -> None:
    run(scrap * N, char_filter=["html_strip"], tokenizer="keyword")


@pytest.mark.parametrize(
    "scrap", ["a.", "a@", "a-", "a_", "http://", "a'", "1,", "a@b.", "[::", "x.com/", "mailto:"]
)
@pytest.mark.parametrize("tokenizer", ["uax_url_email", "classic"])
def test_addresses_without_end(scrap: str, tokenizer: str) -> None:
    run(scrap * N, tokenizer=tokenizer)


@pytest.mark.parametrize(
    "part",
    [
        "synonym_like", "word_delimiter", "word_delimiter_graph", "fingerprint", "unique",
        "cjk_bigram", "flatten_graph", "common", "kstem", "porter_stem", "german_stem", "reverse",
    ],
)  # fmt: skip
def test_one_long_word_and_many_short_ones(part: Any) -> None:
    if part == "synonym_like":
        part = {"type": "synonym_graph", "synonyms": ["a a a a a a b, c", "a a b, d"]}
    if part == "common":
        part = {"type": "common_grams", "common_words": ["a"]}
    run("aA1-" * N, part)
    run("a " * 9000, part)


@pytest.mark.parametrize("language", ["english", "german2", "turkish", "indonesian", "light_french", "greek"])
def test_stemmers_take_long_words(language: str) -> None:
    run("abababe" * N, {"type": "stemmer", "language": language})
    run("er" * N, {"type": "stemmer", "language": language})


def test_paths_through_a_graph_are_few() -> None:
    rules = {"type": "synonym_graph", "synonyms": ["a, b, c d"]}
    assert len(terms("a " * 200, rules, {"type": "concatenate_graph"})) == 100


def test_many_rules() -> None:
    rules = [f"w{number}, x{number} y => z{number}" for number in range(N)]
    assert terms("w7 x19999 y", {"type": "synonym", "synonyms": rules}) == ["z7", "z19999"]


def test_a_path_of_many_folders() -> None:
    found = run("/a" * 3000, tokenizer="path_hierarchy")
    assert found == ["/a" * number for number in range(1, 3001)]


def test_a_dictionary_of_compounds() -> None:
    found = run("abc" * 3000, {"type": "dictionary_decompounder", "word_list": ["abcabc", "bca"]})
    assert isinstance(found, list | str)
