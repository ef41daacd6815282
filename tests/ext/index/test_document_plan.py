"""The short way through a mapping gives what the walk over the decoded document gives, or gives up."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.engine.common.errors import LannerError
from lanner.engine.mapping.document_parser import DocumentParser, ParsedDocument
from lanner.engine.mapping.mapping import Mapping
from lanner.ext.index.document_plan import HANDLED, INTEGER, DocumentPlan, Leaf, Table
from lanner.ext.index.schema import NUMBER, TERM, Field

NAMES = st.sampled_from(["a", "b", "c", "a.b", "name", "é", "long_name_of_a_field", 'q"', "_id", ""])
FIELD_NAMES = st.sampled_from(["a", "b", "c", "name", "é", "long_name_of_a_field"])


def optional(**parameters: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=parameters)


BOOLEANS = st.booleans()
KEYWORD = optional(
    ignore_above=st.integers(0, 8),
    null_value=st.just("none"),
    doc_values=BOOLEANS,
    index=BOOLEANS,
    norms=BOOLEANS,
    index_options=st.sampled_from(["docs", "freqs"]),
)
NUMERIC = optional(
    coerce=BOOLEANS, ignore_malformed=BOOLEANS, null_value=st.just(7), doc_values=BOOLEANS, index=BOOLEANS
)
PARAMETERS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "keyword": KEYWORD,
    "text": optional(
        norms=BOOLEANS, index=BOOLEANS, index_options=st.sampled_from(["docs", "freqs", "offsets"])
    ),
    "boolean": optional(null_value=BOOLEANS, doc_values=BOOLEANS, index=BOOLEANS),
    "date": optional(
        ignore_malformed=BOOLEANS,
        format=st.sampled_from(["strict_date_optional_time", "epoch_second", "yyyy/MM/dd||date_time"]),
        null_value=st.just("2020"),
        doc_values=BOOLEANS,
    ),
    "ip": optional(ignore_malformed=BOOLEANS),
    **dict.fromkeys(("long", "integer", "short", "byte", "double", "float", "half_float"), NUMERIC),
}


@st.composite
def fields(draw: Any, *, depth: int = 0) -> dict[str, Any]:
    kind = draw(st.sampled_from(sorted(PARAMETERS)))
    field = {"type": kind, **draw(PARAMETERS[kind])}
    if depth == 0 and draw(BOOLEANS):
        field["fields"] = draw(st.dictionaries(FIELD_NAMES, fields(depth=1), max_size=2))
    if depth == 0 and draw(st.integers(0, 5)) == 0:
        field["copy_to"] = ["c"]
    return field


@st.composite
def objects(draw: Any, depth: int = 0) -> dict[str, Any]:
    below = fields() if depth == 2 else st.one_of(fields(), objects(depth + 1))
    made: dict[str, Any] = {"properties": draw(st.dictionaries(FIELD_NAMES, below, max_size=4))}
    dynamic = draw(st.sampled_from([None, True, False, "strict"]))
    if dynamic is not None:
        made["dynamic"] = dynamic
    if depth and draw(st.integers(0, 5)) == 0:
        made["enabled"] = False
    if depth and draw(st.integers(0, 2)) == 0:
        made |= {"type": "nested", **draw(optional(include_in_parent=BOOLEANS, include_in_root=BOOLEANS))}
    return made


MOMENTS = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
SCALARS = st.one_of(
    st.none(),
    BOOLEANS,
    st.integers(-200, 200),
    st.integers(-(2**66), 2**66),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from(["true", "", "12", "1.5", "2024-05-17T08:30:00Z", "2023-02-29T00:00:00Z", "10.0.0.1"]),
    st.sampled_from(
        ["0000-01-01T00:00:00Z", "2024-05-17T24:00:00Z", "2024-05-17", "2024-05-17T08:30:00.12Z"]
    ),
    MOMENTS,
    MOMENTS.map(lambda moment: moment[:19] + "Z"),
)
VALUES = st.recursive(
    SCALARS,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(NAMES, below, max_size=4)),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=6)


def parser_of(mapping: dict[str, Any]) -> DocumentParser | None:
    try:
        return Mapping.parse(mapping, AnalysisRegistry({}), {}).parser
    except LannerError:
        return None


def columns(parsed: ParsedDocument | None) -> Any:
    """The values of a document and of its nested rows, each with its path."""
    if parsed is None:
        return None
    block: Any = getattr(parsed.values, "block", None)
    return list(parsed.values), [(row.path, list(row)) for row in block or ()]


def long_way(parser: DocumentParser, source: bytes) -> Any:
    """What the walk over the decoded document says: columns, None, or the error."""
    plain_values, parser.plain_values = parser.plain_values, lambda source: None
    try:
        parsed = parser.parse(source, id="1", routing="r")
    except LannerError as error:
        return error.render()
    finally:
        parser.plain_values = plain_values
    return columns(parsed)


def short_way(parser: DocumentParser, source: bytes) -> Any:
    try:
        parsed = parser.parse(source, id="1", routing="r")
    except LannerError as error:
        return error.render()
    return columns(parsed)


@given(objects(), st.lists(DOCUMENTS, max_size=3), BOOLEANS, st.sampled_from([None, 1]))
def test_short_way_equals_long_way(
    mapping: dict[str, Any], documents: list[dict[str, Any]], ascii_only: bool, indent: int | None
) -> None:
    parser = parser_of(mapping)
    if parser is None:
        return
    for document in documents:
        try:
            source = json.dumps(document, ensure_ascii=ascii_only, indent=indent).encode()
        except UnicodeEncodeError:
            continue
        assert short_way(parser, source) == long_way(parser, source)


@st.composite
def mapped_documents(draw: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A mapping and a document most of whose values are plain ones of their fields."""
    plain = {
        "keyword": st.text(max_size=10),
        "text": st.text(max_size=30),
        "boolean": BOOLEANS,
        "date": st.one_of(MOMENTS, st.integers(0, 2**63 - 1)),
        "ip": st.sampled_from(["10.0.0.1", "::1"]),
        "long": st.integers(-(2**63), 2**63 - 1),
        "integer": st.integers(-(2**31), 2**31 - 1),
        "double": st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**63), 2**63)),
        "float": st.floats(width=32, allow_nan=False, allow_infinity=False),
    }
    kinds = draw(st.dictionaries(FIELD_NAMES, st.sampled_from(sorted(plain)), max_size=6))
    properties = {name: {"type": kind, **draw(PARAMETERS[kind])} for name, kind in kinds.items()}
    document = {}
    for name, kind in kinds.items():
        document[name] = draw(st.one_of(plain[kind], st.none(), st.lists(plain[kind], max_size=3)))
    return {"properties": properties}, document


