"""Definitions and merges, held against what OpenSearch 2.19.1 answered (recorded_mappings.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError
from lanner.engine.mapping.mapping import Mapping

RECORDED = json.loads(Path(__file__).with_name("recorded_mappings.json").read_text())


def make(body: dict[str, Any] | None = None, settings: dict[str, str] | None = None) -> Mapping:
    return Mapping.parse(body, AnalysisRegistry({}), settings or {})


def outcome(work: Any) -> dict[str, Any]:
    try:
        return {"mapping": work().render()}
    except LannerError as error:
        return {"error": error.render()}


@pytest.mark.parametrize("case", RECORDED["definitions"], ids=lambda case: json.dumps(case["body"])[:80])
def test_definition(case: dict[str, Any]) -> None:
    expected = {key: case[key] for key in ("mapping", "error") if key in case}
    # key order counts: GET _mapping prints parameters in the order of their type
    assert json.dumps(outcome(lambda: make(case["body"], case["settings"]))) == json.dumps(expected)


@pytest.mark.parametrize("case", RECORDED["merges"], ids=lambda case: json.dumps(case["second"])[:80])
def test_merge(case: dict[str, Any]) -> None:
    expected = {key: case[key] for key in ("mapping", "error") if key in case}
    got = outcome(lambda: make(case["first"], case["settings"]).merge(case["second"]))
    assert json.dumps(got) == json.dumps(expected)


def test_a_merge_that_changes_nothing_is_the_same_mapping() -> None:
    mapping = make({"properties": {"a": {"type": "keyword"}}})
    assert mapping.merge({"properties": {"a": {"type": "keyword"}}}) is mapping


def test_column_numbers_stay_and_unchanged_fields_are_kept() -> None:
    old = make({"properties": {"b": {"type": "keyword"}, "a": {"type": "long"}}})
    new = old.merge({"properties": {"0": {"type": "ip"}, "a": {"type": "long", "meta": {"unit": "ms"}}}})
    assert new.fields["b"] is old.fields["b"]
    assert new.fields["a"] is not old.fields["a"]
    numbers = {name: field.field.number for name, field in new.fields.items() if field.field}
    assert numbers["a"] == old.fields["a"].field.number  # type: ignore[union-attr]
    assert len(set(numbers.values())) == 3
    assert all(number >= 16 for number in numbers.values())


def test_fields_by_name_and_pattern() -> None:
    mapping = make(
        {
            "properties": {
                "t": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
                "o": {"properties": {"x": {"type": "long"}}},
            }
        }
    )
    assert mapping.field_type("t.raw").type_name == "keyword"  # type: ignore[union-attr]
    assert mapping.field_type("o") is None
    assert mapping.is_object("o")
    assert mapping.match_fields("t*") == ["t", "t.raw"]
    assert mapping.fields_below("o") == ["o.x"]
    assert mapping.field_type("_id").type_name == "_id"  # type: ignore[union-attr]


def test_a_type_that_is_not_built_says_so() -> None:
    with pytest.raises(
        MapperParsingError, match=r"Type \[star_tree\] of field \[f\] is not supported by this version"
    ):
        make({"properties": {"f": {"type": "star_tree"}}})


def test_a_mapping_as_deep_as_a_body_may_be_is_refused() -> None:
    body: dict[str, Any] = {"type": "long"}
    for _ in range(400):
        body = {"properties": {"a": body}}
    with pytest.raises(LannerError, match="Limit of mapping depth"):
        make(body)


def test_similarities() -> None:
    settings = {"index.similarity.mine.type": "BM25", "index.similarity.mine.b": "0.2"}
    mapping = make(
        {"properties": {"f": {"type": "text", "similarity": "mine"}, "g": {"type": "text"}}}, settings
    )
    assert mapping.similarity("f").b == pytest.approx(0.2)
    assert mapping.similarity("g").b == pytest.approx(0.75)
    with pytest.raises(IllegalArgument, match="Unknown Similarity type"):
        make({}, {"index.similarity.default.type": "nosuch"}).similarity("f")
