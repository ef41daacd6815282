"""Several tokens at one position; every score is the reference's."""

from typing import Any

import pytest

from tests.conftest import Client

ANALYSIS = {
    "filter": {"fold": {"type": "asciifolding", "preserve_original": True}},
    "analyzer": {"f": {"tokenizer": "standard", "filter": ["lowercase", "fold"]}},
}
TEXTS = (
    "café noir",
    "cafe noir noir",
    "noir café café",
    "big cafe né",
    "né ne café",
    "the big naïve élan of noir",
    "cafe",
    "noir",
)


@pytest.fixture
def client(client: Client) -> Client:
    text = {"type": "text", "analyzer": "f"}
    properties = {"t": text, "u": text, "d": {**text, "index_options": "docs"}}
    settings = {"number_of_replicas": 0, "analysis": ANALYSIS}
    assert client.put("/a", {"settings": settings, "mappings": {"properties": properties}}).status == 200
    lines: list[Any] = []
    for number, value in enumerate(TEXTS):
        lines += [{"index": {"_id": str(number)}}, {"t": value, "u": TEXTS[-number], "d": value}]
    client.post("/a/_bulk?refresh=true", lines)
    return client


@pytest.mark.parametrize(
    ("query", "scores"),
    [
        (
            {"match": {"t": "café"}},
            {
                "2": 0.57046163,
                "0": 0.5150571,
                "4": 0.47412536,
                "6": 0.46488917,
                "1": 0.35442042,
                "3": 0.35442042,
            },
        ),
        (
            {"match": {"d": "café noir"}},
            {
                "1": 0.97061867,
                "0": 0.96582794,
                "2": 0.96582794,
                "7": 0.68706477,
                "6": 0.45400396,
                "4": 0.42018425,
                "5": 0.3082019,
                "3": 0.29735082,
            },
        ),
        ({"match": {"t": {"query": "café né", "operator": "and"}}}, {"4": 2.577151, "3": 2.2206817}),
        ({"match_phrase": {"t": "café noir"}}, {"0": 2.7893474, "1": 1.9194022}),
        ({"match_phrase": {"t": "né café"}}, {"4": 4.173195}),
        (
            {"match_phrase": {"t": {"query": "noir café", "slop": 2}}},
            {"2": 1.9194022, "0": 1.1608362, "1": 0.9549737},
        ),
        ({"match_phrase": {"t": {"query": "né né café", "slop": 3}}}, {"4": 6.963348}),
        (
            {"multi_match": {"query": "café", "fields": ["t", "u^2"], "type": "cross_fields"}},
            {
                "6": 0.9482507,
                "2": 0.92977834,
                "0": 0.8044149,
                "4": 0.70884085,
                "5": 0.70884085,
                "7": 0.70884085,
                "1": 0.35442042,
                "3": 0.35442042,
            },
        ),
        (
            {"multi_match": {"query": "café noir", "fields": ["t", "u"], "type": "phrase"}},
            {"0": 2.7893474, "1": 1.9194022, "7": 1.9194022},
        ),
    ],
)
def test_scores(client: Client, query: dict[str, Any], scores: dict[str, float]) -> None:
    hits = client.post("/a/_search", {"query": query}).json()["hits"]["hits"]
    assert {hit["_id"]: hit["_score"] for hit in hits} == pytest.approx(scores, rel=2e-6)


def test_beginnings_at_the_end_of_synonyms_of_several_words(client: Client) -> None:
    graph = {"type": "synonym_graph", "synonyms": ["wtf, what the fudge", "foo, bar baz"]}
    analyzer = {"type": "custom", "tokenizer": "standard", "filter": ["lowercase", "g"]}
    settings = {"number_of_shards": 1, "analysis": {"filter": {"g": graph}, "analyzer": {"g": analyzer}}}
    client.put("/g", {"settings": settings, "mappings": {"properties": {"text": {"type": "text"}}}})
    texts = (
        "say wtf happened foo",
        "bar baz what the fudge man",
        "wtf",
        "what is the name for fudge",
        "bar two three",
        "bar baz two three",
        "WTFD!",
        "Weird Al's WHAT THE FUDGESICLE",
    )
    for number, text in enumerate(texts, 1):
        client.put(f"/g/_doc/{number}?refresh=true", {"text": text})
    query = {"match_phrase_prefix": {"text": {"query": "wtf", "analyzer": "g"}}}
    hits = client.post("/g/_search", {"query": query}).json()["hits"]["hits"]
    assert [(hit["_id"], hit["_score"]) for hit in hits] == [
        ("3", 11.477586),
        ("7", 11.477586),
        ("1", 7.8210096),
        ("8", 7.0701933),
        ("2", 6.450905),
    ]
    explained = client.post("/g/_validate/query?explain=true&rewrite=true", {"query": query}).json()
    assert explained["explanations"][0]["explanation"] == (
        "spanOr([spanNear([text:what, text:the, spanOr([text:fudge, text:fudgesicle])], 0, true), "
        "spanOr([text:wtf, text:wtfd])])"
    )
