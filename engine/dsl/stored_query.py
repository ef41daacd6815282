"""Queries that documents hold: checked when a document comes, resolved when others are percolated."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import msgspec

from lanner.engine.common.errors import IllegalArgument, QueryShardError
from lanner.engine.dsl import parse_query
from lanner.engine.dsl.base import DslContext, DslQuery, Lookup, RequestFaultError
from lanner.engine.dsl.range import DirectError
from lanner.engine.dsl.terms import read_lookup
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.percolator import COMPLETE, FAILED, PARTIAL, PercolatorFieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.required_terms import required

P = ParamSpec("P")
R = TypeVar("R")
_TEXT_SETTING = "index.percolator.map_unmapped_fields_as_text"
_MOST_RESOLVED = 4096  # queries that a field keeps resolved
_LONGEST_RESOLVED = 4096  # bytes of one of them
#: where queries that join documents are looked for: the query, the keys of the queries inside it
_INSIDE = {
    "bool": ("must", "filter", "should", "must_not"),
    "constant_score": ("filter",),
    "function_score": ("query",),
    "dis_max": ("queries",),
    "boosting": ("positive", "negative"),
}


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """What a field keeps of a query: its JSON, terms that documents must have, and how much these tell.

    known: whether the reference finds such terms as well.
    """

    text: bytes
    marks: tuple[bytes, ...]
    terms: frozenset[bytes]
    known: bool


def read_query(
    mapping: Mapping,
    given: dict[str, Any],
    field: FieldType,
    *,
    index: str,
    uuid: str,
    now: Callable[[], int],
    lookup: Lookup | None,
) -> StoredQuery:
    """Return what is kept of a query; raises what the API answers for one that an index cannot hold."""
    _refuse_joins(given)
    query = parse_query(given)
    asked: list[None] = []
    context = stored_context(mapping, index=index, now=_noting(now, asked), lookup=lookup)
    try:
        settled = _settled(given, context)
        resolved = (query if settled == given else parse_query(settled)).resolve(context)
    except RequestFaultError as fault:
        raise fault.error from None
    except DirectError as fault:
        raise fault.error from None
    except QueryShardError as error:
        error.fields = {"index": index, "index_uuid": uuid, **error.fields}
        raise
    found = required(resolved, lambda name: _has_column(mapping, name))
    marks = [FAILED] if found.keys is None else []
    if found.known and not asked:
        marks.append(COMPLETE if found.exact else PARTIAL)
    return StoredQuery(
        msgspec.json.encode(settled),
        tuple(mark.encode() for mark in marks),
        found.keys or frozenset(),
        found.known and not asked,
    )


def keep_query(given: dict[str, Any]) -> StoredQuery:
    """Return what is kept of a query that nothing is known of."""
    return StoredQuery(msgspec.json.encode(given), (FAILED.encode(),), frozenset(), known=False)


def stored_context(
    mapping: Mapping, *, index: str, now: Callable[[], int], lookup: Lookup | None, settings: Any = None
) -> DslContext:
    """Return what stored queries are resolved in: fields without a mapping are a fault, or texts."""
    view = mapping.with_unmapped(_refuse_unmapped)
    if mapping.settings.get(_TEXT_SETTING) == "true":
        view = mapping.with_unmapped(lambda name: mapping.make_field_type(name, TextFieldType))
    return DslContext(
        view, index=index, now=now, settings=mapping.settings if settings is None else settings, lookup=lookup
    )


def resolve_stored(field: PercolatorFieldType, text: bytes, context: DslContext) -> tuple[DslQuery, Query]:
    """Return a stored query, read and resolved. context: as stored_context makes it.

    What does not depend on the time or on other documents is kept by the field.
    """
    found: tuple[DslQuery, Query] | None = field.resolved.get(text)
    if found is not None:
        return found
    asked: list[None] = []
    now, lookup = context.now, context.lookup

    context.now, context.lookup, context.clauses = _noting(now, asked), None, 0
    if lookup is not None:
        context.lookup = _noting(lookup, asked)
    try:
        parsed = parse_query(msgspec.json.decode(text))
        found = (parsed, parsed.resolve(context))
    except DirectError as fault:
        raise fault.error from None
    finally:
        context.now, context.lookup = now, lookup
    if not asked and len(text) <= _LONGEST_RESOLVED:
        if len(field.resolved) >= _MOST_RESOLVED:
            field.resolved.clear()
        field.resolved[text] = found
    return found


def _noting(function: Callable[P, R], asked: list[None]) -> Callable[P, R]:
    """Return the same function, whose calls make a list longer."""

    def called(*args: P.args, **named: P.kwargs) -> R:
        asked.append(None)
        return function(*args, **named)

    return called


def _refuse_unmapped(name: str) -> FieldType:
    raise QueryShardError(f"No field mapping can be found for the field with name [{name}]")


def _has_column(mapping: Mapping, name: str) -> bool:
    field = mapping.field_type(name)
    return field is not None and field.field is not None and field.field.doc_values


def _refuse_joins(given: Any) -> None:
    """Refuse queries that ask about other documents than the one at hand."""
    pending = [given]
    while pending:
        one = pending.pop()
        if not isinstance(one, dict) or len(one) != 1:
            continue
        name, body = next(iter(one.items()))
        if name in ("has_child", "has_parent"):
            raise IllegalArgument(f"the [{name}] query is unsupported inside a percolator query")
        if isinstance(body, dict):
            for key in _INSIDE.get(name, ()):
                inside = body.get(key)
                pending += inside if isinstance(inside, list) else [inside]


def _settled(given: Any, context: DslContext) -> Any:
    """Return a query with the terms that it takes from other documents, as these are now."""
    if isinstance(given, list):
        return [_settled(one, context) for one in given]
    if not isinstance(given, dict):
        return given
    terms = given.get("terms")
    if isinstance(terms, dict):
        settled = {
            key: list(read_lookup(value).values(context)) if isinstance(value, dict) else value
            for key, value in terms.items()
        }
        return {**given, "terms": settled}
    return {key: _settled(value, context) for key, value in given.items()}
