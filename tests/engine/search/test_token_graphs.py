"""Queries whose words are graphs, over words that stand in a row: what OpenSearch 2.19.1 finds.

Phrases are held against the documents only: the reference scores those of a graph as spans.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client

RECORDED = json.loads(Path(__file__).with_name("token_graphs.json").read_text())


@pytest.fixture
def filled(client: Client) -> Client:
    assert client.put("/graphs", RECORDED["index"]).status == 200
    lines: list[Any] = []
    for number, text in enumerate(RECORDED["documents"]):
        lines += [{"index": {"_id": str(number)}}, {"t": text, "n": text}]
    assert client.post("/graphs/_bulk?refresh=true", lines).json()["errors"] is False
    return client


def test_recorded_searches(filled: Client) -> None:
    for case in RECORDED["searches"]:
        reply = filled.post("/graphs/_search", {"query": case["query"], "size": 100}).json()
        hits = {hit["_id"]: hit["_score"] for hit in reply["hits"]["hits"]}
        if isinstance(case["hits"], list):
            assert sorted(hits, key=int) == case["hits"], case["query"]
        else:
            assert hits == pytest.approx(case["hits"], abs=1e-4), case["query"]
