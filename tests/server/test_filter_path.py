"""Expected values are what the reference answers for the same filters."""

from typing import Any

import msgspec
import pytest

from lanner.server.filter_path import apply_filters
from lanner.server.json_writer import encode

ROOT = {"name": "n", "cluster_name": "c", "version": {"number": "2", "name": "v"}, "tagline": "t"}
HITS = {
    "took": 1,
    "hits": {
        "total": {"value": 2},
        "hits": [
            {"_id": "1", "_source": msgspec.Raw(b'{"n": 1.0, "t": "a"}')},
            {"_id": "2", "_source": msgspec.Raw(b'{"n": 5}')},
        ],
    },
}


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ("version.number,name", {"name": "n", "version": {"number": "2"}}),
        ("nosuch", {}),
        ("**.name", {"version": {"name": "v"}}),
        ("**.number", {"version": {"number": "2"}}),
        ("*.number", {"version": {"number": "2"}}),
        ("-version.*", {"name": "n", "cluster_name": "c", "tagline": "t"}),
        ("ver*.n*r,-*.number", {}),
        ("version.number.x", {}),
        ("**", ROOT),
        (",", ROOT),
        ("*name", {"name": "n", "cluster_name": "c"}),
        ("-**.name,-*name", {"version": {"number": "2"}, "tagline": "t"}),
        (r"a\.b", {}),
    ],
)
def test_objects(filters: str, left: Any) -> None:
    assert apply_filters(ROOT, filters) == left


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (
            "hits.hits._source.n,-hits.hits._source.x,took",
            {"took": 1, "hits": {"hits": [{"_source": {"n": 1.0}}, {"_source": {"n": 5}}]}},
        ),
        ("-hits", {"took": 1}),
        ("**.t", {"hits": {"hits": [{"_source": {"t": "a"}}]}}),
        ("hits.hits.*,-**.t,-**._id", {"hits": {"hits": [{"_source": {"n": 1.0}}, {"_source": {"n": 5}}]}}),
    ],
)
def test_arrays_are_looked_through(filters: str, left: Any) -> None:
    assert apply_filters(HITS, filters) == left


def test_what_is_taken_whole_stays_as_it_was_stored() -> None:
    kept = apply_filters(HITS, "hits.hits._source")
    assert encode(kept) == b'{"hits":{"hits":[{"_source":{"n": 1.0, "t": "a"}},{"_source":{"n": 5}}]}}'


def test_a_backslash_keeps_a_full_stop() -> None:
    assert apply_filters({"docs.count": 1, "docs": {"count": 2}}, r"docs\.count") == {"docs.count": 1}
