"""Faults of queries as ``_validate/query`` tells them: those that OpenSearch 2.19.1 told."""

import json
from pathlib import Path

from tests.conftest import Client

RECORDED = json.loads(Path(__file__).with_name("recorded_validations.json").read_text())
KINDS = ["percolator", "integer", "text", "date", "ip", "geo_point", "keyword"]
TYPES = dict(zip(("q", "n", "t", "d", "ip", "g", "k"), KINDS, strict=True))


def test_faults_with_all_that_caused_them(client: Client) -> None:
    properties = {name: {"type": kind} for name, kind in TYPES.items()}
    assert client.put("/v", {"mappings": {"properties": properties}}).status == 200
    for case in RECORDED:
        answer = client.post("/v/_validate/query?explain=true", {"query": case["query"]}).json()
        assert not answer["valid"], case
        if "error" in answer:
            assert answer["error"] == case["error"]
        else:
            told = answer["explanations"][0]["error"]
            assert told.startswith("[v/")
            assert told.partition("] ")[2] == case["error"]
