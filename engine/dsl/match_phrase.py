"""match_phrase: the words of a text beside each other."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import java_text, read_integer, read_text, unknown_token
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.match import index_name_query, read_query_text, read_zero_terms
from lanner.engine.dsl.text_query import analyzer_for, phrase
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchNoneQuery


@dataclass(frozen=True, slots=True)
class MatchPhraseDsl(DslQuery):
    """A phrase for one field; slop is how far words may be moved."""

    field: str
    text: Any
    slop: int = 0
    analyzer: str | None = None
    zero_terms: str = "none"

    def build(self, context: DslContext) -> Query:
        """Analyse the text as the field does for quoted text."""
        field = context.mapping.field_type(self.field)
        if field is None or self.field == "_index":
            found = index_name_query(self.field, self.text, context)
            return found or MatchNoneQuery(f"unmapped fields [{self.field}]")
        analyzer = analyzer_for(field, self.analyzer, "match_phrase", context, quoted=True)
        if analyzer is None:
            context.count(1)
            return field.term_query(self.text)
        return phrase(
            field, analyzer, java_text(self.text), slop=self.slop, zero_terms=self.zero_terms, context=context
        )


def parse_match_phrase(body: dict[str, Any], context: ParseContext) -> MatchPhraseDsl:
    """Read the body of a match_phrase query."""
    field, given = one_field("match_phrase", body, empty="[match_phrase] requires fieldName")
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("[match_phrase] requires query value")
        if isinstance(given, list):
            raise unknown_token("match_phrase", body, field)
        return MatchPhraseDsl(field, given)
    values: dict[str, Any] = {}
    for key in given:
        if key == "query":
            values["text"] = read_query_text("match_phrase", given, key)
        elif key == "slop":
            values["slop"] = read_integer("match_phrase", given, key)
        elif key == "analyzer":
            values["analyzer"] = read_text("match_phrase", given, key)
        elif key == "zero_terms_query":
            values["zero_terms"] = read_zero_terms("match_phrase", given, key)
        else:
            read_common("match_phrase", given, key, values)
    if "text" not in values:
        raise IllegalArgument("[match_phrase] requires query value")
    if values.get("slop", 0) < 0:
        raise IllegalArgument("No negative slop allowed.")
    return MatchPhraseDsl(field, **values)
