"""``_explain``, ``explain`` of a search and ``_validate/query``.

explained.ndjson holds what the reference (OpenSearch 2.19.1) answered over the documents of corpus.json.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client

FOLDER = Path(__file__).parent
CORPUS = json.loads((FOLDER / "corpus.json").read_text())
CASES = [json.loads(line) for line in (FOLDER / "explained.ndjson").read_text().splitlines()]


def differences(wanted: dict[str, Any], given: dict[str, Any], path: str = "") -> list[str]:
    """What two explanations differ in; values of single precision may differ in the last digit."""
    a, b = wanted["value"], given["value"]
    found = []
    if type(a) is not type(b) or abs(a - b) > 1e-6 * max(abs(a), abs(b)):
        found.append(f"{path}: {a} / {b}")
    if wanted["description"] != given["description"]:
        found.append(f"{path}: {wanted['description']} / {given['description']}")
    if len(wanted["details"]) != len(given["details"]):
        return [*found, f"{path}: {len(wanted['details'])} / {len(given['details'])} details"]
    for i, (one, other) in enumerate(zip(wanted["details"], given["details"], strict=True)):
        found += differences(one, other, f"{path}/{i}")
    return found


def put(client: Client, name: str = "t") -> None:
    assert client.put(f"/{name}", CORPUS["index"]).status == 200
    lines: list[Any] = []
    for i, document in enumerate(CORPUS["documents"]):
        lines += [{"index": {"_index": name, "_id": str(i)}}, document]
    assert not client.post("/_bulk?refresh=true", lines).json()["errors"]


@pytest.fixture
def corpus(client: Client) -> Client:
    put(client)
    return client


def test_explanations_are_those_of_the_reference(corpus: Client) -> None:
    wrong = {}
    for case in CASES:
        for id_, wanted in case["documents"].items():
            answer = corpus.post(f"/t/_explain/{id_}", {"query": case["query"]}).json()
            found = differences(wanted, answer["explanation"])
            if found:
                wrong[f"{case['query']} {id_}"] = found
    assert wrong == {}


def test_texts_are_those_of_the_reference(corpus: Client) -> None:
    wrong = {}
    for case in CASES:
        if "text" not in case:
            continue
        for option, wanted in (
            ("explain", case["text"]),
            ("rewrite", case.get("rewritten", case["text"])),
        ):
            answer = corpus.post(f"/t/_validate/query?{option}=true", {"query": case["query"]}).json()
            given = answer["explanations"][0]["explanation"]
            if given != wanted:
                wrong[f"{case['query']} {option}"] = (wanted, given)
    assert wrong == {}


def test_explanations_of_hits_have_the_value_of_the_score(corpus: Client) -> None:
    for case in CASES:
        answer = corpus.post("/t/_search?explain=true", {"query": case["query"]}).json()
        for hit in answer["hits"]["hits"]:
            value = hit["_explanation"]["value"]
            assert abs(value - hit["_score"]) <= 1e-6 * abs(value), case["query"]
            assert hit["_shard"] == "[t][0]"
            assert list(hit)[:3] == ["_shard", "_node", "_index"]


def test_a_search_explains_rescored_hits(corpus: Client) -> None:
    body = {
        "explain": True,
        "query": {"match": {"t": "wind"}},
        "rescore": {
            "window_size": 5,
            "query": {"rescore_query": {"match": {"t": "farm"}}, "query_weight": 0.5},
        },
    }
    hits = corpus.post("/t/_search", body).json()["hits"]["hits"]
    first = hits[0]["_explanation"]
    assert (hits[0]["_id"], first["description"]) == ("0", "sum of:")
    assert [one["description"] for one in first["details"]] == ["product of:", "product of:"]
    assert abs(first["value"] - hits[0]["_score"]) < 1e-6
    assert hits[1]["_explanation"]["description"] == "product of:"


def test_a_document_that_is_not_there(corpus: Client) -> None:
    answer = corpus.post("/t/_explain/9", {"query": {"match_all": {}}})
    assert (answer.status, answer.json()) == (404, {"_index": "t", "_id": "9", "matched": False})


def test_the_document_itself(corpus: Client) -> None:
    answer = corpus.post("/t/_explain/1?_source=k", {"query": {"match_all": {}}}).json()
    assert answer["get"] == {"_seq_no": 1, "_primary_term": 1, "found": True, "_source": {"k": "b"}}
    answer = corpus.post("/t/_explain/1?stored_fields=k", {"query": {"match_all": {}}}).json()
    assert answer["get"] == {"_seq_no": 1, "_primary_term": 1, "found": True}
    assert "get" not in corpus.post("/t/_explain/1?_source=false", {"query": {"match_all": {}}}).json()


def test_the_query_of_the_url(corpus: Client) -> None:
    answer = corpus.get("/t/_explain/1?q=WIND&df=t&analyzer=keyword").json()
    assert answer["matched"] is False
    answer = corpus.get("/t/_explain/1?q=WIND&df=t").json()
    assert answer["explanation"]["description"].startswith("weight(t:wind in 1)")


def test_an_alias_leaves_what_its_filter_does(corpus: Client) -> None:
    corpus.put("/t/_alias/a", {"filter": {"term": {"k": "b"}}})
    answer = corpus.post("/a/_explain/1", {"query": {"match_all": {}}}).json()
    assert answer["explanation"] == {"value": 1.0, "description": "ConstantScore(k:b)", "details": []}
    assert corpus.post("/a/_explain/0", {"query": {"match_all": {}}}).json()["matched"] is False


@pytest.mark.parametrize(
    ("body", "reason", "place"),
    [
        (None, "Validation Failed: 1: query is missing;", None),
        ({}, "Validation Failed: 1: query is missing;", None),
        ({"query": {}}, "Failed to parse", (1, 11)),
        ({"query": {"match_all": {}}, "size": 1}, "request does not support [size]", (1, 27)),
        ({"query": 5}, "[_na] query malformed, must start with start_object", (1, 10)),
    ],
)
def test_bad_bodies(corpus: Client, body: Any, reason: str, place: tuple[int, int] | None) -> None:
    data = None if body is None else json.dumps(body, separators=(",", ":"))
    answer = corpus.request("POST", "/t/_explain/1", data, {"content-type": "application/json"})
    error = answer.error()
    assert (answer.status, error["reason"]) == (400, reason)
    if place is not None:
        assert (error["line"], error["col"]) == place


def test_bad_values_and_parameters(corpus: Client) -> None:
    answer = corpus.post("/t/_explain/1", {"query": {"term": {"n": "x"}}})
    assert answer.status == 400
    assert answer.error()["type"] == "query_shard_exception"
    assert corpus.post("/t/_explain/1?realtime=true", {"query": {"match_all": {}}}).status == 400
    assert corpus.post("/none/_explain/1", {"query": {"match_all": {}}}).status == 404
    assert corpus.post("/t/_explain/1?preference=_x", {"query": {"match_all": {}}}).status == 400


def test_validate_shows_every_shard(client: Client) -> None:
    client.put("/two", {"settings": {"number_of_shards": 2}})
    answer = client.get("/two/_validate/query?q=t:wind&all_shards=true&explain=true").json()
    assert [one["shard"] for one in answer["explanations"]] == [0, 1]
    assert answer["_shards"] == {"total": 2, "successful": 2, "failed": 0}


def test_deep_queries_are_rewritten_in_time(corpus: Client) -> None:
    query: dict[str, Any] = {"term": {"k": "a"}}
    for _ in range(29):
        query = {"bool": {"must": [query], "filter": [{"match_all": {}}], "boost": 2}}
    answer = corpus.post("/t/_explain/0", {"query": query}).json()
    assert answer["matched"] is True
    assert corpus.post("/t/_validate/query?rewrite=true", {"query": query}).json()["valid"] is True


NESTED = {
    "mappings": {
        "properties": {
            "t": {"type": "text"},
            "k": {"type": "keyword"},
            "c": {"type": "nested", "properties": {"m": {"type": "text"}}},
        }
    }
}


@pytest.fixture
def nested(client: Client) -> Client:
    client.put("/n", NESTED)
    client.put("/n/_doc/0", {"t": "first", "k": "z"})
    client.put("/n/_doc/1?refresh=true", {"t": "wind", "k": "a", "c": [{"m": "soft wind"}, {"m": "rain"}]})
    return client


def test_rows_of_nested_objects_are_explained(nested: Client) -> None:
    # as recorded of the reference (explain-0026); the document before takes row 0
    query = {"nested": {"path": "c", "query": {"match": {"c.m": "wind"}}, "score_mode": "sum"}}
    explanation = nested.post("/n/_explain/1", {"query": query}).json()["explanation"]
    words = "Score based on 1 child docs in range from 1 to 2, using score mode Total"
    assert explanation["description"] == words
    assert explanation["details"][0]["description"].startswith("weight(c.m:wind in 1) ")
    query["nested"]["query"] = {"bool": {"should": [{"match": {"c.m": "wind rain"}}, {"match_all": {}}]}}
    explanation = nested.post("/n/_explain/1", {"query": query}).json()["explanation"]
    assert explanation["description"].startswith("Score based on 2 child docs")
    assert explanation["details"][0]["description"] == "sum of:"
    assert nested.post("/n/_explain/0", {"query": query}).json()["explanation"]["value"] == 0.0


def test_a_query_that_might_find_nested_objects_is_narrowed_to_documents(nested: Client) -> None:
    # as recorded of the reference (explain-0031, explain-0115, explain-0036)
    def text(query: dict[str, Any]) -> str:
        answer = nested.post("/n/_validate/query?explain=true", {"query": query}).json()
        return str(answer["explanations"][0]["explanation"])

    documents = "FieldExistsQuery [field=_primary_term]"
    assert text({"prefix": {"t": "wi"}}) == f"+t:wi* #{documents}"
    assert text({"match_all": {}}) == f"+*:* #{documents}"
    assert text({"term": {"k": "a"}}) == "k:a"
    assert text({"term": {"_id": "1"}}) == f"+_id:([fe 1f]) #{documents}"
    assert text({"bool": {"must": [{"term": {"k": "a"}}, {"prefix": {"t": "w"}}]}}) == "+k:a +t:w*"
    explanation = nested.post("/n/_explain/1", {"query": {"match_all": {}}}).json()["explanation"]
    assert explanation["description"] == f"ConstantScore({documents})"


@pytest.mark.parametrize(
    ("body", "text", "words", "values"),
    [
        # as the reference answers
        (
            {"field": "r"},
            "FeatureQuery(field=_feature, feature=r, function=SaturationFunction(pivot=null))",
            "Saturation function on the _feature field for the r feature, computed as w * S / (S + k) from:",
            [0.72727275, 1.0, 3.0, 8.0],
        ),
        (
            {"field": "r", "log": {"scaling_factor": 2}},
            "FeatureQuery(field=_feature, feature=r, function=LogFunction(scalingFactor=2.0))",
            "Log function on the _feature field for the r feature, computed as w * log(a + S) from:",
            [2.3025851, 1.0, 2.0, 8.0],
        ),
        (
            {"field": "r", "sigmoid": {"pivot": 3, "exponent": 0.5}},
            "FeatureQuery(field=_feature, feature=r, function=SigmoidFunction(pivot=3.0, a=0.5))",
            "Sigmoid function on the _feature field for the r feature, "
            "computed as w * S^a / (S^a + k^a) from:",
            [0.6202041, 1.0, 3.0, 0.5, 8.0],
        ),
        (
            {"field": "r", "linear": {}},
            "FeatureQuery(field=_feature, feature=r, function=LinearFunction)",
            "Linear function on the _feature field for the r feature, computed as w * S from:",
            [8.0, 1.0, 8.0],
        ),
    ],
)
def test_features(client: Client, body: Any, text: str, words: str, values: list[float]) -> None:
    properties = {"r": {"type": "rank_feature"}, "rs": {"type": "rank_features"}}
    client.put("/f", {"mappings": {"properties": properties}})
    client.put("/f/_doc/1", {"r": 8, "rs": {"x": 5}})
    client.put("/f/_doc/2?refresh=true", {"r": 1})
    query = {"rank_feature": body}
    answer = client.post("/f/_validate/query?explain=true", {"query": query}).json()
    assert answer["explanations"][0]["explanation"] == text
    explanation = client.post("/f/_explain/1", {"query": query}).json()["explanation"]
    assert explanation["description"] == words
    found = [explanation["value"], *(one["value"] for one in explanation["details"])]
    assert found == pytest.approx(values)
    explanation = client.post("/f/_explain/2", {"query": {"rank_feature": {"field": "rs.x"}}}).json()[
        "explanation"
    ]
    description = explanation["description"]
    assert description.startswith("weight(FeatureQuery(field=rs, feature=x, function=SaturationFunction(")
    assert description.endswith(" [SaturationFunction(pivot=5.0)]. Feature x isn't set.")


def test_what_is_outside_of_a_rescoring_window_is_explained_so(client: Client) -> None:
    # cf. 210_rescore_explain.yml of the reference's REST tests
    for n in range(3):
        client.put(f"/r/_doc/{n}?refresh=true", {"n": n})
    second = {"rescore_query": {"match_all": {}}, "query_weight": 5, "rescore_query_weight": 10}
    body = {
        "explain": True,
        "query": {"match_all": {}},
        "rescore": {"window_size": 2, "query": second},
    }
    hits = client.post("/r/_search", body).json()["hits"]["hits"]
    assert [hit["_score"] for hit in hits] == [15.0, 15.0, 5.0]
    assert [hit["_explanation"]["value"] for hit in hits] == [15.0, 15.0, 5.0]
