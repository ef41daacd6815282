"""Documents to columns. recorded_documents.json: what OpenSearch 2.19.1 answered to documents in a row."""

import json
from pathlib import Path
from typing import Any

import pytest

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import LannerError, MapperParsingError
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.number_encoding import decode_double, decode_float

RECORDED = json.loads(Path(__file__).with_name("recorded_documents.json").read_text())


def make(properties: dict[str, Any] | None = None, **root: Any) -> Mapping:
    return Mapping.parse({**root, "properties": properties or {}}, AnalysisRegistry({}), {})


def columns(mapping: Mapping, document: Any, *, routing: str | None = None) -> list[tuple[str, Any]]:
    parsed = mapping.parse_document(json.dumps(document).encode(), id="1", routing=routing)
    assert parsed.update is None
    return [(field.name, value) for field, value in parsed.values]


def test_recorded_documents() -> None:
    mapping = Mapping.parse(RECORDED["mapping"], AnalysisRegistry({}), {})
    for case in RECORDED["documents"]:
        before = mapping.render()["properties"]
        if "error" in case:
            with pytest.raises(LannerError) as caught:
                mapping.parse_document(case["document"].encode(), id="1", routing=None)
            assert caught.value.render() == case["error"], case["document"]
            continue
        parsed = mapping.parse_document(case["document"].encode(), id="1", routing=None)
        if parsed.update is not None:
            mapping = mapping.merge(parsed.update)
            assert mapping.parse_document(case["document"].encode(), id="1", routing=None).update is None
        after = mapping.render()["properties"]
        assert {key: value for key, value in after.items() if before.get(key) != value} == case.get(
            "added", {}
        )


def test_every_type() -> None:
    mapping = make(
        {
            "t": {"type": "text"},
            "k": {"type": "keyword"},
            "i": {"type": "integer"},
            "d": {"type": "double"},
            "f": {"type": "float"},
            "b": {"type": "boolean"},
            "when": {"type": "date"},
            "ip": {"type": "ip"},
        }
    )
    found = dict(
        columns(
            mapping,
            {
                "t": "Some text",
                "k": "a",
                "i": "12",
                "d": -1.5,
                "f": 1.1,
                "b": False,
                "when": "1970-01-01T00:00:01Z",
                "ip": "10.0.0.1",
            },
        )
    )
    assert found["t"] == "Some text"
    assert found["k"] == b"a"
    assert found["i"] == 12
    assert decode_double(found["d"]) == -1.5
    assert decode_float(found["f"]) == pytest.approx(1.1, abs=1e-7)
    assert found["b"] == b"F"
    assert found["when"] == 1000
    assert found["ip"] == bytes(10) + b"\xff\xff\x0a\x00\x00\x01"


def test_arrays_multi_fields_and_copies_keep_their_order() -> None:
    mapping = make(
        {
            "t": {
                "type": "text",
                "fields": {"raw": {"type": "keyword", "ignore_above": 3}},
                "copy_to": "all",
            },
            "all": {"type": "text"},
        }
    )
    assert columns(mapping, {"t": ["abc", ["long one"], None]}) == [
        ("t", "abc"),
        ("t.raw", b"abc"),
        ("all", "abc"),
        ("t", "long one"),
        ("all", "long one"),
    ]


def test_dotted_names_reach_into_objects() -> None:
    mapping = make({"o": {"properties": {"p": {"properties": {"x": {"type": "long"}}}}}})
    for document in ({"o.p.x": 5}, {"o": {"p.x": 5}}, {"o.p": {"x": 5}}, {"o": [{"p": [{"x": 5}]}]}):
        assert columns(mapping, document) == [("o.p.x", 5)]


def test_text_and_keyword_keep_the_spelling_of_numbers() -> None:
    mapping = make({"t": {"type": "text"}, "k": {"type": "keyword"}})
    parsed = mapping.parse_document(b'{"t":1.50,"k":[1e3,true,-0]}', id="1", routing=None)
    assert [value for _, value in parsed.values] == ["1.50", b"1e3", b"true", b"0"]


def test_null_values_and_empty_arrays() -> None:
    mapping = make({"k": {"type": "keyword", "null_value": "none"}, "i": {"type": "long"}})
    assert columns(mapping, {"k": [None], "i": None}) == [("k", b"none")]
    assert columns(mapping, {"i": [], "unmapped": None, "also": [None, []]}) == []


def test_dynamic_modes() -> None:
    assert columns(make(dynamic="false"), {"x": 1, "o": {"y": 2}}) == []
    assert columns(make({"o": {"type": "object", "enabled": False}}), {"o": {"y": 2}}) == []
    with pytest.raises(MapperParsingError, match="dynamic introduction of"):
        make(dynamic="strict").parse_document(b'{"x":null}', id="1", routing=None)


def test_malformed_values_are_ignored_and_named() -> None:
    mapping = make({"i": {"type": "integer", "ignore_malformed": True}, "k": {"type": "keyword"}})
    parsed = mapping.parse_document(b'{"i":"x","k":"a"}', id="1", routing=None)
    assert parsed.ignored == ["i"]
    assert ("_field_names", b"_ignored") in [(field.name, value) for field, value in parsed.values]


def test_routing_and_field_names() -> None:
    mapping = make({"t": {"type": "text", "norms": False}})
    assert columns(mapping, {"t": "a"}, routing="r") == [
        ("t", "a"),
        ("_field_names", b"t"),
        ("_routing", b"r"),
        ("_field_names", b"_routing"),
    ]


def test_a_document_that_fails_brings_nothing_into_the_mapping() -> None:
    mapping = make({"i": {"type": "integer"}})
    with pytest.raises(MapperParsingError):
        mapping.parse_document(b'{"new":1,"i":"x"}', id="1", routing=None)
    with pytest.raises(MapperParsingError):
        mapping.parse_document(b'{"new":12345678901234567890}', id="1", routing=None)


def test_deep_documents_do_not_overflow() -> None:
    arrays = b'{"k":' + b"[" * 900 + b"1" + b"]" * 900 + b"}"
    mapping = make({"k": {"type": "long"}})
    assert [value for _, value in mapping.parse_document(arrays, id="1", routing=None).values] == [1]
    objects = b'{"a":' * 900 + b"1" + b"}" * 900
    for made in (make(), make({"a": {"type": "keyword"}})):
        with pytest.raises(MapperParsingError):
            made.parse_document(objects, id="1", routing=None)


def test_dynamic_templates() -> None:
    mapping = Mapping.parse(
        {
            "dynamic_templates": [
                {"ids": {"match": "*_id", "match_mapping_type": "string", "mapping": {"type": "keyword"}}},
                {
                    "numbers": {
                        "match_mapping_type": "long",
                        "mapping": {"type": "{dynamic_type}", "index": False},
                    }
                },
            ]
        },
        AnalysisRegistry({}),
        {},
    )
    update = mapping.parse_document(b'{"user_id":"a","n":1,"s":"b"}', id="1", routing=None).update
    assert update is not None
    assert mapping.merge(update).render()["properties"] == {
        "n": {"type": "long", "index": False},
        "s": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}},
        "user_id": {"type": "keyword"},
    }
