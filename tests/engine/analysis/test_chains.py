"""Chains of all parts over words, scraps of markup, addresses and graphs, as OpenSearch 2.19.1 answered.

An error that the reference reports as its own fault is the request's here.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.analysis.analyze import analyze, parse_analyze_request
from lanner.engine.common.errors import LannerError

LINES = Path(__file__).with_name("recorded_chains.jsonl").read_text().splitlines()
OWN_FAULTS = ("runtime_exception", "illegal_state_exception", "index_out_of_bounds_exception")
KEYS = ("token", "start_offset", "end_offset", "position", "positionLength", "type")


def answer(request: dict[str, Any]) -> Any:
    """Return the tokens, or the error, in the form of the recording."""
    try:
        tokens = analyze(parse_analyze_request(request))["tokens"]
    except LannerError as error:
        return {"type": error.type, "reason": error.reason}
    return [[{"positionLength": 1, **token}[key] for key in KEYS] for token in tokens]


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_recorded(line: str) -> None:
    recorded = json.loads(line)
    expected = recorded["answer"]
    if isinstance(expected, dict) and expected["type"] in OWN_FAULTS:
        expected["type"] = "illegal_argument_exception"
    assert answer(recorded["request"]) == expected
