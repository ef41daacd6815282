"""Formulas that the settings of a new index define. The texts are the reference's."""

from typing import Any

import pytest

from tests.conftest import Client


@pytest.mark.parametrize(
    ("similarity", "reason"),
    [
        ({"s": {"type": "bogus"}}, "Unknown Similarity type [bogus] for [s]"),
        ({"default": {"type": "bogus"}}, "Unknown Similarity type [bogus] for [default]"),
        ({"s": {"type": "BM25", "k1": "x"}}, "Failed to parse float setting [k1] with value [x]"),
        ({"s": {"type": "BM25", "k1": -1}}, "illegal k1 value: -1.0, must be a non-negative finite value"),
        ({"s": {"type": "BM25", "k1": "NaN"}}, "illegal k1 value: NaN, must be a non-negative finite value"),
        ({"s": {"type": "BM25", "b": 2}}, "illegal b value: 2.0, must be between 0 and 1"),
        ({"s": {"type": "BM25", "foo": 2}}, "Unknown settings for similarity of type [BM25]: [foo]"),
        ({"s": {"type": "boolean", "x": 2}}, "Unknown settings for similarity of type [boolean]: [x]"),
        ({"s": {"k1": 1}}, "Similarity [s] must have an associated type"),
        (
            {"BM25": {"type": "BM25"}},
            "illegal value for [index.similarity.BM25] cannot redefine built-in similarity",
        ),
        (
            {"s": {"type": "BM25", "discount_overlaps": "x"}},
            "Failed to parse value [x] as only [true] or [false] are allowed.",
        ),
        ({"s": {"type": "scripted"}}, "Similarity type [scripted] is not supported by this version"),
    ],
)
def test_bad_formulas(client: Client, similarity: dict[str, Any], reason: str) -> None:
    answer = client.put("/a", {"settings": {"similarity": similarity}})
    assert (answer.status, answer.error()["type"]) == (400, "illegal_argument_exception")
    assert answer.error()["reason"] == reason
    assert client.head("/a").status == 404


def test_a_formula_counts(client: Client) -> None:
    body = {
        "settings": {"number_of_shards": 1, "similarity": {"flat": {"type": "BM25", "k1": 0, "b": 0}}},
        "mappings": {"properties": {"t": {"type": "text", "similarity": "flat"}}},
    }
    assert client.put("/a", body).status == 200
    client.put("/a/_doc/1?refresh=true", {"t": "x x x x"})
    client.put("/a/_doc/2?refresh=true", {"t": "x and much else"})
    hits = client.post("/a/_search", {"query": {"match": {"t": "x"}}}).json()["hits"]["hits"]
    assert hits[0]["_score"] == hits[1]["_score"]
