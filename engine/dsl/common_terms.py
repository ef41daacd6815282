"""common: a text whose common words only count where the others are found."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_text,
    token_name,
    unsupported_key,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.match import read_cutoff, read_operator
from lanner.engine.dsl.text_query import NO_TERMS, analyzer_for
from lanner.engine.mapping.number_encoding import to_float
from lanner.engine.query.base import Query
from lanner.engine.query.common_terms import CommonTermsQuery
from lanner.engine.query.match_all import NO_MATCH

CUTOFF = to_float(0.01)


@dataclass(frozen=True, slots=True)
class CommonTermsDsl(DslQuery):
    """A text for one field, and what is asked of its rare and of its common words."""

    field: str
    text: str
    analyzer: str | None = None
    cutoff: float = CUTOFF
    rare_and: bool = False
    common_and: bool = False
    rare_needed: str | None = None
    common_needed: str | None = None

    def build(self, context: DslContext) -> Query:
        """Analyse the text; which words are common only a reader knows."""
        field = context.mapping.field_type(self.field)
        analyzer = analyzer_for(field, self.analyzer, "common", context, quoted=False)
        if field is None:
            return NO_MATCH
        if analyzer is None:
            terms = (self.text.encode("utf-8", "replace"),)
        else:
            terms = tuple(token.term for token in analyzer.query_tokens(self.text))
        if not terms:
            return NO_TERMS
        context.count(len(terms))
        return CommonTermsQuery(
            field.name,
            terms,
            self.cutoff,
            self.rare_and,
            self.common_and,
            self.rare_needed,
            self.common_needed,
        )


def parse_common(body: dict[str, Any], context: ParseContext) -> CommonTermsDsl:
    """Read the body of a common query."""
    field, given = one_field("common", body)
    values: dict[str, Any] = {}
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("text cannot be null")
        if isinstance(given, list):
            raise LocatedError(f"[common] unknown token [START_ARRAY] after [{field}]", Anchor(body, field))
        return CommonTermsDsl(field, java_text(given))
    for key, value in given.items():
        match key:
            case "minimum_should_match" if isinstance(value, dict):
                values |= _read_minimum(value)
            case _ if isinstance(value, dict | list):
                raise unsupported_key("common", given, key)
            case "query":
                if value is not None:
                    values["text"] = java_text(value)
            case "minimum_should_match":
                values["rare_needed"] = read_text("common", given, key)
            case "analyzer":
                values[key] = read_text("common", given, key)
            case "cutoff_frequency":
                values["cutoff"] = read_cutoff("common", given, key)
            case "low_freq_operator":
                values["rare_and"] = read_operator("common", given, key)
            case "high_freq_operator":
                values["common_and"] = read_operator("common", given, key)
            case "disable_coord":  # which once scored the share of the words that were found
                read_text("common", given, key)
            case _:
                read_common("common", given, key, values)
    if "text" not in values:
        raise IllegalArgument("text cannot be null")
    return CommonTermsDsl(field, **values)


def _read_minimum(given: dict[str, Any]) -> dict[str, str]:
    """Return how many of the rare and of the common words must be found."""
    names = {"low_freq": "rare_needed", "high_freq": "common_needed"}
    found = {}
    for key, value in given.items():
        if isinstance(value, dict | list):
            raise LocatedError(
                f"[common] unexpected token type [{token_name(value)}] after [{key}]", Anchor(given, key)
            )
        if key not in names:
            raise LocatedError(
                f"[common] query does not support [{key}] for [minimum_should_match]", Anchor(given, key)
            )
        found[names[key]] = read_text("common", given, key)
    return found
