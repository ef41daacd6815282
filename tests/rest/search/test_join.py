"""Joins over HTTP: what OpenSearch 2.19.1 answered, kept beside this file."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client
from tests.rest.search.recorded_exchanges import differences

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", ["mappings", "fields", "queries", "explanations", "inner_hits", "changes"])
def test_recorded_exchanges(client: Client, name: str) -> None:
    """The answers are those of the reference."""
    assert differences(client, FOLDER / f"recorded_join_{name}.json") == []


@pytest.fixture
def family(client: Client) -> Client:
    fields = {"j": {"type": "join", "relations": {"mother": "son"}}, "o": {"type": "nested"}}
    assert client.put("/f", {"mappings": {"properties": fields}}).status == 200
    client.put("/f/_doc/1", {"j": "mother", "o": [{"x": 1}, {"x": 2}]})
    for i in range(4):
        source = {"j": {"name": "son", "parent": "1"}, "n": i, "o": {"x": i}}
        assert client.put(f"/f/_doc/s{i}?routing=1", source).status == 201
    client.post("/f/_refresh")
    return client


def to_and_fro(depth: int, **inner_hits: Any) -> dict[str, Any]:
    query: dict[str, Any] = {"match_all": {}}
    for i in range(depth):
        kind, key, relation = (
            ("has_child", "type", "son") if i % 2 else ("has_parent", "parent_type", "mother")
        )
        query = {kind: {key: relation, "query": query, "inner_hits": inner_hits}}
    return query


def test_inner_hits_on_many_levels(family: Client) -> None:
    """Refused before they are looked for, where they could be very many: 3 to the power of the levels."""
    answer = family.post("/f/_search", {"query": to_and_fro(60)})
    assert answer.status == 400
    assert "could show more than [100000] hits" in answer.error()["root_cause"][0]["reason"]
    assert family.post("/f/_search", {"query": to_and_fro(60, size=1)}).status == 200
    hits = family.post("/f/_search", {"query": to_and_fro(4), "sort": "n"}).json()["hits"]["hits"]
    assert [hit["_id"] for hit in hits] == ["1"]
    for n_hits, relation in ((3, "son"), (1, "mother"), (3, "son"), (1, "mother")):
        inner = hits[0]["inner_hits"][relation]["hits"]
        hits = inner["hits"]
        assert len(hits) == n_hits
    assert "inner_hits" not in hits[0]


def test_relatives_of_nested_objects(family: Client) -> None:
    """A nested object has none, although its document has; inside of relatives there are nested objects."""
    inside = {"nested": {"path": "o", "query": {"range": {"o.x": {"gte": 2}}}, "inner_hits": {}}}
    body = {"query": {"has_child": {"type": "son", "query": inside, "inner_hits": {"sort": ["n"]}}}}
    (hit,) = family.post("/f/_search", body).json()["hits"]["hits"]
    sons = hit["inner_hits"]["son"]["hits"]["hits"]
    assert [son["_id"] for son in sons] == ["s2", "s3"]
    for son, x in zip(sons, (2, 3), strict=True):
        (row,) = son["inner_hits"]["o"]["hits"]["hits"]
        assert row["_source"] == {"x": x}
    either = {"bool": {"should": [to_and_fro(2)], "must": [{"match_all": {}}]}}
    body = {"query": {"nested": {"path": "o", "query": either, "inner_hits": {}}}}
    for hit in family.post("/f/_search", body).json()["hits"]["hits"]:
        for row in hit["inner_hits"]["o"]["hits"]["hits"]:
            assert row["inner_hits"]["son"]["hits"]["total"]["value"] == 0


def test_documents_beside_malformed_values(client: Client) -> None:
    """A hit of an index that leaves out malformed values is parsed once more, as it was."""
    fields = {
        "j": {"type": "join", "relations": {"mother": "son"}},
        "n": {"type": "integer", "ignore_malformed": True},
    }
    client.put("/m", {"mappings": {"properties": fields}})
    source = {"j": {"name": "son", "parent": "1"}, "n": "x"}
    assert client.put("/m/_doc/2?routing=1&refresh=true", source).status == 201
    query = {"parent_id": {"type": "son", "id": "1"}}
    (hit,) = client.post("/m/_search", {"query": query}).json()["hits"]["hits"]
    assert hit["_ignored"] == ["n"]
