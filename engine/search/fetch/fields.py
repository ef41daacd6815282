"""``fields``: values of the source as the mapping reads them, the same shape whatever the source's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.mapping.field_type import FieldType, ValueFaultError
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.keyword import KeywordFieldType
from lanner.engine.search.fetch.source_values import decode_source, source_paths, values_at
from lanner.ext.index.segment_reader import SegmentReader


@dataclass(frozen=True, slots=True)
class FetchField:
    """A field or a pattern, and how its values are printed."""

    field: str
    format: str | None = None
    include_unmapped: bool = False


def parse_fetch_fields(container: dict[str, Any], key: str) -> tuple[FetchField, ...]:
    """Return the entries of a body's ``fields``."""
    given = container[key]
    if not isinstance(given, list):
        raise LocatedError(f"Unknown key for a {token_name(given)} in [{key}].", Anchor(container, key))
    found = []
    for i, one in enumerate(given):
        if isinstance(one, str | int | float):
            found.append(FetchField(java_text(one)))
            continue
        if not isinstance(one, dict):
            raise LocatedError(f"Expected [VALUE_STRING] or [START_OBJECT] in [{key}]", Anchor(given, i))
        for name in one:
            if name not in ("field", "format", "include_unmapped"):
                raise LocatedXContentError(
                    f"[docvalues_field] unknown field [{name}]", Anchor(one, name, "key")
                )
        if "field" not in one:
            raise IllegalArgument("Required [field]")
        pattern = one.get("format")
        found.append(
            FetchField(
                java_text(one["field"]),
                None if pattern is None else java_text(pattern),
                one.get("include_unmapped") is True,
            )
        )
    return tuple(found)


Show = Callable[[Any], list[Any]]


def bind_fetch_fields(
    fields: tuple[FetchField, ...], mapping: Mapping
) -> Callable[[dict[str, Any], SegmentReader, int, int], None]:
    """Return what adds ``fields`` to the hits of a shard."""
    bound: dict[str, tuple[list[list[str]], Show, bool]] = {}
    for wanted in fields:
        names = mapping.match_fields(wanted.field) if is_pattern(wanted.field) else [wanted.field]
        for name in names:
            field = mapping.document_field(name)
            if field is not None:
                paths = [path.split(".") for path in source_paths(mapping, _real(mapping, name, field))]
                bound[name] = paths, shower(field, wanted.format), field.takes_lists

    def add(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
        document = decode_source(segment.source(doc))
        found: dict[str, list[Any]] = hit.get("fields", {})
        for name, (paths, show, points) in bound.items():
            values = [
                shown
                for path in paths
                for value in (
                    values_at(document, path, points=True) if points else _level_order(document, path)
                )
                for shown in show(value)
            ]
            if values:
                found[name] = values
        if found:
            hit["fields"] = found

    return add


def _level_order(document: Any, path: list[str]) -> list[Any]:
    """Return the values at a path: those that stand in fewer lists first."""
    found = values_at(document, path)
    if len(found) < 3 or len(path) < 2:
        return found
    levels: list[tuple[int, Any]] = []
    pending: list[tuple[int, Any, list[str]]] = [(0, document, path)]
    while pending:
        depth, value, rest = pending.pop()
        if isinstance(value, list):
            pending += [(depth + 1, item, rest) for item in reversed(value)]
        elif not rest:
            if value is not None:
                levels.append((depth, value))
        elif isinstance(value, dict):
            for n in range(len(rest), 0, -1):
                name = ".".join(rest[:n])
                if name in value:
                    pending.append((depth, value[name], rest[n:]))
    return [value for _, value in sorted(levels, key=lambda level: level[0])]


def _real(mapping: Mapping, name: str, field: FieldType) -> str:
    """Return the field that an alias stands for."""
    return field.name if field.name in mapping.nodes else name


def _fitting(show: Show) -> Show:
    """Return the same for the values that the field can take; others have nothing to show."""

    def guarded(value: Any) -> list[Any]:
        try:
            return show(value)
        except LannerError:
            return []

    return guarded


def shower(field: FieldType, pattern: str | None) -> Show:
    """Return what makes the values to show of one value of a source; those that do not fit are left out."""
    own = field.source_shower(pattern)
    if own is not None:
        return _fitting(own)
    if isinstance(field, KeywordFieldType):
        most = field.get("ignore_above")
        normalizer = field.normalizer

        def keyword(value: Any) -> list[Any]:
            shown = java_text(value)
            if len(shown) > most:
                return []
            return [shown if normalizer is None else normalizer.normalize(shown)]

        return keyword
    if field.sort_kind is None:
        if pattern is not None:
            raise IllegalArgument(
                f"Field [{field.name}] of type [{field.type_name}] doesn't support formats."
            )
        return lambda value: [value if isinstance(value, dict) else java_text(value)]
    show = field.doc_values_format(pattern)
    handle = field.handler()

    def parsed(value: Any) -> list[Any]:
        out: list[tuple[Any, Any]] = []
        try:
            handle(value, out)
        except (ValueFaultError, LannerError):
            return []
        return [show(encoded) for column, encoded in out if column is field.field]

    return parsed
