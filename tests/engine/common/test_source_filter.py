"""Source filtering; expected values from OpenSearch 2.19.1 (see recorded_searches.json for more)."""

import json
from typing import Any

import pytest

from lanner.engine.common.source_filter import SourceFilter, filter_source

DOCUMENT = {"a": 1, "o": {"x": 1, "y": [{"z": 2, "w": 3}], "e": {}}, "l": [1, 2], "ab": "s"}


@pytest.mark.parametrize(
    ("includes", "excludes", "expected"),
    [
        (["a"], [], {"a": 1}),
        (["a*"], [], {"a": 1, "ab": "s"}),
        (["o.x"], [], {"o": {"x": 1}}),
        (["o.y.z"], [], {"o": {"y": [{"z": 2}]}}),
        (["*.z"], [], {"o": {"y": [{"z": 2}]}}),
        (["o"], ["o.y"], {"o": {"x": 1, "e": {}}}),
        ([], ["o", "l"], {"a": 1, "ab": "s"}),
        (["nosuch"], [], {}),
    ],
)
def test_filter(includes: list[str], excludes: list[str], expected: dict[str, Any]) -> None:
    wanted = SourceFilter(includes=tuple(includes), excludes=tuple(excludes))
    assert json.loads(bytes(filter_source(json.dumps(DOCUMENT).encode(), wanted))) == expected


def test_the_whole_source_is_untouched_and_parts_print_numbers_as_java() -> None:
    source = b'{"a":1.50, "b":1e3,"c":12345678901234567890}'
    assert bytes(filter_source(source, SourceFilter())) == source
    part = filter_source(source, SourceFilter(excludes=("x",)))
    assert bytes(part) == b'{"a":1.5,"b":1000.0,"c":12345678901234567890}'
