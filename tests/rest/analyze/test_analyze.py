import pytest

from tests.conftest import Client

TOKENS = {
    "tokens": [
        {"token": "quick", "start_offset": 0, "end_offset": 5, "type": "<ALPHANUM>", "position": 0},
        {"token": "fox", "start_offset": 6, "end_offset": 9, "type": "<ALPHANUM>", "position": 1},
    ]
}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_analyze(client: Client, method: str) -> None:
    client.put("/a", {"mappings": {"properties": {"t": {"type": "text"}, "n": {"type": "integer"}}}})
    assert client.request(method, "/_analyze", {"analyzer": "standard", "text": "Quick fox"}).json() == TOKENS
    assert client.request(method, "/a/_analyze", {"field": "t", "text": "Quick fox"}).json() == TOKENS


def test_bad_requests(client: Client) -> None:
    client.put("/a", {"mappings": {"properties": {"n": {"type": "integer"}}}})
    assert client.post("/_analyze").error()["reason"] == "request body or source parameter is required"
    assert client.post("/_analyze", {}).error()["reason"] == "Validation Failed: 1: text is missing;"
    assert client.post("/a/_analyze", {"field": "n", "text": "x"}).error()["reason"] == (
        "Can't process field [n], Analysis requests are only supported on tokenized fields"
    )
    assert client.post("/nosuch/_analyze", {"text": "x"}).status == 404
    assert client.put("/_analyze").json()["error"] == (
        "Incorrect HTTP method for uri [/_analyze] and method [PUT], allowed: [GET, POST]"
    )
