"""prefix: documents with a term that starts with given text."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext
from lanner.engine.dsl.pattern import ANY_CASE, VALUE, pattern_query, read_pattern
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.multi_term import CONSTANT, MultiTermQuery, read_rewrite
from lanner.engine.query.pattern import text_automaton
from lanner.engine.query.prefix import PrefixQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.term_set import AutomatonTerms


@dataclass(frozen=True, slots=True)
class PrefixDsl(DslQuery):
    """The start of a term of one field, not analysed."""

    field: str
    value: str
    rewrite: str | None = None
    any_case: bool = False

    def build(self, context: DslContext) -> Query:
        """Ask the field for its terms."""

        def make(field: FieldType) -> Query:
            rewrite = read_rewrite(self.rewrite)
            text = field.pattern_text("prefix", self.value)
            return prefix_query(field, text, rewrite, any_case=self.any_case)

        return pattern_query(self.field, context, make, self.value + "*")


def prefix_query(field: FieldType, text: str, rewrite: Any = CONSTANT, *, any_case: bool = False) -> Query:
    """Return the documents with a term that starts with a text; kept beginnings are terms themselves."""
    kept = field.prefix_part if isinstance(field, TextFieldType) else None
    if kept is not None and not any_case and kept.accepts(text):
        term = TermQuery(kept.name, text.encode("utf-8", "replace"))
        return ConstantScoreQuery(term) if rewrite.scoring == "constant" else term
    if rewrite == CONSTANT and not any_case:
        return PrefixQuery(field.name, text.encode("utf-8", "replace"))
    automaton = text_automaton(text, prefix=True, any_case=any_case)
    return MultiTermQuery(
        field.name, AutomatonTerms("prefix_any_case" if any_case else "prefix", text, automaton), rewrite
    )


def parse_prefix(body: dict[str, Any], context: ParseContext) -> PrefixDsl:
    """Read the body of a prefix query."""
    field, values = read_pattern("prefix", body, {**VALUE, **ANY_CASE})
    return PrefixDsl(field, **values)
