"""Span queries: terms that stand near each other, at the beginning, inside or apart from others."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_boolean,
    read_integer,
    read_text,
    unsupported_key,
)
from lanner.engine.common.errors import IllegalArgument, IllegalStateError
from lanner.engine.dsl.base import (
    DslContext,
    DslQuery,
    ParseContext,
    check_field_name,
    one_field,
    read_common,
)
from lanner.engine.dsl.fuzzy import FuzzyDsl
from lanner.engine.dsl.prefix import PrefixDsl
from lanner.engine.dsl.range import RangeDsl
from lanner.engine.dsl.regexp import RegexpDsl
from lanner.engine.dsl.wildcard import WildcardDsl
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import BoostQuery, Query
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.multi_term import MultiTermQuery, Rewrite
from lanner.engine.query.pattern import range_automaton, text_automaton
from lanner.engine.query.positions import Place, SpanQuery, term_place
from lanner.engine.query.prefix import PrefixQuery
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.term_set import AutomatonTerms

NOTHING = Place("span_or")
_MULTI_TERM = (PrefixDsl, WildcardDsl, RegexpDsl, FuzzyDsl, RangeDsl)
_LIMITED = Rewrite("terms", limited=True)


@dataclass(frozen=True, slots=True)
class SpanDsl(DslQuery):
    """Any of the span queries."""

    @abstractmethod
    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the field and the places."""

    def build(self, context: DslContext) -> Query:
        """Return the query of the places."""
        context.count(1)
        field, place = self.span(context)
        return SpanQuery(field, place)


@dataclass(frozen=True, slots=True)
class SpanTermDsl(SpanDsl):
    """One term."""

    field: str
    value: Any

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the places of the term."""
        field = context.mapping.field_type(self.field)
        if field is None:
            return self.field, NOTHING
        query = field.term_query(self.value)
        while isinstance(query, BoostQuery):
            query = query.query
        if not isinstance(query, TermQuery):
            raise IllegalArgument(f"Cannot extract a term from a query on field [{self.field}]")
        if not (isinstance(field, TextFieldType) and field.has_positions):
            raise IllegalStateError(
                f'field "{self.field}" was indexed without position data; cannot run SpanTermQuery '
                f"(term={query.term.decode('utf-8', 'replace')})"
            )
        return query.field, term_place(query.field, query.term)


@dataclass(frozen=True, slots=True)
class SpanNearDsl(SpanDsl):
    """Spans close to each other. A whole number among the clauses is a gap of so many positions."""

    clauses: tuple[SpanDsl | int, ...]
    slop: int = 0
    in_order: bool = True

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the spans that reach from the first to the last."""
        if isinstance(self.clauses[0], int):
            return "", NOTHING
        if len(self.clauses) == 1:
            return self.clauses[0].span(context)
        field, first = self.clauses[0].span(context)
        parts = [first]
        for clause in self.clauses[1:]:
            if isinstance(clause, int):
                if not self.in_order:
                    raise IllegalArgument("Gaps can only be added to ordered near queries")
                parts.append(Place("gap", clause))
                continue
            other, place = clause.span(context)
            if other != field:
                raise IllegalArgument(
                    f"Cannot add clause {_shown(other, place)} to SpanNearQuery for field {field}"
                )
            parts.append(place)
        return field, Place(
            "ordered_near" if self.in_order else "unordered_near", self.slop, parts=tuple(parts)
        )


def _shown(field: str, place: Place) -> str:
    return field if place.term is None else f"{field}:{place.term[1].decode('utf-8', 'replace')}"


