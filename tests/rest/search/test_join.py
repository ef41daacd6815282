"""Joins over HTTP: what OpenSearch 2.19.1 answered, kept beside this file."""

from pathlib import Path

import pytest

from tests.conftest import Client
from tests.rest.search.recorded_exchanges import differences

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", ["mappings", "fields", "queries", "explanations", "inner_hits", "changes"])
def test_recorded_exchanges(client: Client, name: str) -> None:
    """The answers are those of the reference."""
    assert differences(client, FOLDER / f"recorded_join_{name}.json") == []
