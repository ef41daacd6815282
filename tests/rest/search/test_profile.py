"""``profile``: shapes, types and descriptions are the reference's (OpenSearch 2.19.1, area profile)."""

from typing import Any

import pytest

from tests.conftest import Client

KEYS = {
    "set_min_competitive_score",
    "match",
    "shallow_advance",
    "next_doc",
    "score",
    "compute_max_score",
    "advance",
    "build_scorer",
    "create_weight",
}


@pytest.fixture
def filled(client: Client) -> Client:
    fields = {"t": {"type": "text"}, "k": {"type": "keyword"}, "n": {"type": "integer"}}
    client.put("/one", {"mappings": {"properties": fields}})
    client.put("/two", {"settings": {"number_of_shards": 2}})
    for i, (text, word) in enumerate([("wind sea", "a"), ("sea wind rain", "b"), ("the sea", "a")]):
        client.put(f"/one/_doc/{i}", {"t": text, "k": word, "n": i})
        client.put(f"/two/_doc/{i}", {"t": text})
    client.post("/_refresh")
    return client


def profile(client: Client, path: str = "/one", **body: Any) -> dict[str, Any]:
    answer = client.post(f"{path}/_search", {"profile": True, **body})
    assert answer.status == 200, answer.body
    shards = answer.json()["profile"]["shards"]
    for shard in shards:
        assert shard["aggregations"] == []
    searched: dict[str, Any] = shards[0]["searches"][0]
    return searched


def tree(query: dict[str, Any]) -> Any:
    """Type and description of a query and those inside, whose times are checked."""
    breakdown = query["breakdown"]
    assert breakdown.keys() == KEYS | {f"{key}_count" for key in KEYS}
    assert all(type(value) is int and value >= 0 for value in breakdown.values())
    assert query["time_in_nanos"] == sum(breakdown[key] for key in KEYS)
    assert breakdown["create_weight"] > 0
    shown = (query["type"], query["description"])
    inside = [tree(one) for one in query.get("children", ())]
    return (*shown, inside) if inside else shown


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"match": {"t": "wind"}}, ("TermQuery", "t:wind")),
        (
            {"match": {"t": "wind sea"}},
            ("BooleanQuery", "t:wind t:sea", [("TermQuery", "t:wind"), ("TermQuery", "t:sea")]),
        ),
        (
            {"bool": {"must": [{"match": {"t": "sea"}}], "filter": [{"term": {"k": "a"}}]}},
            ("BooleanQuery", "+t:sea #k:a", [("TermQuery", "t:sea"), ("TermQuery", "k:a")]),
        ),
        (
            {"constant_score": {"filter": {"term": {"k": "a"}}}},
            ("ConstantScoreQuery", "ConstantScore(k:a)", [("TermQuery", "k:a")]),
        ),
        (
            {"range": {"n": {"gte": 2}}},
            (
                "IndexOrDocValuesQuery",
                "IndexOrDocValuesQuery(indexQuery=n:[2 TO 2147483647], dvQuery=n:[2 TO 2147483647])",
            ),
        ),
        ({"match": {"nosuch": "a"}}, ("MatchNoDocsQuery", 'MatchNoDocsQuery("unmapped fields [nosuch]")')),
        # the reference: a MultiPhraseQuery, even of single terms
        ({"match_phrase_prefix": {"t": "sea wi"}}, ("PhraseQuery", 't:"sea wind"')),
        ({"match_all": {}}, ("MatchAllDocsQuery", "*:*")),
    ],
)
def test_queries(filled: Client, query: dict[str, Any], wanted: Any) -> None:
    searched = profile(filled, query=query)
    assert tree(searched["query"][0]) == wanted
    assert searched["rewrite_time"] > 0


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({}, [("SimpleTopScoreDocCollector", "search_top_hits")]),
        ({"sort": ["n"]}, [("SimpleFieldCollector", "search_top_hits")]),
        ({"sort": ["_score"]}, [("SimpleTopScoreDocCollector", "search_top_hits")]),
        ({"size": 0}, [("EarlyTerminatingCollector", "search_count")]),
        ({"size": 0, "track_total_hits": True}, [("TotalHitCountCollector", "search_count")]),
        (
            {"min_score": 0.01},
            [
                ("MinimumScoreCollector", "search_min_score"),
                ("SimpleTopScoreDocCollector", "search_top_hits"),
            ],
        ),
        (
            {"terminate_after": 1},
            [
                ("MultiCollector", "search_terminate_after_count"),
                ("SimpleTopScoreDocCollector", "search_top_hits"),
            ],
        ),
    ],
)
def test_collectors(filled: Client, body: dict[str, Any], names: list[tuple[str, str]]) -> None:
    (collector,) = profile(filled, query={"match": {"t": "sea"}}, **body)["collector"]
    found = []
    while collector:
        found.append((collector["name"], collector["reason"]))
        assert collector["time_in_nanos"] > 0
        collector = (collector.get("children") or [None])[0]
    assert found == names


