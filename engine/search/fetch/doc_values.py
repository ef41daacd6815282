"""``docvalue_fields``: values of columns in answers."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.java_hash import map_order
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.binary import BinaryFieldType
from lanner.engine.search.fetch.source_values import decode_source, values_at
from lanner.ext.index.segment_reader import SegmentReader


@dataclass(frozen=True, slots=True)
class DocValueField:
    """A field or a pattern, and how its values are printed."""

    field: str
    format: str | None = None


def parse_doc_value_fields(container: dict[str, Any], key: str) -> tuple[DocValueField, ...]:
    """Return the entries of a body's ``docvalue_fields``."""
    given = container[key]
    if not isinstance(given, list):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    fields = []
    for i, one in enumerate(given):
        if isinstance(one, str | int | float):
            fields.append(DocValueField(java_text(one)))
            continue
        if not isinstance(one, dict):
            raise LocatedError(f"Expected [VALUE_STRING] or [START_OBJECT] in [{key}]", Anchor(given, i))
        for name in one:
            if name not in ("field", "format"):
                raise LocatedXContentError(
                    f"[docvalues_field] unknown field [{name}]", Anchor(one, name, "key")
                )
        if "field" not in one:
            raise IllegalArgument("Required [field]")
        pattern = one.get("format")
        fields.append(DocValueField(java_text(one["field"]), None if pattern is None else java_text(pattern)))
    return tuple(fields)


Loader = Callable[[SegmentReader, int], list[Any]]


def bind_doc_values(
    fields: tuple[DocValueField, ...], mapping: Mapping, index: str, *, most: int
) -> list[tuple[str, Loader]]:
    """Return (field, loader) for every field that exists.

    A loader gives the values of a document as they are shown.
    """
    if len(fields) > most:
        raise IllegalArgument(
            f"Trying to retrieve too many docvalue_fields. Must be less than or equal to: [{most}] but was "
            f"[{len(fields)}]. This limit can be set by changing the "
            "[index.max_docvalue_fields_search] index level "
            "setting."
        )
    bound = []
    for wanted in fields:
        # the first of a pattern that has no values is told of
        names = map_order(mapping.match_fields(wanted.field)) if is_pattern(wanted.field) else [wanted.field]
        for name in names:
            field = mapping.field_type(name)
            if field is None:
                continue
            if isinstance(field, BinaryFieldType) and field.has_doc_values:
                bound.append((name, _bytes_loader(field.name)))
                continue
            field.check_sortable()
            show = field.doc_values_format(wanted.format)
            if field.sort_kind == "name":
                bound.append((name, _name_loader(field.name, index)))
            else:
                bound.append((name, _loader(field.name, field.sort_kind, show)))
    return bound


def _name_loader(name: str, index: str) -> Loader:
    if name == "_index":
        return lambda segment, doc: [index]
    return lambda segment, doc: [segment.id(doc).decode("utf-8", "replace")]


def _bytes_loader(name: str) -> Loader:
    """Return what shows the bytes of a field, which the source has."""
    path = name.split(".")

    def load(segment: SegmentReader, doc: int) -> list[Any]:
        found = {b64decode(text) for text in values_at(decode_source(segment.source(doc)), path)}
        return [b64encode(one).decode().rstrip("=") for one in sorted(found)]

    return load


def _loader(name: str, kind: str | None, show: Callable[[Any], Any]) -> Loader:
    if kind == "term":
        return lambda segment, doc: [show(value) for value in segment.terms(name, doc)]
    if kind in ("ranges", "flat"):  # the values of a document are shown together
        return lambda segment, doc: show(segment.terms(name, doc))
    return lambda segment, doc: [show(value) for value in segment.numbers(name, doc)]
