"""prefix: documents with a term that starts with given text."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import java_text, read_text, unknown_token
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import (
    DslContext,
    DslQuery,
    ParseContext,
    check_field_name,
    one_field,
    read_common,
    refuse_case_insensitive,
)
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery

_SAME_SCORE = (
    "constant_score",
    "constant_score_auto",
    "constant_score_filter",
    "constant_score_boolean",
    "constant_score_blended",
)
_SCORING = ("scoring_boolean", "top_terms_", "top_terms_boost_", "top_terms_blended_freqs_")


@dataclass(frozen=True, slots=True)
class PrefixDsl(DslQuery):
    """The start of a term of one field, not analysed."""

    field: str
    value: str
    rewrite: str | None = None

    def build(self, context: DslContext) -> Query:
        """Ask the field for its terms."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return MatchNoneQuery("unmapped field")
        if self.rewrite is not None and self.rewrite not in _SAME_SCORE:
            if self.rewrite.startswith(_SCORING):
                raise IllegalArgument(f"[rewrite] [{self.rewrite}] is not supported by this version")
            raise IllegalArgument(f"Failed to parse rewrite_method [{self.rewrite}]")
        context.count(1)
        return field.prefix_query(self.value)


def parse_prefix(body: dict[str, Any], context: ParseContext) -> PrefixDsl:
    """Read the body of a prefix query."""
    field, given = one_field("prefix", body)
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("value cannot be null")
        if isinstance(given, list):
            raise unknown_token("prefix", body, field)
        return PrefixDsl(check_field_name(field), java_text(given))
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "value":
            values["value"] = None if value is None else read_text("prefix", given, key)
        elif key == "rewrite":
            values["rewrite"] = None if value is None else read_text("prefix", given, key)
        elif key == "case_insensitive":
            refuse_case_insensitive("prefix", given)
        else:
            read_common("prefix", given, key, values)
    check_field_name(field)
    if values.get("value") is None:
        raise IllegalArgument("value cannot be null")
    return PrefixDsl(field, **values)
