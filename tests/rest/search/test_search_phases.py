"""Statistics of all shards, shards that are not asked, and what is told of the phases.

Expected values: recorded answers of the reference (OpenSearch 2.19.1), named where they are used.
"""

from typing import Any

import pytest

from tests.conftest import Client

DFS = "search_type=dfs_query_then_fetch"


@pytest.fixture
def three(client: Client) -> Client:
    client.put("/sh", {"settings": {"number_of_shards": 3}})
    for i, text in enumerate(["wind", "wind sea", "wind rain", "calm", "wind wind wind"], 1):
        client.put(f"/sh/_doc/{i}", {"t": text})
    client.post("/sh/_refresh")
    return client


def scores(client: Client, path: str, query: Any) -> dict[str, float]:
    answer = client.post(f"{path}&size=20", {"query": query}).json()
    return {hit["_id"]: hit["_score"] for hit in answer["hits"]["hits"]}


def test_shards_score_by_the_statistics_of_all(three: Client) -> None:
    # explain-0130
    found = scores(three, f"/sh/_search?{DFS}", {"match": {"t": "wind"}})
    assert found["5"] == pytest.approx(0.39556286)
    assert found["1"] == pytest.approx(0.35161144)
    assert scores(three, "/sh/_search?search_type=query_then_fetch", {"match": {"t": "wind"}})[
        "5"
    ] == pytest.approx(0.45207185)


@pytest.mark.parametrize(
    "query",
    [
        {"match": {"t": "wind sea"}},
        {"match_phrase": {"t": "wind wind"}},
        {"span_near": {"clauses": [{"span_term": {"t": "wind"}}, {"span_term": {"t": "rain"}}], "slop": 2}},
        {"bool": {"must": [{"match": {"t": "wind"}}], "must_not": [{"match": {"t": "rain"}}]}},
    ],
)
def test_many_shards_score_as_one(three: Client, query: Any) -> None:
    three.put("/whole", {"settings": {"number_of_shards": 1}})
    for i, text in enumerate(["wind", "wind sea", "wind rain", "calm", "wind wind wind"], 1):
        three.put(f"/whole/_doc/{i}", {"t": text})
    three.post("/whole/_refresh")
    found = scores(three, f"/sh/_search?{DFS}", query)
    assert found
    whole = three.post("/whole/_search", {"query": query}).json()["hits"]["hits"]
    assert found == pytest.approx({hit["_id"]: hit["_score"] for hit in whole})


def test_explanations_show_the_statistics_of_all(three: Client) -> None:
    body = {"explain": True, "query": {"match": {"t": "wind"}}}
    for hit in three.post(f"/sh/_search?{DFS}", body).json()["hits"]["hits"]:
        explained = hit["_explanation"]
        assert explained["value"] == pytest.approx(hit["_score"])
        idf = explained["details"][0]["details"][1]
        assert [one["value"] for one in idf["details"]] == [4, 5]


def test_scrolls_and_counts_take_the_search_type(three: Client) -> None:
    first = three.post(f"/sh/_search?{DFS}&scroll=1m&size=2", {"query": {"match": {"t": "wind"}}}).json()
    seen = [hit["_id"] for hit in first["hits"]["hits"]]
    page = three.post("/_search/scroll", {"scroll": "1m", "scroll_id": first["_scroll_id"]}).json()
    seen += [hit["_id"] for hit in page["hits"]["hits"]]
    assert sorted(seen) == ["1", "2", "3", "5"]
    three.delete("/_search/scroll", {"scroll_id": first["_scroll_id"]})


# -- shards that are not asked


@pytest.fixture
def dated(client: Client) -> Client:
    """One index of 2021 and one, of two shards, of 2019 (as of search-0411)."""
    mapping = {"properties": {"d": {"type": "date"}, "n": {"type": "integer"}, "t": {"type": "text"}}}
    client.put("/new", {"mappings": mapping})
    client.put("/old", {"mappings": mapping, "settings": {"number_of_shards": 2}})
    client.put("/new/_doc/1", {"d": "2021-03-01", "n": 1})
    for i in range(8):
        client.put(f"/old/_doc/{i}", {"d": "2019-01-01", "n": i})
    client.post("/_refresh")
    return client


def shards(
    client: Client, query: Any, options: str = "pre_filter_shard_size=1", **body: Any
) -> tuple[int, int]:
    answer = client.post(f"/new,old/_search?{options}", {"query": query, **body}).json()
    found = answer["_shards"]
    assert found["total"] == found["successful"] == 3
    return found["skipped"], answer["hits"]["total"]["value"]


def test_shards_without_such_dates_are_skipped(dated: Client) -> None:
    late = {"range": {"d": {"gte": "2021-01-01"}}}
    assert shards(dated, late) == (2, 1)  # search-0411
    assert shards(dated, {"range": {"d": {"gte": "2031-01-01"}}}) == (2, 0)  # search-0412
    assert shards(dated, late, "pre_filter_shard_size=3") == (0, 1)
    assert shards(dated, late, "from=0") == (0, 1)
    assert shards(dated, late, "from=0", sort=["n"]) == (2, 1)
    assert shards(dated, late, "from=0", sort=["_score"]) == (0, 1)
    assert shards(dated, {"bool": {"filter": [late]}}) == (2, 1)
    assert shards(dated, {"bool": {"should": [late, {"term": {"n": 3}}]}}) == (0, 2)
    assert shards(dated, {"bool": {"must": [{"term": {"n": 3}}], "should": [late]}}) == (0, 1)
    assert shards(dated, {"range": {"n": {"gte": 100}}}) == (0, 0)
    assert shards(dated, late, f"pre_filter_shard_size=1&{DFS}") == (0, 1)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"sort": ["t"]}, "Text fields are not optimised"),
        ({"sort": ["nosuch"]}, "No mapping found for [nosuch] in order to sort on"),
        ({"sort": ["n", "d"], "search_after": [1]}, "search_after has 1 value(s) but sort has 2."),
        ({"sort": ["n"], "search_after": ["x"]}, "Failed to parse search_after value for field [n]."),
    ],
)
def test_a_bad_sort_fails_before_the_query_phase(dated: Client, body: Any, reason: str) -> None:
    # search-0155, search-0156, search-0501, search-0503
    error = dated.post("/old/_search", body).error()
    assert error["phase"] == "can_match"
    assert error["root_cause"][0]["reason"].startswith(reason)
    assert dated.post("/new/_search", body).error()["phase"] == "query"


# -- what is told


def test_phases_take_time(dated: Client) -> None:
    answer = dated.get("/old/_search?phase_took=true&sort=n").json()  # search-0404
    assert list(answer)[:2] == ["took", "phase_took"]
    assert answer["phase_took"].keys() == {
        "dfs_pre_query",
        "query",
        "fetch",
        "dfs_query",
        "expand",
        "can_match",
    }
    assert "phase_took" not in dated.get("/old/_search?sort=n").json()


def test_named_queries_tell_their_scores(three: Client) -> None:
    query = {
        "bool": {
            "should": [{"match": {"t": {"query": "wind", "_name": "w"}}}],
            "filter": [{"exists": {"field": "t", "_name": "e"}}],
        }
    }
    hits = three.post("/sh/_search?include_named_queries_score=true", {"query": query}).json()["hits"]["hits"]
    assert len(hits) == 5
    for hit in hits:
        named = hit["matched_queries"]
        assert named["e"] == 1.0
        assert named.get("w", 0.0) == hit["_score"]
    body = {"query": query, "include_named_queries_score": True}
    assert three.post("/sh/_search", body).json()["hits"]["hits"][0]["matched_queries"].keys() == {"w", "e"}
