"""What query_string and simple_query_string share: one text, word or pattern asked of several fields."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.dsl.base import MAX_CLAUSES, DslContext
from lanner.engine.dsl.multi_match import MultiMatchDsl, default_fields, expand_fields
from lanner.engine.dsl.prefix import prefix_query
from lanner.engine.dsl.text_query import NO_TERMS, analyzer_for, by_position, lenient_query
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.multi_term import CONSTANT, Rewrite
from lanner.engine.query.term import TermQuery

Fields = list[tuple[FieldType, float]]
#: what a parameter is kept as ("": it is only checked), and what reads it: (kind, body, key) -> value
KnownReader = tuple[str, Callable[[str, dict[str, Any], str], Any]]
UNMAPPED = MatchNoneQuery("unmapped field")


def read_known(
    kind: str, body: dict[str, Any], key: str, reader: KnownReader, values: dict[str, Any]
) -> None:
    """Read a parameter of the body of a query into values."""
    name, read = reader
    given = read(kind, body, key)
    if name:
        values[name] = given


@dataclass(frozen=True, slots=True)
class TextFields:
    """How fields are asked. template: the multi_match query that asks them for analysed text."""

    kind: str
    context: DslContext
    template: MultiMatchDsl
    lenient: bool
    tie_breaker: float
    quote_field_suffix: str | None = None

    def analysed(self, fields: Fields, text: str, **changes: Any) -> Query | None:
        """Ask for a text; None if it has no terms in any of the fields."""
        asked = replace(self.template, text=text, **changes)
        query = asked.for_fields(fields, self.context, lenient=self.lenient, skip_empty=True)
        return None if query is NO_TERMS else query

    def each(self, fields: Fields, make: Callable[[FieldType], Query | None]) -> Query | None:
        """Return the best of what is made for each field; None if nothing is."""
        found = []
        for field, boost in fields:
            query = self.one(field, make)
            if query is not None:
                found.append(boosted(query, boost))
        self.context.count(len(found))
        if len(found) == 1:
            return found[0]
        return DisMaxQuery(tuple(found), self.tie_breaker) if found else None

    def one(self, field: FieldType, make: Callable[[FieldType], Query | None]) -> Query | None:
        """Return what is made for a field; what does not fit a field finds nothing there if lenient."""
        nothing = MatchNoneQuery("no terms")
        query = lenient_query(field.name, lambda: make(field) or nothing, self.context, lenient=self.lenient)
        return None if query is nothing else query

    def analyzer(self, field: FieldType) -> Any:
        """Return the analyzer of a field's text; None if a text is one value."""
        return analyzer_for(field, self.template.analyzer, self.kind, self.context, quoted=False)

    def normalized(self, field: FieldType, text: str) -> str:
        """Return a word as the analyzer would spell it."""
        analyzer = self.analyzer(field)
        return text if analyzer is None else str(analyzer.normalize(text))

    def prefix(self, field: FieldType, text: str, rewrite: Rewrite = CONSTANT) -> Query:
        """Return the documents with a word that begins so."""
        return prefix_query(field, field.pattern_text("prefix", self.normalized(field, text)), rewrite)

    def analysed_prefix(self, field: FieldType, text: str, rewrite: Rewrite = CONSTANT) -> Query | None:
        """Return the documents with the words of a text, the last of which only begins so."""
        analyzer = self.analyzer(field)
        if analyzer is None:
            return prefix_query(field, field.pattern_text("prefix", text), rewrite)
        groups = by_position(analyzer, text)
        clauses: list[Query] = []
        for i, (_, terms) in enumerate(groups):
            last = i == len(groups) - 1
            made: list[Query] = [
                prefix_query(field, term.decode("utf-8", "replace"), rewrite)
                if last
                else TermQuery(field.name, term)
                for term in terms
            ]
            clauses.append(made[0] if len(made) == 1 else BooleanQuery(should=tuple(made)))
        if len(clauses) < 2:
            return clauses[0] if clauses else None
        if self.template.operator_and:
            return BooleanQuery(must=tuple(clauses))
        return BooleanQuery(should=tuple(clauses))

    def quoted_fields(self, fields: Fields) -> Fields:
        """Return the fields for quoted text: those with the suffix, where they exist."""
        if self.quote_field_suffix is None:
            return fields
        mapping = self.context.mapping
        return [
            (mapping.field_type(field.name + self.quote_field_suffix) or field, boost)
            for field, boost in fields
        ]


def resolve_fields(
    given: tuple[tuple[str, float], ...] | None, context: DslContext, *, lenient: bool | None
) -> tuple[Fields, bool, bool]:
    """Return the fields, whether they are all of the index, and whether to be lenient.

    given: None for the fields that the index says.
    """
    names = given if given is not None else tuple((name, 1.0) for name in default_fields(context))
    every = any(name == "*" for name, _ in names)
    fields = expand_fields(names, context)
    if len(fields) > MAX_CLAUSES:
        raise IllegalArgument(
            f"field expansion matches too many fields, limit: {MAX_CLAUSES}, got: {len(fields)}"
        )
    return fields, every, every if lenient is None else lenient
