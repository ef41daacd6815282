import pytest

from tests.conftest import Client

KEYWORD = {"properties": {"a": {"type": "keyword"}}}


@pytest.mark.parametrize("path", ["_mapping", "_mappings"])
def test_get_and_put(client: Client, path: str) -> None:
    client.put("/i")
    assert client.get(f"/i/{path}").json() == {"i": {"mappings": {}}}
    assert client.put(f"/i/{path}", KEYWORD).json() == {"acknowledged": True}
    assert client.post(f"/i/{path}", {"properties": {"b": {"type": "long"}}}).json() == {"acknowledged": True}
    shown = {"i": {"mappings": {"properties": {"a": {"type": "keyword"}, "b": {"type": "long"}}}}}
    assert client.get(f"/i/{path}").json() == shown
    assert client.get(f"/{path}").json() == shown


def test_bad_mappings(client: Client) -> None:
    client.put("/i", {"mappings": KEYWORD})
    answer = client.put("/i/_mapping", {"properties": {"a": {"type": "long"}}})
    assert answer.status == 400
    assert answer.error()["reason"] == "mapper [a] cannot be changed from type [keyword] to [long]"
    assert client.put("/i/_mapping").error()["reason"] == "request body is required"
    answer = client.put("/i/_mapping", b"{")
    assert (answer.status, answer.error()["type"]) == (400, "parse_exception")
    assert client.put("/nosuch/_mapping", KEYWORD).status == 404
