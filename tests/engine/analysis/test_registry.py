"""Settings of analysis; the texts of complaints are OpenSearch's."""

from typing import Any

import pytest

from lanner.engine.analysis.registry import AnalysisRegistry, ready_made
from lanner.engine.common.errors import IllegalArgument, LannerError, PatternSyntaxError, SettingsError


def terms(registry: AnalysisRegistry, name: str, text: str) -> list[str]:
    return [token.term.decode() for token in registry.analyzer(name).query_tokens(text)]


def analyzer(**settings: Any) -> dict[str, Any]:
    return {"analyzer": {"a": settings}}


def part(**settings: Any) -> dict[str, Any]:
    return {"filter": {"f": settings}}


def mapping(*rules: str) -> dict[str, Any]:
    return {"char_filter": {"c": {"type": "mapping", "mappings": list(rules)}}}


def normalizer(**settings: Any) -> dict[str, Any]:
    return {"normalizer": {"n": settings}}


REFUSED = [
    (analyzer(type="nosuch"), "Unknown analyzer type [nosuch] for [a]"),
    (analyzer(type="custom"), "Custom Analyzer [a] must be configured with a tokenizer"),
    (analyzer(filter="trim"), "analyzer [a] must specify either an analyzer type, or a tokenizer"),
    (analyzer(tokenizer="nosuch"), "Custom Analyzer [a] failed to find tokenizer under name [nosuch]"),
    (analyzer(tokenizer=["x"]), "Custom Analyzer [a] failed to find tokenizer under name [[x]]"),
    (analyzer(tokenizer="standard", filter="x"), "Custom Analyzer [a] failed to find filter under name [x]"),
    (analyzer(tokenizer="standard", filter=["keyword_marker"]),
     "Custom Analyzer [a] failed to find filter under name [keyword_marker]"),
    (analyzer(tokenizer="standard", char_filter=["x"]),
     "Custom Analyzer [a] failed to find char_filter under name [x]"),
    (analyzer(type="standard", max_token_length=0), "maxTokenLength must be greater than zero"),
    ({"analyzer": {"_a": {"type": "standard"}}}, "analyzer name must not start with '_'. got \"_a\""),
    ({"analyzer": {"default_index": {"type": "standard"}}},
     "setting [index.analysis.analyzer.default_index] is not supported anymore, use "
     "[index.analysis.analyzer.default] instead for index [books]"),
    (part(stopwords="a"), "filter [f] must specify either an analyzer type, or a tokenizer"),
    (part(type="nosuch"), "Unknown filter type [nosuch] for [f]"),
    ({"tokenizer": {"t": {"type": "nosuch"}}}, "Unknown tokenizer type [nosuch] for [t]"),
    ({"char_filter": {"c": {"type": "nosuch"}}}, "Unknown char_filter type [nosuch] for [c]"),
    (part(type="stop", ignore_case="x"), "Failed to parse value [x] as only [true] or [false] are allowed."),
    (part(type="stop", stopwords_path="a"), "IOException while reading stopwords_path: file not readable"),
    (part(type="truncate"), "length parameter must be provided"),
    (part(type="truncate", length=0), "length parameter must be provided"),
    (part(type="keyword_marker"),
     "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured"),
    (part(type="keyword_marker", keywords=["a"], keywords_pattern="b"),
     "cannot specify both `keywords_pattern` and `keywords` or `keywords_path`"),
    (part(type="stemmer", language="nosuch"), "Invalid stemmer class specified: Nosuch"),
    (part(type="standard"), "The [standard] token filter has been removed."),
    (mapping("a"), "Line [1]: Invalid mapping rule : [a]"),
    (mapping("a=>b", r"a\u=>b"), r"Line [2]: Invalid escaped char in [a\u]"),
    (mapping("=>b"), "cannot match the empty string"),
    (mapping("a=>b", "a=>c"), 'match "a" was already added'),
    ({"char_filter": {"c": {"type": "mapping"}}},
     "mapping requires either `mappings` or `mappings_path` to be configured"),
    (normalizer(type="nosuch"), "Unknown normalizer type [nosuch] for [n]"),
    (normalizer(filter=["stop"]), "Custom normalizer [n] may not use filter [stop]"),
    (normalizer(filter=["nosuch"]), "Custom Analyzer [n] failed to find filter under name [nosuch]"),
    (normalizer(tokenizer="keyword"), "Custom normalizer [n] cannot configure a tokenizer"),
    (normalizer(char_filter="x"), "Custom normalizer [n] failed to find char_filter under name [x]"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "reason"), REFUSED)
def test_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(IllegalArgument) as caught:
        AnalysisRegistry(settings, index="books")
    assert caught.value.reason == reason


def test_causes() -> None:
    with pytest.raises(SettingsError) as number:
        AnalysisRegistry(part(type="length", min="x"))
    assert number.value.render() == {
        "type": "settings_exception",
        "reason": "Failed to parse int setting [min] with value [x]",
        "caused_by": {"type": "number_format_exception", "reason": 'For input string: "x"'},
    }
    with pytest.raises(SettingsError, match="because of a missing '.'"):
        AnalysisRegistry({"analyzer": {"a": "standard"}})
    with pytest.raises(PatternSyntaxError):
        AnalysisRegistry(part(type="keyword_marker", keywords_pattern="("))
    with pytest.raises(IllegalArgument) as stemmer:
        AnalysisRegistry(part(type="stemmer", language="nosuch"))
    assert stemmer.value.caused_by is not None
    assert stemmer.value.caused_by.reason == "org.tartarus.snowball.ext.NosuchStemmer"


