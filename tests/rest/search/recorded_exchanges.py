"""Replays exchanges that OpenSearch 2.19.1 answered, kept as files of JSON beside the tests."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Client


def differences(client: Client, path: Path) -> list[tuple[Any, Any, Any]]:
    """(request, recorded, answered) of those that are not answered alike."""
    wrong = []
    for one in json.loads(path.read_text()):
        body = one.get("body")
        answer = client.request(one["method"], one["path"], body)
        got = answer.json()
        if "answer" not in one:
            if answer.status != one["status"]:
                wrong.append(((one["method"], one["path"], body), one["status"], got))
            continue
        got.pop("took", None)
        got.pop("_shards", None)
        _strip(got)
        _strip(one["answer"])
        if answer.status != one["status"] or got != _close(one["answer"]):
            wrong.append(((one["method"], one["path"], body), one["answer"], got))
    return wrong


def _strip(value: Any) -> None:
    """Drop the ids of nodes and indices."""
    if isinstance(value, dict):
        for key in ("node", "_node", "index_uuid"):
            value.pop(key, None)
        for item in value.values():
            _strip(item)
    elif isinstance(value, list):
        for item in value:
            _strip(item)


def _close(value: Any) -> Any:
    """Scores to six digits: they are 32-bit floats whose last bit depends on the order of additions."""
    if isinstance(value, dict):
        return {key: _close(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_close(item) for item in value]
    return pytest.approx(value, rel=1e-6) if isinstance(value, float) else value
