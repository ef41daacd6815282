"""Kept beginnings and rows of words, held against what OpenSearch 2.19.1 answered."""

from pathlib import Path

from tests.conftest import Client
from tests.rest.search.recorded_exchanges import differences


def test_answers_of_the_reference(client: Client) -> None:
    path = Path(__file__).with_name("recorded_search_as_you_type.json")
    assert not differences(client, path)