# accepted when the index is made, refused on use
LATE = [
    ({"tokenizer": {"t": {"type": "standard", "max_token_length": 0}}},
     "maxTokenLength must be greater than zero"),
    ({"tokenizer": {"t": {"type": "standard", "max_token_length": 2000000}}},
     "maxTokenLength may not exceed 1048576"),
    ({"tokenizer": {"t": {"type": "whitespace", "max_token_length": 0}}},
     "maxTokenLen must be greater than 0 and less than 1048576 passed: 0"),
    ({"tokenizer": {"t": {"type": "keyword", "buffer_size": 0}}},
     "maxTokenLen must be greater than 0 and less than 1048576 passed: 0"),
    (part(type="length", min=5, max=2), "maximum length must not be greater than minimum length"),
    (part(type="length", min=-1), "minimum length must be greater than or equal to zero"),
    (part(type="limit", max_token_count=0), "maxTokenCount must be greater than zero"),
    (part(type="lowercase", language="klingon"), "language [klingon] not support for lower case"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "reason"), LATE)
def test_refused_on_use(settings: dict[str, Any], reason: str) -> None:
    parts = {
        "tokenizer": "t" if "tokenizer" in settings else "standard",
        "filter": list(settings.get("filter", ())),
    }
    registry = AnalysisRegistry({**settings, **analyzer(**parts)})
    with pytest.raises(LannerError) as caught:
        registry.analyzer("a").query_tokens("x")
    assert caught.value.reason == reason


def test_names() -> None:
    registry = AnalysisRegistry(
        {"analyzer": {"standard": {"type": "whitespace"}, "default": {"type": "stop"}}}
    )
    assert terms(registry, "standard", "A the b") == ["A", "the", "b"]
    assert terms(registry, "default", "A the b") == ["b"]
    assert registry.default.name == "default"
    assert registry.default_search is None
    assert registry.find_analyzer("nosuch") is None
    with pytest.raises(IllegalArgument, match=r"failed to find analyzer \[nosuch\]"):
        registry.analyzer("nosuch")
    searching = AnalysisRegistry({"analyzer": {"default_search": {"type": "keyword"}}})
    assert searching.default_search is searching.analyzer("default_search")
    assert searching.default is ready_made("default")


def test_own_parts_come_first() -> None:
    settings = {
        **part(type="stop", stopwords="x, y"),
        "analyzer": {"a": {"type": "custom", "tokenizer": "w", "filter": ["lowercase", "f"]}},
        "tokenizer": {"w": {"type": "whitespace", "max_token_length": "2"}},
        "nosuch": {"n": {"type": "nosuch"}},
    }
    settings["filter"]["lowercase"] = {"type": "uppercase"}
    assert terms(AnalysisRegistry(settings), "a", "abc x") == ["AB", "C", "X"]
    assert terms(
        AnalysisRegistry({"analyzer.b.type": "stop", "analyzer.b.stopwords": ["b"]}), "b", "a b"
    ) == ["a"]


def test_parameters_of_ready_made_types() -> None:
    registry = AnalysisRegistry(
        {
            "analyzer": {
                "std": {"type": "standard", "max_token_length": 3, "stopwords": ["the", "of"]},
                "none": {"type": "stop", "stopwords": "_none_"},
                "both": {"type": "stop", "stopwords": ["_english_", "fox"]},
                "en": {"type": "english", "stopwords": ["fox"], "stem_exclusion": ["dogs"]},
                "gap": {"tokenizer": "standard", "position_increment_gap": 7},
            }
        }
    )
    assert terms(registry, "std", "The end OF running") == ["end", "run", "nin", "g"]
    assert terms(registry, "none", "the fox") == ["the", "fox"]
    assert terms(registry, "both", "the fox ran") == ["ran"]
    assert terms(registry, "en", "the fox dogs cats") == ["the", "dogs", "cat"]
    assert registry.analyzer("gap").position_increment_gap == 7
    assert registry.analyzer("en").position_increment_gap == 100


def test_normalizers() -> None:
    registry = AnalysisRegistry(normalizer(type="custom", filter=["lowercase", "asciifolding", "trim"]))
    assert registry.normalizer("n").normalize(" C'est le Garçon ") == "c'est le garcon"
    assert registry.normalizer("lowercase").normalize("A b") == "a b"
    assert registry.find_normalizer("nosuch") is None
    with pytest.raises(IllegalArgument, match=r"failed to find normalizer under \[nosuch\]"):
        registry.normalizer("nosuch")
    assert registry.keyword_analyzer().position_increment_gap == 0
    assert registry.keyword_analyzer("n") is registry.normalizer("n")


def test_mapping_rules() -> None:
    rules = [r"\u0061 => \n-\\x", "b => c => d", "e=>"]
    settings = {**mapping(*rules), **normalizer(char_filter="c", filter="uppercase")}
    assert AnalysisRegistry(settings).normalizer("n").normalize("xaeb => c") == "X\n-\\XD"
