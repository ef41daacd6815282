import pytest

from tests.conftest import Client


def test_get(client: Client) -> None:
    client.put("/a", {"settings": {"number_of_replicas": 0}})
    assert client.get("/a/_settings").json()["a"]["settings"]["index"]["number_of_replicas"] == "0"
    only = {"a": {"settings": {"index": {"number_of_shards": "1"}}}}
    assert client.get("/a/_settings/index.number_of_shards").json() == only
    assert client.get("/_settings/index.number_of_shards").json() == only
    flat = client.get("/_settings?flat_settings=true").json()["a"]["settings"]
    assert flat["index.provided_name"] == "a"
    assert "defaults" in client.get("/a/_settings?include_defaults=true").json()["a"]


def test_put(client: Client) -> None:
    client.put("/a")
    assert client.put("/a/_settings", {"index": {"number_of_replicas": 0}}).json() == {"acknowledged": True}
    assert client.put("/_settings", {"refresh_interval": "5s"}).json() == {"acknowledged": True}
    settings = client.get("/a/_settings").json()["a"]["settings"]["index"]
    assert (settings["number_of_replicas"], settings["refresh_interval"]) == ("0", "5s")
    client.put("/a/_settings?preserve_existing=true", {"refresh_interval": "9s"})
    assert client.get("/a/_settings").json()["a"]["settings"]["index"]["refresh_interval"] == "5s"


def test_names_as_a_parameter(client: Client) -> None:
    client.put("/a")
    answer = client.get("/a/_settings?name=index.number_of_sh*&flat_settings=true")
    assert answer.json() == {"a": {"settings": {"index.number_of_shards": "1"}}}


@pytest.mark.parametrize("body", ["[]", "[1]", "5", '"x"', "null", "{}"])
def test_a_body_without_settings(client: Client, body: str) -> None:
    client.put("/a")
    error = client.put("/a/_settings", body).error()
    assert error["type"] == "action_request_validation_exception"
    assert error["reason"] == "Validation Failed: 1: no settings to update;"


def test_bad_settings(client: Client) -> None:
    client.put("/a")
    assert client.put("/a/_settings", {}).error()["reason"] == "Validation Failed: 1: no settings to update;"
    answer = client.put("/a/_settings", {"index.number_of_shards": 2})
    assert answer.status == 400
    assert answer.error()["reason"].startswith("Can't update non dynamic settings [[index.number_of_shards]]")
    assert client.put("/a/_settings", {"index.nosuch": 1}).status == 400
    assert client.put("/a/_settings").error()["reason"] == "request body is required"
    assert client.get("/nosuch/_settings").status == 404
