"""Expected values are the reference's."""

import pytest

from tests.conftest import Client


@pytest.fixture
def client(client: Client) -> Client:
    body = {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {"n": {"type": "integer"}}}}
    client.put("/a", body)
    return client


def test_every_action(client: Client) -> None:
    body = [
        {"index": {"_index": "a", "_id": "1"}},
        {"n": 1},
        {"create": {"_index": "a", "_id": "2"}},
        {"n": 2},
        {"update": {"_index": "a", "_id": "1"}},
        {"doc": {"n": 5}},
        {"delete": {"_index": "a", "_id": "2"}},
        {"index": {"_index": "a"}},
        {"n": 3},
    ]
    answer = client.request("POST", "/_bulk?refresh=true", body).json()
    assert answer["errors"] is False
    results = [
        (kind, item["result"], item["status"]) for line in answer["items"] for kind, item in line.items()
    ]
    assert results == [
        ("index", "created", 201),
        ("create", "created", 201),
        ("update", "updated", 200),
        ("delete", "deleted", 200),
        ("index", "created", 201),
    ]
    assert client.get("/a/_doc/1").json()["_source"] == {"n": 5}


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_the_index_of_the_path_is_the_default(client: Client, method: str) -> None:
    answer = client.request(method, "/a/_bulk", [{"index": {"_id": "1"}}, {"n": 1}])
    assert answer.json()["items"][0]["index"]["_index"] == "a"
    answer = client.request(method, "/_bulk", [{"index": {"_index": "a", "_id": "1"}}, {"n": 1}])
    assert answer.json()["items"][0]["index"]["result"] == "updated"


def test_one_bad_line_harms_no_other(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1})
    body = [
        {"index": {"_id": "2"}},
        {"n": "x"},
        {"create": {"_id": "1"}},
        {"n": 3},
        {"delete": {"_id": "nope"}},
        {"update": {"_id": "gone"}},
        {"doc": {"n": 5}},
        {"index": {"_id": "3"}},
        '{"n":',
        {"index": {"_index": "S_A"}},
        {"n": 3},
        {"index": {"_id": "4"}},
        {"n": 4},
    ]
    answer = client.request("POST", "/a/_bulk", body).json()
    assert answer["errors"] is True
    found = [
        (item["status"], item.get("error", {}).get("type"))
        for line in answer["items"]
        for item in line.values()
    ]
    assert found == [
        (400, "mapper_parsing_exception"),
        (409, "version_conflict_engine_exception"),
        (404, None),
        (404, "document_missing_exception"),
        (400, "mapper_parsing_exception"),
        (400, "invalid_index_name_exception"),
        (201, None),
    ]
    assert list(answer["items"][0]["index"]) == ["_index", "_id", "status", "error"]


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b"", "parse_exception", "request body is required"),
        (b"\n", "action_request_validation_exception", "Validation Failed: 1: no requests added;"),
        (
            b'{"index":{"_id":"1"}}\n{"n":1}',
            "illegal_argument_exception",
            "The bulk request must be terminated by a newline [\\n]",
        ),
        (
            b'{"foo":{}}\n{}\n',
            "illegal_argument_exception",
            "Malformed action/metadata line [1], "
            "expected one of [create, delete, index, update] but found [foo]",
        ),
        (b'{"delete":{}}\n', "action_request_validation_exception", "Validation Failed: 1: id is missing;"),
    ],
)
def test_faults_of_the_whole(client: Client, body: bytes, kind: str, reason: str) -> None:
    answer = client.post("/a/_bulk", body)
    assert (answer.status, answer.error()["type"], answer.error()["reason"]) == (400, kind, reason)


def test_index_is_missing(client: Client) -> None:
    answer = client.post("/_bulk", [{"index": {"_id": "1"}}, {"n": 1}])
    assert answer.error()["reason"] == "Validation Failed: 1: index is missing;"
    assert client.get("/_bulk").status == 405


def test_multi_get(client: Client) -> None:
    client.put("/a/_doc/1", {"n": 1, "m": 2})
    for path, body in (
        ("/_mget", {"docs": [{"_index": "a", "_id": "1", "_source": ["n"]}, {"_index": "a", "_id": "x"}]}),
        ("/a/_mget", {"docs": [{"_id": "1", "_source": {"includes": ["n"]}}, {"_id": "x"}]}),
    ):
        for method in ("GET", "POST"):
            found, missing = client.request(method, path, body).json()["docs"]
            assert (found["found"], found["_source"]) == (True, {"n": 1})
            assert missing == {"_index": "a", "_id": "x", "found": False}
    (one,) = client.post("/_mget", {"docs": [{"_index": "nosuch", "_id": "1"}]}).json()["docs"]
    assert one["error"]["type"] == "index_not_found_exception"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (None, "request body or source parameter is required"),
        ({}, "Validation Failed: 1: no documents to get;"),
        ({"ids": [None]}, "ids array element should only contain ids"),
        ({"docs": ["1"]}, "docs array element should include an object"),
        ({"docs": [{"_id": "1", "nope": 2}]}, "failed to parse multi get request. unknown field [nope]"),
        ({"docs": [{}]}, "Validation Failed: 1: id is missing for doc 0;"),
        ({"nope": []}, "unknown key [nope] for a START_ARRAY, expected [docs] or [ids]"),
        ({"ids": "1"}, "unexpected token [VALUE_STRING], expected [FIELD_NAME] or [START_ARRAY]"),
    ],
)
def test_bad_multi_get(client: Client, body: object, reason: str) -> None:
    answer = client.post("/a/_mget", body)
    assert (answer.status, answer.error()["reason"]) == (400, reason)
