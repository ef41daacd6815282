"""Percolation over HTTP, beside the exchanges of tests/rest/types/percolator.json."""

from typing import Any

import pytest

from tests.conftest import Client

MAPPING = {
    "properties": {"q": {"type": "percolator"}, "t": {"type": "text"}, "k": {"type": "keyword"}},
}


@pytest.fixture
def filled(client: Client) -> Client:
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    assert client.put("/p", {"settings": settings, "mappings": MAPPING}).status == 200
    assert client.put("/words", {"mappings": {"properties": {"k": {"type": "keyword"}}}}).status == 200
    assert client.put("/words/_doc/1?refresh=true", {"k": ["a", "b"]}).status == 201
    return client


def put(client: Client, id_: str, query: Any) -> None:
    answer = client.put(f"/p/_doc/{id_}?refresh=true", {"q": query})
    assert answer.status in (200, 201), answer.text


def percolated(client: Client, document: Any, **more: Any) -> set[str]:
    body = {"query": {"percolate": {"field": "q", "document": document, **more}}}
    return {hit["_id"] for hit in client.post("/p/_search", body).json()["hits"]["hits"]}


def test_updates_deletes_and_merges(filled: Client) -> None:
    put(filled, "1", {"term": {"k": "x"}})
    put(filled, "2", {"match": {"t": "quick"}})
    put(filled, "3", {"prefix": {"k": "x"}})
    assert percolated(filled, {"k": "x"}) == {"1", "3"}
    put(filled, "1", {"term": {"k": "y"}})
    assert filled.delete("/p/_doc/3?refresh=true").status == 200
    assert percolated(filled, {"k": "x"}) == set()
    assert percolated(filled, {"k": "y", "t": "quick"}) == {"1", "2"}
    assert filled.post("/p/_forcemerge?max_num_segments=1").status == 200
    assert filled.post("/p/_refresh").status == 200
    assert percolated(filled, {"k": "y", "t": "quick"}) == {"1", "2"}


def test_terms_of_other_documents_are_those_of_the_time_of_indexing(filled: Client) -> None:
    put(filled, "1", {"terms": {"k": {"index": "words", "id": "1", "path": "k"}}})
    assert filled.delete("/words").status == 200
    assert percolated(filled, {"k": "b"}) == {"1"}
    assert percolated(filled, {"k": "c"}) == set()
    source = filled.get("/p/_doc/1").json()["_source"]
    assert source == {"q": {"terms": {"k": {"index": "words", "id": "1", "path": "k"}}}}


def test_a_logged_query_is_taken_back_whatever_it_refers_to(filled: Client) -> None:
    node: Any = filled.app.node
    (service,) = (one for one in node.indices if one.name == "p")
    source = b'{"q": {"terms": {"k": {"index": "gone", "id": "1", "path": "k"}}}}'
    with pytest.raises(Exception, match="failed to parse"):
        service.mapping.parse_document(source, id="1", routing=None)
    values = {field.name: value for field, value in service.parse(source, "1", None)}
    assert values["q.extraction_result"] == b"failed"


def test_long_queries(filled: Client) -> None:
    put(filled, "1", {"terms": {"k": [f"value-{i}" for i in range(20_000)]}})
    assert percolated(filled, {"k": "value-19999"}) == {"1"}
    assert percolated(filled, {"k": "value-20000"}) == set()


def test_counts_see_the_document_as_it_is(filled: Client) -> None:
    put(filled, "1", {"term": {"k": "a"}})
    body = {"query": {"percolate": {"field": "q", "index": "words", "id": "1"}}}
    assert filled.post("/p/_count", body).json()["count"] == 1
    assert filled.put("/words/_doc/1?refresh=true", {"k": "z"}).status == 200
    assert filled.post("/p/_count", body).json()["count"] == 0


def test_what_is_not_mapped_stays_so(filled: Client) -> None:
    put(filled, "1", {"match_all": {}})
    before = filled.get("/p/_mapping").json()
    assert percolated(filled, {"new": 1, "other": {"field": "x"}}) == {"1"}
    assert filled.get("/p/_mapping").json() == before


def test_now_is_that_of_the_search(filled: Client) -> None:
    assert filled.put("/p/_mapping", {"properties": {"d": {"type": "date"}}}).status == 200
    put(filled, "1", {"range": {"d": {"gte": "now+1d"}}})
    assert percolated(filled, {"d": "2999-01-01"}) == {"1"}
    assert percolated(filled, {"d": "1999-01-01"}) == set()


def test_expensive_queries(filled: Client) -> None:
    put(filled, "1", {"match_all": {}})
    settings = {"transient": {"search.allow_expensive_queries": False}}
    assert filled.put("/_cluster/settings", settings).status == 200
    body = {"query": {"percolate": {"field": "q", "document": {}}}}
    error = filled.post("/p/_search", body).error()
    reason = "[percolate] queries cannot be executed when 'search.allow_expensive_queries' is set to false."
    assert error["root_cause"] == [{"type": "exception", "reason": reason}]


def test_profile_and_named_queries(filled: Client) -> None:
    put(filled, "1", {"match": {"t": "fox"}})
    percolate = {"percolate": {"field": "q", "document": {"t": "fox"}, "_name": "n"}}
    answer = filled.post("/p/_search", {"query": percolate, "profile": True}).json()
    query: Any
    (query,) = answer["profile"]["shards"][0]["searches"][0]["query"]
    assert query["type"] == "PercolateQuery"
    assert query["description"].startswith('PercolateQuery{document_sources={{"t":"fox"}\n},inner={')
    assert answer["hits"]["hits"][0]["matched_queries"] == ["n"]


@pytest.mark.parametrize("name", ["has_child", "has_parent"])
def test_queries_that_join_documents(filled: Client, name: str) -> None:
    query: dict[str, Any] = {
        "bool": {"should": [{"constant_score": {"filter": {name: {"query": {"match_all": {}}}}}}]}
    }
    error = filled.put("/p/_doc/1", {"q": query}).error()
    assert error["caused_by"] == {
        "type": "illegal_argument_exception",
        "reason": f"the [{name}] query is unsupported inside a percolator query",
    }


def test_searches_of_several(filled: Client) -> None:
    put(filled, "1", {"match_all": {}})
    percolate = {"percolate": {"field": "q", "document": {"t": "fox"}}}
    missing = {"percolate": {"field": "q", "index": "words", "id": "nix"}}
    lines: list[Any] = [{"index": "p"}, {"query": percolate}, {"index": "p"}, {"query": missing}]
    first, second = filled.post("/_msearch", lines).json()["responses"]
    assert first["hits"]["total"]["value"] == 1
    assert second["error"]["reason"] == "indexed document [words/nix] couldn't be found"
    assert second["status"] == 404
