"""Types and faults of requests, answered as OpenSearch 2.19.1 answered (the .json files here, in order).

What differs from node to node (names, UUIDs, times, the order of equal hits) is not compared.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client

FILES = sorted(Path(__file__).parent.glob("*.json"))
VOLATILE = frozenset({"took", "node", "index_uuid"})


def comparable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: comparable(inner) for key, inner in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [comparable(inner) for inner in value]
    # sines of the reference are tables: distances differ in the eighth digit
    return float(f"{value:.6g}") if isinstance(value, float) else value


def rank(hit: dict[str, Any]) -> tuple[str, str]:
    return json.dumps(hit.get("sort", hit["_score"])), hit["_id"]


def in_order(answer: Any) -> Any:
    """Sort hits that are equal by id; the order of others must be right already."""
    shown = comparable(answer)
    hits = shown.get("hits", {}).get("hits", []) if isinstance(shown, dict) else []
    keys = [rank(hit)[0] for hit in hits]
    for key in dict.fromkeys(keys):
        places = [i for i, other in enumerate(keys) if other == key]
        for place, hit in zip(places, sorted((hits[i] for i in places), key=rank), strict=True):
            hits[place] = hit
    return shown


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_as_the_reference_answers(client: Client, file: Path) -> None:
    wrong = []
    for number, exchange in enumerate(json.loads(file.read_text())):
        answer = client.request(exchange["method"], exchange["path"], exchange["body"])
        expected = exchange["status"], in_order(exchange["answer"])
        if (answer.status, in_order(answer.json())) != expected:
            wrong.append((number, exchange["path"], exchange["body"], answer.text))
    assert wrong == []
