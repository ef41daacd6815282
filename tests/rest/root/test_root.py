from tests.conftest import Client


def test_root(client: Client) -> None:
    body = client.get("/").json()
    assert list(body) == ["name", "cluster_name", "cluster_uuid", "version", "tagline"]
    assert (body["name"], body["cluster_name"]) == ("oracle-0", "oracle")
    assert len(body["cluster_uuid"]) == 22
    assert client.head("/").status == 200


def test_an_index_cannot_have_no_name(client: Client) -> None:
    answer = client.delete("/")
    assert answer.status == 400
    assert answer.error()["reason"] == "Validation Failed: 1: index / indices is missing;"


def test_wrong_method(client: Client) -> None:
    answer = client.post("/")
    assert answer.headers["allow"] == "GET,HEAD,DELETE"
    assert answer.json() == {
        "error": "Incorrect HTTP method for uri [/] and method [POST], allowed: [GET, HEAD, DELETE]",
        "status": 405,
    }
