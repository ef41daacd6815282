"""query_string: a text in Lucene's own syntax, over one or many fields."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_float,
    read_flag,
    read_integer,
    read_number,
    read_text,
    unsupported_key,
)
from lanner.engine.common.errors import (
    IllegalArgument,
    ParseError,
    QueryShardError,
    QuerySyntaxError,
    QueryValidationError,
)
from lanner.engine.common.fuzziness import AUTO, Fuzziness
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, read_common
from lanner.engine.dsl.classic_syntax import escape, parse
from lanner.engine.dsl.exists import ExistsDsl
from lanner.engine.dsl.fuzzy import MAX_EXPANSIONS, Fuzzy, read_fuzziness
from lanner.engine.dsl.match import read_operator
from lanner.engine.dsl.multi_match import TIE_BREAKERS, MultiMatchDsl, parse_fields, read_type
from lanner.engine.dsl.range import DirectError, read_zone
from lanner.engine.dsl.regexp import MAX_LENGTH, regexp_query
from lanner.engine.dsl.text_fields import (
    UNMAPPED,
    Fields,
    KnownReader,
    TextFields,
    read_known,
    resolve_fields,
)
from lanner.engine.dsl.text_query import NO_TERMS
from lanner.engine.dsl.wildcard import wildcard_query
from lanner.engine.mapping.field_type import Bounds, FieldType
from lanner.engine.mapping.types.keyword import utf16_length
from lanner.engine.query.base import BoostQuery, Query, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery
from lanner.engine.query.minimum import clauses_needed
from lanner.engine.query.multi_term import CONSTANT, Rewrite, read_rewrite
from lanner.engine.query.pattern import WORK_LIMIT, normalized_wildcard


@dataclass(frozen=True, slots=True)
class QueryStringDsl(DslQuery):
    """A text and how it is read."""

    text: str
    default_field: str | None = None
    fields: tuple[tuple[str, float], ...] | None = None
    operator_and: bool = False
    analyzer: str | None = None
    quote_analyzer: str | None = None
    quote_field_suffix: str | None = None
    leading_wildcard: bool = True
    analyze_wildcard: bool | None = None
    fuzzy: Fuzzy = Fuzzy()
    phrase_slop: int = 0
    lenient: bool | None = None
    time_zone: str | None = None
    escape: bool = False
    max_determinized_states: int = WORK_LIMIT
    rewrite: str | None = None
    minimum_should_match: str | None = None
    tie_breaker: float | None = None
    type: str = "best_fields"

    def build(self, context: DslContext) -> Query:
        """Read the text over the fields of the index."""
        if self.default_field is not None and self.fields:
            raise QueryValidationError(
                "Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction with "
                "[default_field];"
            )
        text = escape(self.text) if self.escape else self.text
        terms = self._terms(context)
        if not text.strip():
            return NO_TERMS
        try:
            query = parse(text, terms.default_field, terms)
        except QuerySyntaxError as error:
            raise QueryShardError(f"Failed to parse query [{self.text}]", caused_by=error) from None
        if query is None:
            return NO_TERMS
        return with_minimum(query, self.minimum_should_match)

    def _terms(self, context: DslContext) -> "_Terms":
        given = ((self.default_field, 1.0),) if self.default_field is not None else self.fields
        fields, every, lenient = resolve_fields(given or None, context, lenient=self.lenient)
        name = "*" if every else self.default_field
        template = MultiMatchDsl(
            "",
            type=self.type,
            operator_and=self.operator_and,
            analyzer=self.analyzer,
            tie_breaker=self.tie_breaker,
            kind="query_string",
        )
        tie_breaker = TIE_BREAKERS[self.type] if self.tie_breaker is None else self.tie_breaker
        asked = TextFields("query_string", context, template, lenient, tie_breaker, self.quote_field_suffix)
        return _Terms(self, asked, fields, name, self.operator_and, read_rewrite(self.rewrite))


def with_minimum(query: Query, minimum: str | None) -> Query:
    """Return a query with a minimum of optional clauses, if it has clauses at all."""
    if minimum is None:
        return query
    if isinstance(query, BoostQuery):
        return boosted(with_minimum(query.query, minimum), query.boost)
    if not isinstance(query, BooleanQuery):
        return query
    needed = clauses_needed(len(query.should), minimum)
    return replace(query, minimum_should_match=needed) if needed > 0 else query


@dataclass(frozen=True, slots=True)
class _Terms:
    """The leaves of a text as queries."""

    given: QueryStringDsl
    asked: TextFields
    fields: Fields
    default_field: str | None
    operator_and: bool
    rewrite: Rewrite = field(default=CONSTANT)

    def fields_of(self, name: str | None, *, quoted: bool = False) -> Fields:
        """Return the fields that a name or pattern stands for."""
        context = self.asked.context
        if name is None or (name == "*" and self.default_field == "*"):
            found = self.fields
        elif not is_pattern(name):
            one = context.mapping.field_type(name)
            boost = next((boost for known, boost in self.fields if known.name == name), 1.0)
            found = [] if one is None else [(one, boost if name == self.default_field else 1.0)]
        else:
            found, _, _ = resolve_fields(((name, 1.0),), context, lenient=None)
        return self.asked.quoted_fields(found) if quoted else found

    def each(self, name: str | None, make: Callable[[FieldType], Query | None]) -> Query | None:
        fields = self.fields_of(name)
        return self.asked.each(fields, make) if fields else UNMAPPED

    def text(self, name: str | None, text: str) -> Query | None:
        """Ask for a text; with a field also ``>5``, ``<=5`` and the existence of a field."""
        if name == "_exists_":
            return ExistsDsl(text).build(self.asked.context)
        if name is not None and len(text) > 1 and text[0] in "<>":
            included = len(text) > 2 and text[1] == "="
            bound = text[1 + included :]
            if text[0] == ">":
                return self.range(name, (bound, None), (included, True))
            return self.range(name, (None, bound), (True, included))
        if name == "*" and len(text) > 1 and not self.given.fields:
            self.asked.context.mapping.field_type("*")  # stored queries may not ask for it: there is none
        fields = self.fields_of(name)
        if not fields:
            return UNMAPPED
        if name is not None and self.given.time_zone is not None and len(text) > 1:
            one = self.asked.context.mapping.field_type(name)
            if one is not None and one.type_name == "date":
                return self.range(name, (text, text), (True, True))
        return self.asked.analysed(fields, text)

    def phrase(self, name: str | None, text: str, slop: int | None) -> Query | None:
        if name == "_exists_":
            return ExistsDsl(text).build(self.asked.context)
        fields = self.fields_of(name, quoted=True)
        if not fields:
            return UNMAPPED
        analyzer = self.given.quote_analyzer or self.given.analyzer
        moves = self.given.phrase_slop if slop is None else slop
        return self.asked.analysed(fields, text, type="phrase", slop=moves, analyzer=analyzer)

    def range(
        self, name: str | None, bounds: tuple[str | None, str | None], included: tuple[bool, bool]
    ) -> Query | None:
        context = self.asked.context

        def make(one: FieldType) -> Query:
            lower, upper = (None if end is None else self.asked.normalized(one, end) for end in bounds)
            wanted = Bounds(lower, upper, *included, time_zone=self.given.time_zone)
            try:
                return one.range_query(wanted, context.now)
            except ParseError as error:
                if self.asked.lenient:
                    raise
                raise DirectError(error) from None

        return self.each(name, make)

    def prefix(self, name: str | None, text: str) -> Query | None:
        asked = self.asked
        ask = asked.analysed_prefix if self.given.analyze_wildcard else asked.prefix
        return self.each(name, lambda one: ask(one, text, self.rewrite))

    def wildcard(self, name: str | None, pattern: str) -> Query | None:
        context = self.asked.context
        if pattern == "*":
            if name == "*":
                return MatchAllQuery()
            if name is not None:
                return ExistsDsl(name).build(context)
            return self.each(name, lambda one: ExistsDsl(one.name).build(context))
        if not self.given.leading_wildcard and pattern[0] in "*?":
            raise QuerySyntaxError("'*' or '?' not allowed as first character in WildcardQuery")

        def make(one: FieldType) -> Query:
            text = one.pattern_text("wildcard", pattern)
            analyzer = self.asked.analyzer(one)
            if analyzer is not None:
                text = normalized_wildcard(text, analyzer)
            return wildcard_query(one.name, text, self.rewrite)

        return self.each(name, make)

    def regexp(self, name: str | None, pattern: str) -> Query | None:
        most = self.asked.context.limit("index.max_regex_length", MAX_LENGTH)
        if utf16_length(pattern) > most:
            raise IllegalArgument(
                f"The length of regex [{utf16_length(pattern)}] used in the [query_string] has exceeded "
                f"the allowed maximum of [{most}]. This maximum can be set by changing the "
                "[index.max_regex_length] index level setting."
            )

        def make(one: FieldType) -> Query:
            text = self.asked.normalized(one, one.pattern_text("regexp", pattern))
            return regexp_query(
                one.name, text, self.rewrite, limit=self.given.max_determinized_states, in_text=True
            )

        return self.each(name, make)

    def fuzzy(self, name: str | None, word: str, fuzziness: str) -> Query | None:
        allowed = self.given.fuzzy.fuzziness
        if fuzziness.upper() == "AUTO":
            allowed = AUTO
        elif fuzziness:
            allowed = _edits(fuzziness)
        fuzzy = replace(self.given.fuzzy, fuzziness=Fuzziness(allowed.distance(word)))
        return self.each(name, lambda one: fuzzy.query(one, self.asked.normalized(one, word)))


def _edits(text: str) -> Fuzziness:
    edits = java_float(text.upper())
    if not edits >= 0:
        raise QuerySyntaxError("Minimum similarity for a FuzzyQuery has to be between 0.0f and 1.0f !")
    return Fuzziness(int(min(edits, 2)))


# -- reading


_READERS: dict[str, KnownReader] = {
    "query": ("text", read_text),
    "default_field": ("default_field", read_text),
    "default_operator": ("operator_and", read_operator),
    "analyzer": ("analyzer", read_text),
    "quote_analyzer": ("quote_analyzer", read_text),
    "quote_field_suffix": ("quote_field_suffix", read_text),
    "allow_leading_wildcard": ("leading_wildcard", read_flag),
    "analyze_wildcard": ("analyze_wildcard", read_flag),
    "phrase_slop": ("phrase_slop", read_integer),
    "lenient": ("lenient", read_flag),
    "escape": ("escape", read_flag),
    "max_determinized_states": ("max_determinized_states", read_integer),
    "rewrite": ("rewrite", read_text),
    "minimum_should_match": ("minimum_should_match", read_text),
    "tie_breaker": ("tie_breaker", read_number),
    "type": ("type", lambda kind, body, key: read_type(read_text(kind, body, key))),
    "time_zone": ("time_zone", lambda kind, body, key: read_zone(read_text(kind, body, key))),
    # read and checked; nothing here depends on them
    "enable_position_increments": ("", read_flag),
    "auto_generate_synonyms_phrase_query": ("", read_flag),
}
_FUZZY: dict[str, KnownReader] = {
    "fuzziness": ("fuzziness", read_fuzziness),
    "fuzzy_prefix_length": ("prefix_length", read_integer),
    "fuzzy_max_expansions": ("max_expansions", read_integer),
    "fuzzy_transpositions": ("transpositions", read_flag),
    "fuzzy_rewrite": ("rewrite", read_text),
}


def parse_query_string(body: dict[str, Any], context: ParseContext) -> QueryStringDsl:
    """Read the body of a query_string query."""
    kind = "query_string"
    values: dict[str, Any] = {}
    fuzzy: dict[str, Any] = {}
    for key, value in body.items():
        if key == "fields" and isinstance(value, list):
            values[key] = parse_fields(value)
        elif key in _READERS:
            read_known(kind, body, key, _READERS[key], values)
        elif key in _FUZZY:
            read_known(kind, body, key, _FUZZY[key], fuzzy)
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        else:
            read_common(kind, body, key, values)
    if "text" not in values:
        raise LocatedError("[query_string] must be provided with a [query]", Anchor(body, None, "close"))
    if fuzzy.get("max_expansions", MAX_EXPANSIONS) <= 0:
        raise IllegalArgument("maxExpansions must be positive.")
    # Lucene rewrites the misspelled words of a text always in the same way
    fuzzy.pop("rewrite", None)
    return QueryStringDsl(fuzzy=Fuzzy(**fuzzy), **values)


def uri_query(
    text: str,
    *,
    default_field: str | None = None,
    analyzer: str | None = None,
    default_operator: str | None = None,
    lenient: bool | None = None,
    analyze_wildcard: bool | None = None,
) -> QueryStringDsl:
    """Return the query of the ``q`` parameter of a URL."""
    operator = (default_operator or "or").upper()
    if operator not in ("AND", "OR"):
        raise IllegalArgument(f"No enum constant org.opensearch.index.query.Operator.{operator}")
    return QueryStringDsl(
        text,
        default_field=default_field,
        analyzer=analyzer,
        operator_and=operator == "AND",
        lenient=lenient,
        analyze_wildcard=analyze_wildcard,
    )
