"""wildcard: documents with a term that fits a pattern of ``*`` and ``?``."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.pattern import ANY_CASE, VALUE, nullable_text, pattern_query, read_pattern
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import CONSTANT, MultiTermQuery, Rewrite, read_rewrite
from lanner.engine.query.pattern import wildcard_automaton
from lanner.engine.query.term_set import AutomatonTerms


@dataclass(frozen=True, slots=True)
class WildcardDsl(DslQuery):
    """A pattern for the terms of one field."""

    field: str
    value: str
    rewrite: str | None = None
    any_case: bool = False

    def build(self, context: DslContext) -> Query:
        """Ask the field for its terms."""

        def make(field: FieldType) -> Query:
            text = field.pattern_text("wildcard", self.value)
            return wildcard_query(field.name, text, read_rewrite(self.rewrite), any_case=self.any_case)

        return pattern_query(self.field, context, make, self.value)


def wildcard_query(field: str, pattern: str, rewrite: Rewrite = CONSTANT, *, any_case: bool = False) -> Query:
    """Return the documents with a term that fits a pattern; raises TooComplexToDeterminize."""
    automaton = wildcard_automaton(pattern, any_case=any_case)
    kind = "wildcard_any_case" if any_case else "wildcard"
    return MultiTermQuery(field, AutomatonTerms(kind, pattern, automaton), rewrite)


def parse_wildcard(body: dict[str, Any], context: ParseContext) -> WildcardDsl:
    """Read the body of a wildcard query."""
    readers = {**VALUE, **ANY_CASE, "wildcard": ("value", nullable_text)}
    field, values = read_pattern("wildcard", body, readers)
    return WildcardDsl(field, **values)
