"""Suggesters, held against what OpenSearch 2.19.1 answered (recorded_*_suggester.json)."""

from pathlib import Path

import pytest

from tests.conftest import Client
from tests.rest.search.recorded_suggestions import differences

HERE = Path(__file__).parent


@pytest.mark.parametrize("suggester", ["completion", "phrase", "term"])
def test_answers_of_the_reference(client: Client, suggester: str) -> None:
    assert not differences(client, HERE / f"recorded_{suggester}_suggester.json")


def test_a_url_without_a_mode_suggests_for_missing_words(client: Client) -> None:
    client.put("/a/_doc/1?refresh=true", {"t": "search the sea"})
    answer = client.get("/a/_search?suggest_field=t&suggest_text=serch").json()
    assert [one["text"] for one in answer["suggest"]["t"][0]["options"]] == ["search"]