def test_unscored_searches_are_constant(filled: Client) -> None:
    searched = profile(filled, query={"match": {"t": "sea"}}, sort=["n"])
    assert tree(searched["query"][0])[:2] == ("ConstantScoreQuery", "ConstantScore(t:sea)")


def test_a_second_look_is_profiled_too(filled: Client) -> None:
    rescore = {"query": {"rescore_query": {"term": {"k": "a"}}}}
    queries = profile(filled, query={"match": {"t": "sea"}}, rescore=rescore)["query"]
    assert [tree(one) for one in queries] == [("TermQuery", "t:sea"), ("TermQuery", "k:a")]


def test_every_shard_has_a_profile(filled: Client, node: Any) -> None:
    answer = filled.post("/one,two/_search", {"profile": True, "query": {"match": {"t": "wind"}}}).json()
    ids = [shard["id"] for shard in answer["profile"]["shards"]]
    assert ids == [f"[{node.id}][one][0]", f"[{node.id}][two][0]", f"[{node.id}][two][1]"]
    plain = filled.post("/one,two/_search", {"query": {"match": {"t": "wind"}}}).json()
    assert answer["hits"] == plain["hits"]


def test_bad_switches(filled: Client) -> None:
    assert filled.post("/one/_search", {"profile": "x"}).status == 400
    assert filled.post("/one/_search", {"profile": None}).status == 400
    assert "profile" not in filled.post("/one/_search", {"profile": False}).json()


def test_joins(client: Client) -> None:
    """Of what is wanted the clauses are told, not of what is sought."""
    relations = {"mother": ["daughter", "son"], "son": "grandson"}
    fields = {"j": {"type": "join", "relations": relations}, "t": {"type": "text"}}
    client.put("/one", {"mappings": {"properties": fields}})
    client.put("/one/_doc/1", {"j": "mother", "t": "sea"})
    client.put("/one/_doc/2?routing=1&refresh=true", {"j": {"name": "son", "parent": "1"}, "t": "sea"})
    sought = {"match": {"t": "sea"}}
    found = profile(client, query={"has_child": {"type": "son", "query": sought, "score_mode": "max"}})
    text = "GlobalOrdinalsQuery{joinField=j#mother,min=1,max=2147483647,fromQuery=+t:sea #j:son}"
    assert tree(found["query"][0]) == ("GlobalOrdinalsWithScoreQuery", text)
    found = profile(client, query={"has_parent": {"parent_type": "mother", "query": sought}})
    inside = [("TermQuery", "j:son"), ("TermQuery", "j:daughter")]
    assert tree(found["query"][0]) == (
        "GlobalOrdinalsQuery",
        "GlobalOrdinalsQuery{joinField=j#mother}",
        [("BooleanQuery", "j:son j:daughter", inside)],
    )
    found = profile(client, query={"has_parent": {"parent_type": "son", "query": sought}})
    assert tree(found["query"][0])[2] == [("TermQuery", "j:grandson")]