@dataclass(frozen=True, slots=True)
class SpanOrDsl(SpanDsl):
    """Spans of any clause."""

    clauses: tuple[SpanDsl, ...]

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return all spans."""
        found = [clause.span(context) for clause in self.clauses]
        field = found[0][0]
        if any(other != field for other, _ in found):
            raise IllegalArgument("Clauses must have same field.")
        return field, Place("span_or", parts=tuple(place for _, place in found))


@dataclass(frozen=True, slots=True)
class SpanPairDsl(SpanDsl):
    """Spans of one clause that another one allows. operation: of span_not, span_containing or span_within."""

    operation: str
    first: SpanDsl
    second: SpanDsl
    before: int = 0
    after: int = 0

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the spans that are left."""
        field, first = self.first.span(context)
        other, second = self.second.span(context)
        if other != field:
            if self.operation == "span_not":
                raise IllegalArgument("Clauses must have same field.")
            raise IllegalArgument("big and little not same field")
        return field, Place(self.operation, self.before, self.after, parts=(first, second))


@dataclass(frozen=True, slots=True)
class SpanFirstDsl(SpanDsl):
    """Spans near the beginning."""

    match: SpanDsl
    end: int

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the spans that end soon enough."""
        field, place = self.match.span(context)
        return field, Place("span_first", self.end, parts=(place,))


@dataclass(frozen=True, slots=True)
class SpanMultiDsl(SpanDsl):
    """Any of the terms that a prefix, wildcard, regexp, fuzzy or range query finds."""

    match: DslQuery

    def build(self, context: DslContext) -> Query:
        """Return the query of the places; a beginning that is kept as a term scores as that term."""
        context.count(1)
        field, place = self.span(context)
        return SpanQuery(field if place.term is None else place.term[0], place)

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the places of the terms."""
        query = self.match.build(context)
        name = getattr(self.match, "field", "")
        while isinstance(query, BoostQuery):
            query = query.query
        if isinstance(query, MatchNoneQuery):
            return name, NOTHING
        if isinstance(query, ConstantScoreQuery) and isinstance(query.query, TermQuery):
            query = query.query
        if isinstance(query, TermQuery):  # a beginning that is kept as a term
            return name, term_place(query.field, query.term)
        field = context.mapping.field_type(name)
        if not (isinstance(field, TextFieldType) and field.has_positions):
            raise IllegalStateError(
                f'field "{name}" was indexed without position data; cannot run a span query'
            )
        if isinstance(query, PrefixQuery):
            text = query.prefix.decode("utf-8", "replace")
            automaton = text_automaton(text, prefix=True, any_case=False)
            query = MultiTermQuery(query.field, AutomatonTerms("prefix in spans", text, automaton), _LIMITED)
        elif isinstance(query, TermRangeQuery):
            automaton = range_automaton(
                query.lower,
                query.upper,
                include_lower=query.include_lower,
                include_upper=query.include_upper,
            )
            about = f"{query.lower!r} {query.upper!r} {query.include_lower} {query.include_upper}"
            query = MultiTermQuery(query.field, AutomatonTerms("range", about, automaton), _LIMITED)
        if not isinstance(query, MultiTermQuery):
            raise IllegalArgument(f"[span_multi] cannot find terms of field [{name}]")
        if query.rewrite.most is None:
            query = MultiTermQuery(query.field, query.terms, _LIMITED)
        return query.field, Place("span_or", several=query)


@dataclass(frozen=True, slots=True)
class FieldMaskingDsl(SpanDsl):
    """Spans of one field as if they were of another."""

    query: SpanDsl
    field: str

    def build(self, context: DslContext) -> Query:
        """Return the masked query: by itself it scores as what it is."""
        return self.query.build(context)

    def span(self, context: DslContext) -> tuple[str, Place]:
        """Return the same places under another name."""
        _, place = self.query.span(context)
        field = context.mapping.field_type(self.field)
        return self.field if field is None else field.name, place


# -- reading


