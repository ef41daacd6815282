"""Ranges over 16-bit floats: bounds that are none of them lie between two. The counts are the reference's."""

import pytest

from tests.conftest import Client

VALUES = (1.1, 2.5, -1.1, 0, 100.3)


@pytest.fixture
def filled(client: Client) -> Client:
    client.put("/h", {"mappings": {"properties": {"hf": {"type": "half_float"}}}})
    for value in VALUES:
        client.post("/h/_doc?refresh=true", {"hf": value})
    return client


def test_ranges(filled: Client) -> None:
    counts = {
        '{"gte":1.1}': 2,
        '{"gt":1.1}': 2,
        '{"lte":1.1}': 3,
        '{"lt":1.1}': 3,
        '{"gte":2.5}': 2,
        '{"gt":2.5}': 1,
        '{"lte":2.5}': 4,
        '{"lt":2.5}': 3,
        '{"gte":-1.1}': 5,
        '{"gt":-1.1}': 5,
        '{"lte":-1.1}': 0,
        '{"lt":-1.1}': 0,
        '{"lte":"100.3"}': 4,
        '{"gte":"100.3"}': 1,
        '{"gte":0,"lt":0.0001}': 1,
        '{"gte":1.1,"lte":1.1}': 0,
    }
    found = {
        bounds: filled.post("/h/_count", f'{{"query":{{"range":{{"hf":{bounds}}}}}}}').json()["count"]
        for bounds in counts
    }
    assert found == counts