@given(mapped_documents(), BOOLEANS)
def test_plain_documents(case: tuple[dict[str, Any], dict[str, Any]], ascii_only: bool) -> None:
    mapping, document = case
    parser = parser_of(mapping)
    assert parser is not None
    source = json.dumps(document, ensure_ascii=ascii_only).encode("utf-8", "replace")
    assert short_way(parser, source) == long_way(parser, source)


@pytest.mark.parametrize(
    ("source", "taken"),
    [
        (
            b'{"t":"a \\"quoted\\" \\u00e9 \\ud83d\\ude00 \\n word","k":"v","when":"2024-05-17T08:30:00Z"}',
            True,
        ),
        (b' {\n"k" : [ "a" , [ "b" ] , null ] , "o" : { "n" : 1 } , "o.n" : 2 } \n', True),
        (b'{"k":1,"n":"12","d":1e3,"b":"true","when":"2024"}', True),
        (b'{"d":-0.0,"f":0.1,"b":[true,false],"when":1700000000000}', True),
        (b'{"x":null}', True),
        (b'{"x":1}', False),
        (b'{"t":1.50}', False),
        (b'{"t":"\\ud800"}', False),
        (b'{"n":1,"n":2}', False),
        (b'{"\\u006e":1}', False),
        (b'{"n":9223372036854775808}', False),
        (b'{"_id":null}', False),
        (b'{"":null}', False),
        (b'{"o":1}', False),
        (b"[1]", False),
        (b'{"n":1', False),
        (b"", False),
        (b'{"o":' + b'{"o":' * 200 + b"1" + b"}" * 201, False),
    ],
)
def test_what_is_taken(source: bytes, taken: bool) -> None:
    kinds = {
        "t": "text",
        "k": "keyword",
        "n": "long",
        "d": "double",
        "f": "float",
        "b": "boolean",
        "when": "date",
    }
    properties: dict[str, Any] = {name: {"type": kind} for name, kind in kinds.items()}
    properties["o"] = {"properties": {"n": {"type": "integer"}}}
    parser = parser_of({"properties": properties})
    assert parser is not None
    assert (parser.plain_values(source) is not None) is taken
    assert short_way(parser, source) == long_way(parser, source)


def test_tables_of_many_names() -> None:
    fields = [Field(f"field{i}", i, NUMBER) for i in range(3000)]
    leaves: dict[str, Any] = {
        field.name: [Leaf(field, INTEGER, lambda value, out: None, low=0, high=9999)] for field in fields
    }
    plan = DocumentPlan(Table(leaves, lenient=True, strict=False), Field("_ignored", 9, TERM, postings=1))
    source = json.dumps(
        {"other": {"a": ["x\\", {}]}} | {f"field{i}": i for i in reversed(range(3000))}
    ).encode()
    values = plan.walk(source)
    assert values is not None
    assert len(values) == 3000
    assert list(values) == [(fields[i], i) for i in reversed(range(3000))]


def test_bad_arguments() -> None:
    field = Field("_ignored", 9, TERM, postings=1)
    with pytest.raises(ValueError, match="unknown kind"):
        Leaf(field, 9, lambda value, out: None)
    with pytest.raises(ValueError, match="without a field"):
        Leaf(None, INTEGER, lambda value, out: None)
    with pytest.raises(TypeError):
        Table({"a": [1]}, lenient=False, strict=False)  # type: ignore[list-item]
    assert (
        DocumentPlan(
            Table({"a": [Leaf(None, HANDLED, lambda value, out: None)]}, lenient=False, strict=False), field
        ).walk(b'{"a":{}}')
        is not None
    )
