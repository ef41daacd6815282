"""``_rank_eval``; tests/rest/types/rank_eval.json has what the reference answers."""

import pytest

from tests.conftest import Client

BODY = {
    "requests": [{"id": "q", "request": {}, "ratings": [{"_index": "i", "_id": "1", "rating": 1}]}],
    "metric": {"precision": {}},
}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_one_index_and_all(client: Client, method: str) -> None:
    client.put("/i/_doc/1?refresh", {"a": 1})
    for path in ("/i/_rank_eval", "/_rank_eval"):
        answer = client.request(method, path, BODY).json()
        assert answer["metric_score"] == 1.0
        assert answer["details"]["q"]["unrated_docs"] == []


def test_templates_are_refused(client: Client) -> None:
    request = {"id": "q", "template_id": "t", "params": {"a": 1}, "ratings": []}
    body = {**BODY, "requests": [request], "templates": [{"id": "t", "template": {"source": "{}"}}]}
    answer = client.post("/_rank_eval", body)
    assert (answer.status, answer.error()["reason"]) == (
        400,
        "search templates are not supported by this version",
    )


def test_a_search_that_fails_is_its_own_failure(client: Client) -> None:
    client.put("/i/_doc/1?refresh", {"a": 1})
    missing = {"id": "bad", "request": {"sort": ["nosuch"]}, "ratings": []}
    answer = client.post("/i/_rank_eval", {**BODY, "requests": [missing, *BODY["requests"]]}).json()
    assert answer["metric_score"] == 1.0
    assert answer["failures"]["bad"]["error"]["type"] == "search_phase_execution_exception"
