"""Highlighting. Expected fragments are the reference's, asked with the same documents and requests."""

import json
from typing import Any

import pytest

from tests.conftest import Client

TEXT = ["one wind two. Three wind.", "four wind five wind wind"]


@pytest.fixture
def filled(client: Client) -> Client:
    properties = {
        "t": {"type": "text"},
        "v": {"type": "text", "term_vector": "with_positions_offsets"},
        "k": {"type": "keyword"},
    }
    client.put("/a", {"mappings": {"properties": properties}})
    document = {"t": TEXT, "k": ["wind a", "b"], "v": "The wind rises over the sea and the wind falls"}
    client.put("/a/_doc/1?refresh=true", document)
    return client


def highlight(client: Client, query: dict[str, Any], asked: dict[str, Any]) -> Any:
    body = {"query": query, "_source": False, "highlight": asked}
    hits = client.post("/a/_search", body).json()["hits"]["hits"]
    return hits[0].get("highlight")


WIND = {"match": {"t": "wind"}}
VECTORS = {"match": {"v": "wind sea"}}
WHOLE = "The <em>wind</em> rises over the <em>sea</em> and the <em>wind</em> falls"


@pytest.mark.parametrize(
    ("query", "asked", "expected"),
    [
        (
            WIND,
            {"fields": {"t": {}}},
            {
                "t": [
                    "one <em>wind</em> two. Three <em>wind</em>.",
                    "four <em>wind</em> five <em>wind</em> <em>wind</em>",
                ]
            },
        ),
        (
            WIND,
            {"fields": {"t": {"max_analyzer_offset": 5}}},
            {"t": ["one <em>wind</em> two. Three wind.", "four <em>wind</em> five wind wind"]},
        ),
        (
            WIND,
            {"fields": {"t": {"highlight_query": {"match": {"t": "two"}}}}},
            {"t": ["one wind <em>two</em>. Three wind."]},
        ),
        (WIND, {"fields": {"k": {}}}, None),
        (VECTORS, {"fields": {"v": {}}}, {"v": [WHOLE]}),
        (VECTORS, {"fields": {"v": {"type": "plain"}}}, {"v": [WHOLE]}),
        (VECTORS, {"fields": {"v": {"type": "fvh"}}}, {"v": [WHOLE]}),
        (
            VECTORS,
            {
                "pre_tags": "<b>",
                "post_tags": "</b>",
                "fields": {"v": {"fragment_size": 10, "number_of_fragments": 2}},
            },
            {"v": ["The <b>wind</b> rises", "over the <b>sea</b>"]},
        ),
        (
            VECTORS,
            {"fields": {"v": {"boundary_scanner": "word"}}},
            {"v": ["<em>wind</em>", "<em>sea</em>", "<em>wind</em>"]},
        ),
        (
            VECTORS,
            {"fields": {"v": {"no_match_size": 8, "highlight_query": {"match": {"v": "zzz"}}}}},
            {"v": ["The wind"]},
        ),
        (
            {"match_phrase": {"v": "the sea"}},
            {"fields": {"v": {}}},
            {"v": ["The wind rises over <em>the</em> <em>sea</em> and the wind falls"]},
        ),
        (
            {"match_phrase": {"v": "the sea"}},
            {"fields": {"v": {"type": "fvh"}}},
            {"v": ["The wind rises over <em>the sea</em> and the wind falls"]},
        ),
    ],
)
def test_fragments(
    filled: Client, query: dict[str, Any], asked: dict[str, Any], expected: dict[str, list[str]] | None
) -> None:
    assert highlight(filled, query, asked) == expected


def test_characters_outside_the_first_plane(client: Client) -> None:
    client.put("/a/_doc/1?refresh=true", {"t": "\U0001f600 wind \U0001d400 <sea>"})
    found = highlight(client, {"match": {"t": "sea wind"}}, {"encoder": "html", "fields": {"t": {}}})
    assert found == {"t": ["\U0001f600 <em>wind</em> \U0001d400 &lt;<em>sea</em>&gt;"]}


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"fields": 5}, "[1:24] [highlight] fields doesn't support values of type: VALUE_NUMBER"),
        ({"bogus": 1}, "[1:15] [highlight] unknown field [bogus]"),
        ({"fields": {"t": {"bogus": 1}}}, "[1:38] [highlight] failed to parse field [fields]"),
        ({"pre_tags": ["x"], "fields": {}}, "pre_tags are set but post_tags are not set"),
        ({"fields": {"t": {"type": "bogus"}}}, "all shards failed"),
    ],
)
def test_faults(filled: Client, asked: dict[str, Any], reason: str) -> None:
    answer = filled.post("/a/_search", json.dumps({"highlight": asked}, separators=(",", ":")))
    assert answer.status == 400
    assert answer.error()["reason"] == reason


def test_too_long_text(filled: Client) -> None:
    filled.put("/a/_settings", {"index.highlight.max_analyzed_offset": 10})
    answer = filled.post("/a/_search", {"query": WIND, "highlight": {"fields": {"t": {}}}})
    assert answer.status == 400
    assert "has exceeded [10]" in answer.error()["root_cause"][0]["reason"]
