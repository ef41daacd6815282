"""multi_match: one text, several fields."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    parse_double,
    read_boolean,
    read_integer,
    read_number,
    read_text,
)
from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.dsl.base import MAX_CLAUSES, DslContext, DslQuery, ParseContext, check_boost, read_common
from lanner.engine.dsl.fuzzy import MAX_EXPANSIONS, Fuzzy
from lanner.engine.dsl.match import (
    FUZZY,
    read_cutoff,
    read_expansions,
    read_fuzzy,
    read_operator,
    read_query_text,
    read_zero_terms,
)
from lanner.engine.dsl.prefix import prefix_query
from lanner.engine.dsl.text_query import (
    NO_TERMS,
    analyzer_for,
    by_position,
    combine,
    lenient_query,
    match_text,
    phrase,
    phrase_prefix_of_value,
)
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.query.base import BoostQuery, Query, boosted
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.term import BlendedTermQuery, TermQuery

#: by type, how much the fields but the best one add
TIE_BREAKERS = {
    "best_fields": 0.0,
    "most_fields": 1.0,
    "cross_fields": 0.0,
    "phrase": 0.0,
    "phrase_prefix": 0.0,
    "bool_prefix": 1.0,
}
#: the types that a pattern of field names passes over: there is no text to look for in them
_PASSED_OVER = frozenset(("geo_point", "geo_shape", "binary", "percolator"))


@dataclass(frozen=True, slots=True)
class MultiMatchDsl(DslQuery):
    """A text for several fields. fields: (name or pattern, boost); none of them.

    The index's default fields.
    """

    text: Any
    fields: tuple[tuple[str, float], ...] = ()
    type: str = "best_fields"
    operator_and: bool = False
    minimum_should_match: str | None = None
    analyzer: str | None = None
    tie_breaker: float | None = None
    lenient: bool | None = None
    slop: int = 0
    zero_terms: str = "none"
    fuzzy: Fuzzy | None = None
    max_expansions: int = MAX_EXPANSIONS
    phrases: bool = True
    cutoff: float | None = None
    kind: str = "multi_match"

    def build(self, context: DslContext) -> Query:
        """Ask every field, or all fields as one, and take the best."""
        lenient = self.lenient
        if self.fields:
            fields = expand_fields(self.fields, context)
            if lenient is None:
                lenient = any(name == "*" for name, _ in self.fields)
        else:
            names = default_fields(context)
            fields = expand_fields(tuple((name, 1.0) for name in names), context)
            if lenient is None:
                lenient = "*" in names
        if len(fields) > MAX_CLAUSES:
            raise IllegalArgument(
                f"field expansion matches too many fields, limit: {MAX_CLAUSES}, got: {len(fields)}"
            )
        return self.for_fields(fields, context, lenient=bool(lenient))

    def for_fields(
        self,
        fields: list[tuple[FieldType, float]],
        context: DslContext,
        *,
        lenient: bool,
        skip_empty: bool = False,
    ) -> Query:
        """Ask given fields.

        skip_empty: leave out fields in which the text has no terms; NO_TERMS if it has none anywhere.
        """
        if not fields:
            return MatchNoneQuery("unmapped fields []")
        if self.type == "cross_fields":
            queries = self._cross_fields(fields, context, lenient=lenient)
        else:
            queries = [
                query if query is NO_TERMS else boosted(query, boost)
                for field, boost in fields
                for query in (self._one(field, context, lenient=lenient),)
            ]
        if skip_empty:
            queries = [query for query in queries if query is not NO_TERMS]
            if not queries:
                return NO_TERMS
        if len(queries) == 1:
            return queries[0]
        tie_breaker = TIE_BREAKERS[self.type] if self.tie_breaker is None else self.tie_breaker
        return DisMaxQuery(tuple(queries), tie_breaker)

    def _one(self, field: FieldType, context: DslContext, *, lenient: bool) -> Query:
        quoted = self.type in ("phrase", "phrase_prefix")
        prefix = self.type in ("bool_prefix", "phrase_prefix")
        analyzer = analyzer_for(field, self.analyzer, self.kind, context, quoted=quoted)
        if analyzer is None:
            context.count(1)
            return lenient_query(
                field.name, lambda: self._value(field, prefix=prefix), context, lenient=lenient
            )
        text = java_text(self.text)
        if quoted:
            return lenient_query(
                field.name,
                lambda: phrase(
                    field,
                    analyzer,
                    text,
                    slop=self.slop,
                    zero_terms=self.zero_terms,
                    context=context,
                    expansions=self.max_expansions if prefix else None,
                ),
                context,
                lenient=lenient,
            )
        return lenient_query(
            field.name,
            lambda: match_text(
                field,
                analyzer,
                text,
                operator_and=self.operator_and,
                needed=self.minimum_should_match,
                zero_terms=self.zero_terms,
                context=context,
                fuzzy=self.fuzzy,
                prefix=prefix,
                phrases=self.phrases,
                cutoff=self.cutoff,
            ),
            context,
            lenient=lenient,
        )

    def _value(self, field: FieldType, *, prefix: bool) -> Query:
        if self.type == "phrase_prefix":
            return phrase_prefix_of_value(field)
        if prefix and field.type_name == "keyword":
            return prefix_query(field, field.pattern_text("prefix", self.text))
        return field.term_query(self.text) if self.fuzzy is None else self.fuzzy.query(field, self.text)

    # -- cross_fields: fields with the same analyzer are one field

    def _cross_fields(
        self, fields: list[tuple[FieldType, float]], context: DslContext, *, lenient: bool
    ) -> list[Query]:
        groups: dict[Any, list[tuple[FieldType, float]]] = {}
        analyzers: dict[Any, Any] = {}
        for field, boost in fields:
            analyzer = analyzer_for(field, self.analyzer, self.kind, context, quoted=False)
            key = None if analyzer is None else analyzer.name
            analyzers[key] = analyzer
            groups.setdefault(key, []).append((field, boost))
        queries = []
        for key, members in groups.items():
            if len(members) == 1:
                field, boost = members[0]
                queries.append(boosted(self._one(field, context, lenient=lenient), boost))
            else:
                queries.append(self._blended(members, analyzers[key], context, lenient=lenient))
        return queries

    def _blended(
        self, members: list[tuple[FieldType, float]], analyzer: Any, context: DslContext, *, lenient: bool
    ) -> Query:
        if analyzer is None:
            context.count(len(members))
            makers = [lambda field: field.term_query(self.text)] * len(members)
            return self._blend_terms(members, makers, context, lenient=lenient)
        for field, _ in members:
            field.check_searchable()
        clauses = [
            self._blend_terms(
                [member for member in members for _ in terms],
                [_term_maker(term) for _ in members for term in terms],
                context,
                lenient=lenient,
            )
            for _, terms in by_position(analyzer, java_text(self.text))
        ]
        return combine(
            clauses,
            operator_and=self.operator_and,
            needed=self.minimum_should_match,
            zero_terms=self.zero_terms,
            context=context,
        )

    def _blend_terms(
        self,
        members: list[tuple[FieldType, float]],
        makers: list[Callable[[FieldType], Query]],
        context: DslContext,
        *,
        lenient: bool,
    ) -> Query:
        """Return one query for what each maker gives for its member."""
        terms: list[tuple[str, bytes, float]] = []
        others: list[Query] = []
        for (field, boost), make in zip(members, makers, strict=True):
            query = lenient_query(field.name, partial(make, field), context, lenient=lenient)
            boost *= field.boost if isinstance(query, TermQuery) else 1.0
            while isinstance(query, BoostQuery):
                boost *= query.boost
                query = query.query
            if isinstance(query, TermQuery):
                terms.append((query.field, query.term, boost))
            else:
                others.append(query if isinstance(query, MatchNoneQuery) else boosted(query, boost))
        if terms:
            tie_breaker = 0.0 if self.tie_breaker is None else self.tie_breaker
            others.append(BlendedTermQuery(tuple(terms), tie_breaker))
        return others[0] if len(others) == 1 else DisMaxQuery(tuple(others), 1.0)


def _term_maker(term: bytes) -> Callable[[FieldType], Query]:
    return lambda field: TermQuery(field.name, term)


def default_fields(context: DslContext) -> list[str]:
    """Return the fields that a query without fields asks."""
    configured = context.settings.get("index.query.default_field")
    if not configured:
        return ["*"]
    return (
        [name.strip() for name in configured.strip("[]").split(",")]
        if isinstance(configured, str)
        else configured
    )


def expand_fields(
    fields: tuple[tuple[str, float], ...], context: DslContext
) -> list[tuple[FieldType, float]]:
    """Return the fields that names and patterns stand for.

    A field found twice gets the product of the boosts.
    """
    mapping = context.mapping
    found: dict[str, tuple[FieldType, float]] = {}
    for name, boost in fields:
        names = mapping.match_fields(name) if is_pattern(name) else [name]
        for one in names:
            field = mapping.field_type(one)
            if field is None or (is_pattern(name) and field.type_name in _PASSED_OVER):
                continue
            if is_pattern(name) and not field.searchable:
                continue
            if field.name in mapping.fields:
                one = field.name  # an alias and its field are one
            found[one] = (field, boost * (found[one][1] if one in found else 1.0))
    return list(found.values())


def parse_fields(value: Any) -> tuple[tuple[str, float], ...]:
    """Return (name, boost) of ``fields``: one or many of ``title`` or ``title^2``."""
    weights: dict[str, float] = {}
    for one in value if isinstance(value, list) else [value]:
        name, caret, boost = java_text(one).partition("^")
        weights[name] = check_boost("multi_match", parse_double(boost)) if caret else 1.0
    return tuple(weights.items())


def parse_multi_match(body: dict[str, Any], context: ParseContext) -> MultiMatchDsl:
    """Read the body of a multi_match query."""
    kind = "multi_match"
    values: dict[str, Any] = {}
    for key in body:
        match key:
            case "query":
                values["text"] = read_query_text(kind, body, key)
            case "fields":
                values["fields"] = parse_fields(body[key])
            case "type":
                values["type"] = read_type(read_text(kind, body, key))
            case "operator":
                values["operator_and"] = read_operator(kind, body, key)
            case "minimum_should_match" | "analyzer":
                values[key] = read_text(kind, body, key)
            case "tie_breaker":
                values[key] = read_number(kind, body, key)
            case "lenient":
                values[key] = read_boolean(body[key])
            case "auto_generate_synonyms_phrase_query":
                values["phrases"] = read_boolean(body[key])
            case "slop":
                values[key] = read_integer(kind, body, key)
            case "zero_terms_query":
                values["zero_terms"] = read_zero_terms(kind, body, key)
            case "fuzziness" if body.get("type") in ("cross_fields", "phrase", "phrase_prefix"):
                raise LocatedError(
                    f"Fuzziness not allowed for type [{body['type']}]", Anchor(body, None, "close")
                )
            case "max_expansions":
                values[key] = read_expansions(kind, body, key)
            case _ if key in FUZZY:
                FUZZY[key][1](kind, body, key)
            case "cutoff_frequency":
                values["cutoff"] = read_cutoff(kind, body, key)
            case _:
                read_common(kind, body, key, values)
    if "text" not in values:
        raise LocatedError("No text specified for multi_match query", Anchor(body, None, "close"))
    if values.get("slop", 0) < 0:
        raise IllegalArgument("No negative slop allowed.")
    if values.get("type") == "bool_prefix" and "slop" in body:
        raise LocatedError("[slop] not allowed for type [bool_prefix]", Anchor(body, None, "close"))
    if values.get("type") == "bool_prefix" and "cutoff_frequency" in body:
        reason = "[cutoff_frequency] not allowed for type [bool_prefix]"
        raise LocatedError(reason, Anchor(body, None, "close"))
    return MultiMatchDsl(fuzzy=read_fuzzy(kind, body), **values)


def read_type(name: str) -> str:
    """Return the name of a type that exists."""
    if name not in TIE_BREAKERS:
        raise ParseError(f"failed to parse [multi_match] query type [{name}]. unknown type.")
    return name
