"""exists; what is found is what the reference finds."""

import pytest

from tests.conftest import Client

VALUES = {
    "word": "fox",
    "stop": "the",
    "empty": "",
    "space": "  ",
    "null": None,
    "array": [],
    "array-empty": [""],
    "array-null": [None],
    "number": 5,
    "mixed": ["", "the"],
}
ALL = {"word", "stop", "empty", "space", "array-empty", "number", "mixed"}
TEXT = {"type": "text", "analyzer": "stop"}


@pytest.mark.parametrize(
    ("field", "found"),
    [
        (TEXT, ALL),
        ({**TEXT, "norms": False}, ALL),
        ({**TEXT, "index_options": "docs"}, ALL),
        ({**TEXT, "index_options": "docs", "norms": False}, ALL),
        ({**TEXT, "index": False}, set()),
        ({"type": "keyword", "doc_values": False}, ALL),
        ({"type": "keyword", "doc_values": False, "norms": True}, ALL),
        ({"type": "keyword", "ignore_above": 2}, ALL - {"word", "stop"}),
        ({"type": "keyword", "ignore_above": 2, "doc_values": False}, ALL - {"word", "stop"}),
        ({"type": "keyword", "ignore_above": 2, "norms": True, "doc_values": False}, ALL - {"word", "stop"}),
    ],
)
def test_values_without_tokens(client: Client, field: dict[str, object], found: set[str]) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {"f": field}}})
    for name, value in VALUES.items():
        assert client.put(f"/a/_doc/{name}", {"f": value}).status == 201

    def hits() -> set[str]:
        answer = client.post("/a/_search", {"query": {"exists": {"field": "f"}}}).json()
        return {hit["_id"] for hit in answer["hits"]["hits"]}

    client.post("/a/_refresh")
    assert hits() == found
    client.delete("/a/_doc/word?refresh=true")
    client.put("/a/_doc/other?refresh=true", {})
    client.post("/a/_forcemerge?max_num_segments=1")
    assert hits() == found - {"word"}
