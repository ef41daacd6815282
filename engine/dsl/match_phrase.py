"""match_phrase: the words of a text beside each other."""

from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import java_text, read_integer, read_text, unknown_token
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, one_field, read_common
from lanner.engine.dsl.fuzzy import MAX_EXPANSIONS
from lanner.engine.dsl.index_name import index_name_query
from lanner.engine.dsl.match import read_expansions, read_query_text, read_zero_terms
from lanner.engine.dsl.text_query import analyzer_for, phrase, phrase_prefix_of_value
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
    expansions: int | None = None

    def build(self, context: DslContext) -> Query:
        """Analyse the text as the field does for quoted text."""
        field = context.mapping.field_type(self.field)
        if field is None or self.field == "_index":
            found = index_name_query(self.field, self.text, context)
            return found or MatchNoneQuery(f"unmapped fields [{self.field}]")
        kind = "match_phrase" if self.expansions is None else "match_phrase_prefix"
        analyzer = analyzer_for(field, self.analyzer, kind, context, quoted=True)
        if analyzer is None:
            context.count(1)
            if self.expansions is not None:
                return phrase_prefix_of_value(field)
            return field.term_query(self.text)
        return phrase(
            field,
            analyzer,
            java_text(self.text),
            slop=self.slop,
            zero_terms=self.zero_terms,
            context=context,
            expansions=self.expansions,
        )


def parse_match_phrase(body: dict[str, Any], context: ParseContext) -> MatchPhraseDsl:
    """Read the body of a match_phrase query."""
    return _parse("match_phrase", body)


def parse_match_phrase_prefix(body: dict[str, Any], context: ParseContext) -> MatchPhraseDsl:
    """Read the body of a match_phrase_prefix query."""
    return _parse("match_phrase_prefix", body, expansions=MAX_EXPANSIONS)


def _parse(kind: str, body: dict[str, Any], **values: Any) -> MatchPhraseDsl:
    field, given = one_field(kind, body, empty=f"[{kind}] requires fieldName")
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument(f"[{kind}] requires query value")
        if isinstance(given, list):
            raise unknown_token(kind, body, field)
        return MatchPhraseDsl(field, given, **values)
    for key in given:
        if key == "query":
            values["text"] = read_query_text(kind, given, key)
        elif key == "slop":
            values["slop"] = read_integer(kind, given, key)
        elif key == "analyzer":
            values["analyzer"] = read_text(kind, given, key)
        elif key == "zero_terms_query":
            values["zero_terms"] = read_zero_terms(kind, given, key)
        elif key == "max_expansions" and "expansions" in values:
            values["expansions"] = read_expansions(kind, given, key)
        else:
            read_common(kind, given, key, values)
    if "text" not in values:
        raise IllegalArgument(f"[{kind}] requires query value")
    if values.get("slop", 0) < 0:
        raise IllegalArgument("No negative slop allowed.")
    return MatchPhraseDsl(field, **values)