def parse_span_term(body: dict[str, Any], context: ParseContext) -> SpanTermDsl:
    """Read the body of a span_term query."""
    kind = "span_term"
    if len(body) == 1 and isinstance(next(iter(body.values())), list):
        field = next(iter(body))
        raise LocatedError(
            f"[{kind}] query doesn't support multiple fields, found [{field}] and [null]", Anchor(body, field)
        )
    field, given = one_field(kind, body)
    if not isinstance(given, dict):
        if given is None:
            raise IllegalArgument("value cannot be null")
        return SpanTermDsl(check_field_name(field), given)
    values: dict[str, Any] = {}
    for key in given:
        if key in ("value", "term"):
            values["value"] = read_text(kind, given, key)
        else:
            read_common(kind, given, key, values)
    if "value" not in values:
        raise IllegalArgument("value cannot be null")
    return SpanTermDsl(check_field_name(field), **values)


def _clause(container: Any, key: Any, kind: str, name: str, context: ParseContext) -> SpanDsl:
    """Return the span query at a key; raises what the API answers for other queries."""
    query = context.clause(container, key)
    anchor = Anchor(container[key], None, "close")
    if not isinstance(query, SpanDsl):
        raise LocatedError(f"{kind} [{name}] must be of type span query", anchor)
    if query.boost != 1.0:
        raise LocatedError(
            f"{kind} [{name}] as a nested span clause can't have non-default boost value "
            f"[{java_text(query.boost)}]",
            anchor,
        )
    return query


def _missing(reason: str, body: dict[str, Any]) -> LocatedError:
    return LocatedError(reason, Anchor(body, None, "close"))


def parse_span_near(body: dict[str, Any], context: ParseContext) -> SpanNearDsl:
    """Read the body of a span_near query."""
    kind = "span_near"
    values: dict[str, Any] = {}
    clauses: list[SpanDsl | int] = []
    for key, value in body.items():
        if key == "clauses" and isinstance(value, list):
            for i, given in enumerate(value):
                if isinstance(given, dict) and next(iter(given), "") == "span_gap":
                    clauses.append(_gap(given))
                else:
                    clauses.append(_clause(value, i, kind, "clauses", context))
        elif isinstance(value, dict | list) or key == "clauses":
            raise unsupported_key(kind, body, key)
        elif key == "slop":
            values[key] = read_integer(kind, body, key)
        elif key == "in_order":
            values[key] = read_boolean(value)
        else:
            read_common(kind, body, key, values)
    if not clauses:
        raise _missing(f"{kind} must include [clauses]", body)
    values["slop"] = max(-(2**30), min(values.get("slop", 0), 2**30))
    return SpanNearDsl(tuple(clauses), **values)


def _gap(given: dict[str, Any]) -> int:
    body = given["span_gap"]
    if not isinstance(body, dict) or len(body) != 1:
        raise LocatedError("[span_gap] takes one field with the width of the gap", Anchor(given, "span_gap"))
    width = read_integer("span_gap", body, next(iter(body)))
    return max(0, min(width, 2**30))


def parse_span_or(body: dict[str, Any], context: ParseContext) -> SpanOrDsl:
    """Read the body of a span_or query."""
    kind = "span_or"
    values: dict[str, Any] = {}
    clauses: list[SpanDsl] = []
    for key, value in body.items():
        if key == "clauses" and isinstance(value, list):
            clauses += [_clause(value, i, kind, "clauses", context) for i in range(len(value))]
        elif isinstance(value, dict | list) or key == "clauses":
            raise unsupported_key(kind, body, key)
        else:
            read_common(kind, body, key, values)
    if not clauses:
        raise _missing(f"{kind} must include [clauses]", body)
    return SpanOrDsl(tuple(clauses), **values)


