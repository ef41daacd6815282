"""fuzzy: documents with a term that is spelled almost like a word."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_boolean,
    read_integer,
    read_text,
    token_name,
)
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.fuzziness import AUTO, Fuzziness, parse_fuzziness
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.pattern import pattern_query
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import MultiTermQuery, Rewrite, read_rewrite
from lanner.engine.query.term_set import SpellingTerms

MAX_EXPANSIONS = 50


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """What a query allows in the spelling of words."""

    fuzziness: Fuzziness = AUTO
    prefix_length: int = 0
    max_expansions: int = MAX_EXPANSIONS
    transpositions: bool = True
    rewrite: str | None = None

    def query(self, field: FieldType, value: Any) -> Query:
        """Return the documents with a term of the field that is spelled almost like a value."""
        word = field.pattern_text("fuzzy", value)
        if self.prefix_length < 0:
            raise IllegalArgument("prefixLength cannot be negative.")
        if self.max_expansions <= 0:
            raise IllegalArgument("maxExpansions must be positive.")
        edits = self.fuzziness.distance(java_text(value))
        default = Rewrite("blended", min(self.max_expansions, 1024))
        terms = SpellingTerms(word, edits, min(self.prefix_length, 32766), self.transpositions)
        return MultiTermQuery(field.name, terms, read_rewrite(self.rewrite, default))


@dataclass(frozen=True, slots=True)
class FuzzyDsl(DslQuery):
    """A word for the terms of one field."""

    field: str
    value: Any
    fuzzy: Fuzzy = Fuzzy()

    def build(self, context: DslContext) -> Query:
        """Ask the field for its terms."""
        return pattern_query(self.field, context, lambda field: self.fuzzy.query(field, self.value), None)


def read_fuzziness(kind: str, body: dict[str, Any], key: str) -> Fuzziness:
    """Return how far words may be misspelled."""
    return parse_fuzziness(read_text(kind, body, key))


def parse_fuzzy(body: dict[str, Any], context: ParseContext) -> FuzzyDsl:
    """Read the body of a fuzzy query."""
    if len(body) == 1 and isinstance(next(iter(body.values())), list):
        field = next(iter(body))
        raise LocatedError(
            f"[fuzzy] query doesn't support multiple fields, found [{field}] and [null]", Anchor(body, field)
        )
    field, given = one_field("fuzzy", body, empty="field name cannot be null or empty")
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("query value cannot be null")
        return FuzzyDsl(_named(field), given)
    values: dict[str, Any] = {}
    fuzzy: dict[str, Any] = {}
    for key, value in given.items():
        if value is None or isinstance(value, dict | list):
            raise LocatedError(
                f"[fuzzy] unexpected token [{token_name(value)}] after [{key}]", Anchor(given, key)
            )
        if key in ("value", "term"):
            values["value"] = value
        elif key == "fuzziness":
            fuzzy[key] = parse_fuzziness(java_text(value))
        elif key in ("prefix_length", "max_expansions"):
            fuzzy[key] = read_integer("fuzzy", given, key)
        elif key == "transpositions":
            fuzzy[key] = read_boolean(value)
        elif key == "rewrite":
            fuzzy[key] = read_text("fuzzy", given, key)
        else:
            read_common("fuzzy", given, key, values)
    if "value" not in values:
        raise IllegalArgument("query value cannot be null")
    return FuzzyDsl(_named(field), fuzzy=Fuzzy(**fuzzy), **values)


def _named(field: str) -> str:
    if not field:
        raise IllegalArgument("field name cannot be null or empty")
    return field
