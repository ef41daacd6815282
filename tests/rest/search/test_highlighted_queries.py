"""What each kind of query marks, held against what OpenSearch 2.19.1 answered."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client
from tests.rest.search.recorded_exchanges import differences


def test_answers_of_the_reference(client: Client) -> None:
    assert not differences(client, Path(__file__).with_name("recorded_highlights.json"))


@pytest.mark.parametrize(
    ("word", "most", "wanted"),
    [
        ("quick", 5, [None, ["<em>quick</em>"]]),
        ("quick", 10, [["The <em>quick</em> "], ["The <em>quick</em> ", "<em>quick</em> dogs"]]),
        ("brown", 12, [None, None]),
        (
            "fox",
            40,
            [["The quick brown <em>fox</em> went to the forest a"], ["The quick brown <em>fox</em>"]],
        ),
    ],
)
def test_a_plain_highlight_ends_where_the_analysis_does(
    client: Client, word: str, most: int, wanted: Any
) -> None:
    """Held against what OpenSearch 2.19.1 answered."""
    client.put("/x/_doc/1", {"f": "The quick brown fox went to the forest and saw another fox."})
    client.put("/x/_doc/2?refresh=true", {"f": ["The quick brown fox", "quick dogs run quickly and more"]})
    body = {
        "query": {"match": {"f": word}},
        "highlight": {"type": "plain", "fields": {"f": {"max_analyzer_offset": most}}},
    }
    hits = sorted(client.post("/x/_search", body).json()["hits"]["hits"], key=lambda hit: hit["_id"])
    assert [hit.get("highlight", {}).get("f") for hit in hits] == wanted