def parse_span_not(body: dict[str, Any], context: ParseContext) -> SpanPairDsl:
    """Read the body of a span_not query."""
    kind = "span_not"
    values: dict[str, Any] = {}
    spans: dict[str, SpanDsl] = {}
    around: dict[str, int] = {}
    for key, value in body.items():
        if key in ("include", "exclude") and isinstance(value, dict):
            spans[key] = _clause(body, key, kind, key, context)
        elif isinstance(value, dict | list) or key in ("include", "exclude"):
            raise unsupported_key(kind, body, key)
        elif key in ("dist", "pre", "post"):
            around[key] = max(0, min(read_integer(kind, body, key), 2**30))
        else:
            read_common(kind, body, key, values)
    for key in ("include", "exclude"):
        if key not in spans:
            raise _missing(f"{kind} must have [{key}] span query clause", body)
    if "dist" in around and len(around) > 1:
        raise _missing(f"{kind} can either use [dist] or [pre] & [post] (or none)", body)
    distance = around.get("dist", 0)
    before, after = around.get("pre", distance), around.get("post", distance)
    return SpanPairDsl(kind, spans["include"], spans["exclude"], before, after, **values)


def parse_span_first(body: dict[str, Any], context: ParseContext) -> SpanFirstDsl:
    """Read the body of a span_first query."""
    kind = "span_first"
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "match" and isinstance(value, dict):
            values[key] = _clause(body, key, kind, key, context)
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        elif key == "end":
            values[key] = max(-1, min(read_integer(kind, body, key), 2**30))
        else:
            read_common(kind, body, key, values)
    if "match" not in values:
        raise _missing(f"{kind} must have [match] span query clause", body)
    if "end" not in values:
        raise _missing(f"{kind} must have [end] set for it", body)
    return SpanFirstDsl(**values)


def parse_span_multi(body: dict[str, Any], context: ParseContext) -> SpanMultiDsl:
    """Read the body of a span_multi query."""
    kind = "span_multi"
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "match" and isinstance(value, dict):
            query = context.clause(body, key)
            if not isinstance(query, _MULTI_TERM):
                raise LocatedError(
                    f"[{kind}] [match] must be of type multi term query", Anchor(value, None, "close")
                )
            values[key] = query
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        else:
            read_common(kind, body, key, values)
    if "match" not in values:
        raise _missing(f"[{kind}] must have [match] multi term query clause", body)
    return SpanMultiDsl(**values)


def _parse_pair(kind: str, body: dict[str, Any], context: ParseContext) -> SpanPairDsl:
    values: dict[str, Any] = {}
    spans: dict[str, SpanDsl] = {}
    for key, value in body.items():
        if key in ("big", "little") and isinstance(value, dict):
            spans[key] = _clause(body, key, kind, key, context)
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        else:
            read_common(kind, body, key, values)
    for key in ("big", "little"):
        if key not in spans:
            raise IllegalArgument(f"inner clause [{key}] cannot be null.")
    first, second = ("big", "little") if kind == "span_containing" else ("little", "big")
    return SpanPairDsl(kind, spans[first], spans[second], **values)


def parse_span_containing(body: dict[str, Any], context: ParseContext) -> SpanPairDsl:
    """Read the body of a span_containing query."""
    return _parse_pair("span_containing", body, context)


def parse_span_within(body: dict[str, Any], context: ParseContext) -> SpanPairDsl:
    """Read the body of a span_within query."""
    return _parse_pair("span_within", body, context)


def parse_field_masking(body: dict[str, Any], context: ParseContext) -> FieldMaskingDsl:
    """Read the body of a field_masking_span query."""
    kind = "span_field_masking"
    values: dict[str, Any] = {}
    for key, value in body.items():
        if key == "query" and isinstance(value, dict):
            values[key] = _clause(body, key, kind, key, context)
        elif isinstance(value, dict | list):
            raise unsupported_key(kind, body, key)
        elif key == "field":
            values[key] = read_text(kind, body, key)
        else:
            read_common(kind, body, key, values)
    if "query" not in values:
        raise _missing(f"{kind} must have [query] span query clause", body)
    if "field" not in values:
        raise _missing(f"{kind} must have [field] set for it", body)
    return FieldMaskingDsl(**values)
