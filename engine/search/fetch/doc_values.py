"""``docvalue_fields``: values of columns in answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.mapping.mapping import Mapping
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
    fields: tuple[DocValueField, ...], mapping: Mapping, *, most: int
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
        for name in mapping.match_fields(wanted.field) if is_pattern(wanted.field) else [wanted.field]:
            field = mapping.field_type(name)
            if field is not None:
                field.check_sortable()
                show = field.doc_values_format(wanted.format)
                bound.append((name, _loader(field.name, field.sort_kind, show)))
    return bound


def _loader(name: str, kind: str | None, show: Callable[[Any], Any]) -> Loader:
    if kind == "term":
        return lambda segment, doc: [show(value) for value in segment.terms(name, doc)]
    if kind in ("ranges", "flat"):  # the values of a document are shown together
        return lambda segment, doc: show(segment.terms(name, doc))
    return lambda segment, doc: [show(value) for value in segment.numbers(name, doc)]
