"""The `_analyze` answer. Expected values are OpenSearch's."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.engine.analysis.analyze import AnalyzeRequest, analyze, parse_analyze_request
from lanner.engine.analysis.analyzer import Analyzer
from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.body import LocatedXContentError
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, LannerError, ParseError

REGISTRY = AnalysisRegistry(
    {
        "analyzer": {
            "default": {"type": "stop"},
            "gap": {"tokenizer": "whitespace", "position_increment_gap": 7},
            "back": {"tokenizer": "whitespace", "position_increment_gap": -5},
        },
        "filter": {"my_stop": {"type": "stop", "stopwords": ["and"]}},
        "normalizer": {"n": {"filter": ["lowercase"]}},
    }
)


def field_analyzer(name: str) -> Analyzer | None:
    if name == "number":
        raise IllegalArgument(
            f"Can't process field [{name}], Analysis requests are only supported on tokenized fields"
        )
    known = {"kw": REGISTRY.keyword_analyzer(), "kwn": REGISTRY.keyword_analyzer("n")}
    return known.get(name)


def run(body: dict[str, Any], *, index: bool = False) -> dict[str, Any]:
    request = parse_analyze_request(body, raw=json.dumps(body).encode())
    return analyze(request, REGISTRY, field_analyzer) if index else analyze(request)


def places(body: dict[str, Any], *, index: bool = False) -> list[tuple[str, int, int]]:
    return [(t["token"], t["start_offset"], t["position"]) for t in run(body, index=index)["tokens"]]


def refusal(body: Any, *, index: bool = False) -> dict[str, Any]:
    with pytest.raises(LannerError) as caught:
        run(body, index=index)
    return caught.value.render()


def test_plain() -> None:
    assert run({"analyzer": "standard", "text": "One two"}) == {
        "tokens": [
            {"token": "one", "start_offset": 0, "end_offset": 3, "type": "<ALPHANUM>", "position": 0},
            {"token": "two", "start_offset": 4, "end_offset": 7, "type": "<ALPHANUM>", "position": 1},
        ]
    }
    assert run({"text": ""}) == {"tokens": []}


GAPS = [
    ({"analyzer": "whitespace"}, False, [("a", 0, 0), ("b", 2, 1), ("c", 4, 2)]),
    ({"analyzer": "keyword"}, True, [("a b", 0, 0), ("c", 4, 101)]),
    ({"analyzer": "gap"}, True, [("a", 0, 0), ("b", 2, 1), ("c", 4, 9)]),
    ({"analyzer": "back"}, True, [("a", 0, 0), ("b", 2, 1), ("c", 4, -3)]),
    ({"tokenizer": "whitespace"}, False, [("a", 0, 0), ("b", 2, 1), ("c", 4, 102)]),
    ({"filter": ["lowercase"]}, False, [("a b", 0, 0), ("c", 4, 101)]),
    ({"field": "kw"}, True, [("a b", 0, 0), ("c", 4, 1)]),
    ({"field": "kwn"}, True, [("a b", 0, 0), ("c", 4, 1)]),
    ({"normalizer": "n"}, True, [("a b", 0, 0), ("c", 4, 1)]),
    ({"field": "nosuch"}, True, [("b", 2, 1), ("c", 4, 102)]),
    ({}, False, [("a", 0, 0), ("b", 2, 1), ("c", 4, 2)]),
]


@pytest.mark.parametrize(("body", "index", "expected"), GAPS)
def test_gaps_between_texts(body: dict[str, Any], index: bool, expected: list[tuple[str, int, int]]) -> None:
    assert places({**body, "text": ["a b", "c"]}, index=index) == expected


def test_stop_words_at_the_end_count_for_the_next_text() -> None:
    body = {"tokenizer": "standard", "filter": ["stop"], "text": ["the dogs the a", "x the"]}
    assert places(body) == [("dogs", 4, 1), ("x", 15, 104)]


def test_parts_of_the_index() -> None:
    body = {"tokenizer": "standard", "filter": ["my_stop", {"type": "uppercase"}], "text": "x and y"}
    assert places(body, index=True) == [("X", 0, 0), ("Y", 6, 2)]
    assert refusal(body)["reason"] == "failed to find global filter under [my_stop]"
    assert (
        refusal({"tokenizer": "x", "text": "a"}, index=True)["reason"] == "failed to find tokenizer under [x]"
    )


def test_explain_a_ready_made_analyzer() -> None:
    answer = run({"analyzer": "english", "text": "Quick foxes", "explain": True})
    assert answer["detail"]["custom_analyzer"] is False
    assert answer["detail"]["analyzer"]["name"] == "english"
    assert list(answer["detail"]["analyzer"]["tokens"][1].items()) == [
        ("token", "fox"), ("start_offset", 6), ("end_offset", 11), ("type", "<ALPHANUM>"), ("position", 1),
        ("bytes", "[66 6f 78]"), ("keyword", False), ("positionLength", 1), ("termFrequency", 1),
    ]  # fmt: skip
    assert run({"text": "a", "explain": True}, index=True)["detail"]["analyzer"]["name"] == "default"
    assert run({"text": "a", "explain": True})["detail"]["analyzer"]["name"] == "standard"
    kept = run({"field": "kw", "text": "a", "explain": True}, index=True)
    assert kept["detail"]["analyzer"]["name"] == "_keyword"


def test_explain_part_by_part() -> None:
    body = {
        "tokenizer": "whitespace",
        "filter": ["lowercase", {"type": "stop", "stopwords": ["to"]}, "porter_stem", "reverse"],
        "text": "how to Trains",
        "explain": True,
        "attributes": ["KEYWORD", "termfrequency"],
    }
    detail = run(body)["detail"]
    assert list(detail) == ["custom_analyzer", "charfilters", "tokenizer", "tokenfilters"]
    assert (detail["custom_analyzer"], detail["charfilters"]) == (True, [])
    assert detail["tokenizer"]["name"] == "whitespace"
    assert [token["token"] for token in detail["tokenizer"]["tokens"]] == ["how", "to", "Trains"]
    assert [step["name"] for step in detail["tokenfilters"]] == [
        "lowercase", "__anonymous__stop", "porter_stem", "reverse",
    ]  # fmt: skip
    assert [[t["token"] for t in step["tokens"]] for step in detail["tokenfilters"]] == [
        ["how", "to", "trains"], ["how", "trains"], ["how", "train"], ["woh", "niart"],
    ]  # fmt: skip
    shown = [
        sorted(set(step["tokens"][0]) - set(detail["tokenizer"]["tokens"][0]))
        for step in detail["tokenfilters"]
    ]
    assert shown == [[], [], ["keyword"], ["keyword"]]
    assert "termFrequency" in detail["tokenizer"]["tokens"][0]


@pytest.mark.parametrize(
    ("body", "index", "position"),
    [({"tokenizer": "whitespace"}, False, 1), ({"analyzer": "gap"}, True, 8), ({"normalizer": "n"}, True, 1)],
)
def test_explain_has_the_gap_of_the_analyzer_itself(body: dict[str, Any], index: bool, position: int) -> None:
    detail = run({**body, "text": ["a", "b"], "explain": True}, index=index)["detail"]
    assert [token["position"] for token in detail["tokenizer"]["tokens"]] == [0, position]


def test_explain_char_filters() -> None:
    char_filter = {"type": "mapping", "mappings": ["R => are", "& => _and_"]}
    body = {"tokenizer": "keyword", "char_filter": [char_filter], "text": ["R&D", "x"], "explain": True}
    detail = run(body)["detail"]
    assert detail["charfilters"] == [{"name": "__anonymous__mapping", "filtered_text": ["are_and_D", "x"]}]
    assert [(t["token"], t["end_offset"]) for t in detail["tokenizer"]["tokens"]] == [
        ("are_and_D", 3),
        ("x", 5),
    ]


def test_too_many_tokens() -> None:
    request = AnalyzeRequest(text=["a b", "c d"])
    assert len(analyze(request, max_token_count=4)["tokens"]) == 4
    with pytest.raises(IllegalStateError, match=r"exceeded the allowed maximum of \[3\]"):
        analyze(request, max_token_count=3)


INVALID = [
    ({"analyzer": "standard"}, "1: text is missing;"),
    ({"text": []}, "1: text is missing;"),
    ({"normalizer": "n", "analyzer": "keyword", "tokenizer": "keyword"},
     "1: text is missing;2: index is required if normalizer is specified;"
     "3: tokenizer/analyze should be null if normalizer is specified;"
     "4: cannot define extra components on a named analyzer;"
     "5: cannot define extra components on a named normalizer;"),
    ({"field": "f", "filter": ["lowercase"], "text": "a"},
     "1: cannot define extra components on a field-specific analyzer;"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), INVALID)
def test_validation(body: dict[str, Any], reason: str) -> None:
    assert refusal(body) == {
        "type": "action_request_validation_exception",
        "reason": f"Validation Failed: {reason}",
    }


REFUSED = [
    ({"analyzer": "nosuch", "text": "x"}, "failed to find global analyzer [nosuch]"),
    ({"field": "f", "text": "x"}, "analysis based on a specific field requires an index"),
    ({"tokenizer": "nosuch", "text": "x"}, "failed to find global tokenizer under [nosuch]"),
    ({"tokenizer": {"type": "nosuch"}, "text": "x"}, "failed to find global tokenizer under [nosuch]"),
    ({"tokenizer": {"min_gram": 1}, "text": "x"},
     'Missing [type] setting for anonymous tokenizer: {"min_gram":"1"}'),
    ({"filter": [{}], "text": "x"}, "Missing [type] setting for anonymous filter: {}"),
    ({"filter": ["stop"], "text": "x"}, "Custom normalizer may not use filter [stop]"),
    ({"filter": [{"type": "stop"}], "text": "x"}, "Custom normalizer may not use filter [__anonymous__stop]"),
    ({"tokenizer": "standard", "filter": ["keyword_marker"], "text": "x"},
     "Analysis settings required - can't instantiate analysis factory"),
    ({"tokenizer": "standard", "char_filter": ["nosuch"], "text": "x"},
     "failed to find global char_filter under [nosuch]"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), REFUSED)
def test_refused(body: dict[str, Any], reason: str) -> None:
    assert refusal(body) == {"type": "illegal_argument_exception", "reason": reason}


def test_refused_with_an_index() -> None:
    assert refusal({"analyzer": "x", "text": "a"}, index=True)["reason"] == "failed to find analyzer [x]"
    assert (
        refusal({"normalizer": "x", "text": "a"}, index=True)["reason"]
        == "failed to find normalizer under [x]"
    )
    assert refusal({"field": "number", "text": "a"}, index=True)["reason"].startswith(
        "Can't process field [number]"
    )


SHAPES = [
    (b'{"text":null}', "[1:9] [analyze_request] text doesn't support values of type: VALUE_NULL", None),
    (b'{"text":{}}', "[1:9] [analyze_request] text doesn't support values of type: START_OBJECT", None),
    (b'{"text":"a","nosuch":1}', "[1:13] [analyze_request] unknown field [nosuch]", None),
    (b'{"text":"A B","filter":"x"}',
     "[1:24] [analyze_request] filter doesn't support values of type: VALUE_STRING", None),
    (b'{"text":"A B","filter":[5]}', "[1:25] [analyze_request] failed to parse field [filter]",
     "[1:25] Expected [VALUE_STRING] or [START_OBJECT], got VALUE_NUMBER"),
    (b'{"text":"A B","filter":[["a"]]}', "[1:25] [analyze_request] failed to parse field [filter]",
     "expected value but got [START_ARRAY]"),
    (b'{"text":[{}]}', "[1:10] [analyze_request] failed to parse field [text]",
     "Can't get text on a START_OBJECT at 1:10"),
    (b'{"text":"A B","explain":"x"}', "[1:25] [analyze_request] failed to parse field [explain]",
     "Failed to parse value [x] as only [true] or [false] are allowed."),
    (b'{"text":"A B","tokenizer":[]}',
     "[1:27] [analyze_request] tokenizer doesn't support values of type: START_ARRAY", None),
    (b"[]", "[1:1] [analyze_request] Expected START_OBJECT but was: START_ARRAY", None),
    (b'"a"', "[1:1] [analyze_request] Expected START_OBJECT but was: VALUE_STRING", None),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "reason", "cause"), SHAPES)
def test_shape_of_the_body(raw: bytes, reason: str, cause: str | None) -> None:
    with pytest.raises(LannerError) as caught:
        parse_analyze_request(json.loads(raw), raw=raw)
    rendered = caught.value.render()
    assert rendered["type"] == "x_content_parse_exception"
    assert rendered["reason"] == reason
    assert rendered.get("caused_by", {}).get("reason") == cause


def test_places_can_be_filled_in_later() -> None:
    with pytest.raises(LocatedXContentError) as caught:
        parse_analyze_request({"text": 5})
    assert caught.value.reason == "[analyze_request] text doesn't support values of type: VALUE_NUMBER"
    with pytest.raises(ParseError, match="request body or source parameter is required"):
        parse_analyze_request(None)


def test_scalars_in_a_list_are_text() -> None:
    assert parse_analyze_request({"text": [5, True, "x"]}).text == ["5", "true", "x"]
    assert parse_analyze_request({"text": "a", "explain": "true"}).explain is True


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["standard", "stop", "keyword"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "stopwords", "x"]), inner)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["text", "analyzer", "tokenizer", "filter", "char_filter", "explain", "attributes", "x"]
)


@given(st.dictionaries(KEYS, JSON))
def test_any_body_is_answered_or_refused(body: dict[str, Any]) -> None:
    try:
        answer = run(body)
    except LannerError:
        return  # whatever else is raised fails
    assert set(answer) <= {"tokens", "detail"}
