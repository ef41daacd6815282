"""Suggesters, held against what OpenSearch 2.19.1 answered (recorded_*_suggester.json)."""

from pathlib import Path

import pytest

from tests.conftest import Client
from tests.rest.search.recorded_exchanges import differences

HERE = Path(__file__).parent


@pytest.mark.parametrize("suggester", ["completion", "phrase", "term"])
def test_answers_of_the_reference(client: Client, suggester: str) -> None:
    assert not differences(client, HERE / f"recorded_{suggester}_suggester.json")


def test_a_url_without_a_mode_suggests_for_missing_words(client: Client) -> None:
    client.put("/a/_doc/1?refresh=true", {"t": "search the sea"})
    answer = client.get("/a/_search?suggest_field=t&suggest_text=serch").json()
    assert [one["text"] for one in answer["suggest"]["t"][0]["options"]] == ["search"]


def test_searches_for_suggestions_alone_are_counted(client: Client) -> None:
    client.put("/a/_doc/1?refresh=true", {"t": "search the sea"})
    suggest = {"a": {"text": "serch", "term": {"field": "t"}}}
    client.post("/a/_search", {"suggest": suggest})
    client.post("/a/_search", {"suggest": suggest, "query": {"match_all": {}}})
    stats = client.get("/a/_stats/search").json()["_all"]["total"]["search"]
    assert stats["suggest_total"] == 1
    assert stats["query_total"] == 1


def test_completions_survive_updates_and_merges(client: Client) -> None:
    client.put("/a", {"mappings": {"properties": {"c": {"type": "completion"}}}})
    for number in range(5):
        client.put(f"/a/_doc/{number}?refresh=true", {"c": {"input": f"sea {number}", "weight": number}})
    client.put("/a/_doc/4?refresh=true", {"c": "wind"})
    client.delete("/a/_doc/3?refresh=true")

    def found() -> list[str]:
        body = {"suggest": {"a": {"prefix": "sea", "completion": {"field": "c"}}}}
        options = client.post("/a/_search", body).json()["suggest"]["a"][0]["options"]
        return [option["text"] for option in options]

    assert found() == ["sea 2", "sea 1", "sea 0"]
    client.post("/a/_forcemerge?max_num_segments=1")
    assert found() == ["sea 2", "sea 1", "sea 0"]
