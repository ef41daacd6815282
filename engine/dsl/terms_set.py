"""terms_set: documents with as many of some terms as they say themselves."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, read_text, unsupported_key
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, QueryShardError
from lanner.engine.dsl.base import MAX_CLAUSES, DslContext, DslQuery, ParseContext, check_clauses, read_common
from lanner.engine.query.base import Query
from lanner.engine.query.covering import CoveringQuery
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class TermsSetDsl(DslQuery):
    """Some values of one field, and the field that tells how many of them are needed."""

    field: str
    values: tuple[Any, ...] = ()
    minimum_field: str | None = None

    def build(self, context: DslContext) -> Query:
        """Ask the field for every value."""
        if not self.values:
            return MatchNoneQuery("No terms supplied")
        check_clauses(len(self.values))
        if self.minimum_field is None:
            raise IllegalStateError("No minimum should match has been specified")
        minimum = context.mapping.field_type(self.minimum_field)
        if minimum is None:
            raise QueryShardError(f"failed to find minimum_should_match field [{self.minimum_field}]")
        if minimum.numbers != "long":
            raise IllegalArgument(
                f"[minimum_should_match_field] [{self.minimum_field}] holds no whole numbers"
            )
        minimum.check_sortable()
        field = context.mapping.field_type(self.field)
        if field is None:
            return MatchNoneQuery("unmapped field")
        context.count(len(self.values))
        return CoveringQuery(tuple(field.term_query(value) for value in self.values), minimum.name)


def parse_terms_set(body: dict[str, Any], context: ParseContext) -> TermsSetDsl:
    """Read the body of a terms_set query."""
    kind = "terms_set"
    if not body:
        raise LocatedError("[terms_set] unknown token [END_OBJECT]", Anchor(body, None, "close"))
    field, given = next(iter(body.items()))
    if len(body) > 1 or not isinstance(given, dict):
        raise LocatedError(f"[{kind}] takes one field with its terms", Anchor(body, field))
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "terms" and isinstance(value, list):
            for i, one in enumerate(value):
                if one is None or isinstance(one, dict | list):
                    raise LocatedError("No value specified for terms query", Anchor(value, i))
            values["values"] = tuple(value)
        elif key == "minimum_should_match_script" and isinstance(value, dict):
            if "minimum_field" in values:
                raise IllegalArgument(
                    "A field has already been specified. Cannot specify both a field and script"
                )
            raise LocatedError(f"[{kind}] [{key}] is not supported by this version", Anchor(given, key))
        elif isinstance(value, dict | list) or key == "terms":
            raise unsupported_key(kind, given, key)
        elif key == "minimum_should_match_field":
            values["minimum_field"] = read_text(kind, given, key)
        else:
            read_common(kind, given, key, values)
    if len(values.get("values", ())) > MAX_CLAUSES:
        check_clauses(len(values["values"]))
    return TermsSetDsl(field, **values)
