"""terms: documents with any of many exact values."""

from dataclasses import dataclass, replace
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    LocatedXContentError,
    read_boolean,
    read_number,
    read_text,
    token_name,
    unsupported_key,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.source_path import values_at
from lanner.engine.dsl.base import MAX_TERMS, DslContext, DslQuery, ParseContext, check_boost
from lanner.engine.dsl.index_name import index_name_query
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import NO_MATCH

_NO_FIELD = (
    "[terms] query requires a field name, followed by array of terms or a document lookup specification"
)


@dataclass(frozen=True, slots=True)
class TermsLookup:
    """A place in a document that holds the values."""

    index: str
    id: str
    path: str
    routing: str | None = None

    def values(self, context: DslContext) -> tuple[Any, ...]:
        """Return the values; none if there is no such document or place."""
        source = context.source_of(self.index, self.id, self.routing)
        found = [] if source is None else values_at(source, self.path)
        return tuple(value for value in found if value is not None and not isinstance(value, dict))


@dataclass(frozen=True, slots=True)
class TermsDsl(DslQuery):
    """Some values of one field."""

    field: str
    values: tuple[Any, ...]
    lookup: TermsLookup | None = None

    def build(self, context: DslContext) -> Query:
        """Ask the field for its values."""
        if self.lookup is not None:
            return replace(self, values=self.lookup.values(context), lookup=None).build(context)
        most = context.limit("index.max_terms_count", MAX_TERMS)
        if len(self.values) > most:
            raise IllegalArgument(
                f"The number of terms [{len(self.values)}] used in the Terms Query request has "
                "exceeded the allowed "
                f"maximum of [{most}]. This maximum can be set by changing the [index.max_terms_count] "
                "index level setting."
            )
        if not self.values:
            return NO_MATCH
        field = context.mapping.field_type(self.field)
        if field is None or self.field == "_index":
            found = [index_name_query(self.field, value, context) for value in self.values]
            return next((query for query in found if query and query != NO_MATCH), NO_MATCH)
        context.count(1)
        return field.terms_query(list(self.values))


def parse_terms(body: dict[str, Any], context: ParseContext) -> TermsDsl:
    """Read the body of a terms query."""
    field: str | None = None
    values: tuple[Any, ...] = ()
    common: dict[str, Any] = {}
    for key, value in body.items():
        if isinstance(value, list):
            if field is not None:
                raise LocatedError("[terms] query does not support multiple fields", Anchor(body, key))
            field, values = key, _read_values(body, key)
        elif isinstance(value, dict):
            if field is not None:
                raise LocatedError(
                    f"[terms] query does not support more than one field. Already got: [{field}] "
                    f"but also found [{key}]",
                    Anchor(body, key),
                )
            field, common["lookup"] = key, read_lookup(value)
        elif key == "boost":
            common["boost"] = check_boost("terms", read_number("terms", body, key))
        elif key == "_name":
            common["name"] = read_text("terms", body, key)
        elif key == "value_type":
            if read_text("terms", body, key) != "default":
                raise LocatedError(
                    f"[terms] value_type [{value}] is not supported by this version", Anchor(body, key)
                )
        else:
            raise unsupported_key("terms", body, key)
    if field is None:
        raise LocatedError(_NO_FIELD, Anchor(body, None, "close"))
    if not field:
        raise IllegalArgument("field name cannot be null.")
    return TermsDsl(field, values, **common)


def read_lookup(given: dict[str, Any]) -> TermsLookup:
    """Read where the terms are to be taken from."""
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "store":
            read_boolean(value)
        elif key not in ("index", "id", "path", "routing"):
            raise LocatedXContentError(f"[terms_lookup] unknown field [{key}]", Anchor(given, key, "key"))
        elif not isinstance(value, str):
            reason = f"[terms_lookup] {key} doesn't support values of type: {token_name(value)}"
            raise LocatedXContentError(reason, Anchor(given, key))
        else:
            values[key] = value
    missing = [name for name in ("index", "id", "path") if name not in values]
    if missing:
        raise IllegalArgument(f"Required [{', '.join(missing)}]")
    return TermsLookup(**values)


def _read_values(body: dict[str, Any], key: str) -> tuple[Any, ...]:
    given = body[key]
    for i, value in enumerate(given):
        if value is None:
            raise LocatedError("No value specified for terms query", Anchor(given, i))
        if isinstance(value, dict | list):
            raise LocatedError(
                f"[terms] unknown token [END_ARRAY] after [{key}]", Anchor(given, None, "close")
            )
    return tuple(given)
