"""Text to queries: what match, match_phrase and multi_match share once they know field and analyzer."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from lanner.engine.analysis.analyzer import QueryToken
from lanner.engine.analysis.token_graph import Edge, TokenGraph, read_graph
from lanner.engine.common.errors import IllegalArgument, IllegalStateError, QueryShardError
from lanner.engine.dsl.base import DslContext, check_clauses
from lanner.engine.dsl.fuzzy import Fuzzy
from lanner.engine.dsl.prefix import prefix_query
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import Query, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.minimum import clauses_needed
from lanner.engine.query.phrase import PhrasePrefixQuery, PhraseQuery
from lanner.engine.query.synonym import SynonymQuery
from lanner.engine.query.term import TermQuery

MAX_EXPANSIONS = 50  # of the beginning of a term at the end of a phrase
NO_TERMS = MatchNoneQuery("Matching no documents because no terms present")


def analyzer_for(
    field: FieldType | None, given: str | None, kind: str, context: DslContext, *, quoted: bool
) -> Any:
    """Return the analyzer that a query names, or the field's own; None if the text is one value."""
    if given is not None:
        try:
            return context.mapping.registry.analyzer(given)
        except IllegalArgument:
            raise QueryShardError(f"[{kind}] analyzer [{given}] not found") from None
    return None if field is None else field.query_analyzer(quoted=quoted)


def empty_query(zero_terms: str) -> Query:
    """Return what a text without terms finds."""
    return MatchAllQuery() if zero_terms == "all" else NO_TERMS


def by_position(analyzer: Any, text: str) -> list[tuple[int, tuple[bytes, ...]]]:
    """Return (position, terms) of a text; several terms may stand at one position."""
    return _grouped(analyzer.query_tokens(text))


def _grouped(tokens: list[QueryToken]) -> list[tuple[int, tuple[bytes, ...]]]:
    found: list[tuple[int, tuple[bytes, ...]]] = []
    for token in tokens:
        if found and found[-1][0] == token.position:
            if token.term not in found[-1][1]:
                found[-1] = (token.position, (*found[-1][1], token.term))
        else:
            found.append((token.position, (token.term,)))
    return found


def match_text(
    field: FieldType,
    analyzer: Any,
    text: str,
    *,
    operator_and: bool,
    needed: str | None,
    zero_terms: str,
    context: DslContext,
    fuzzy: Fuzzy | None = None,
    prefix: bool = False,
    phrases: bool = True,
    cutoff: float | None = None,
) -> Query:
    """Return the query for analysed text: any or all of its terms.

    fuzzy: what is allowed in the spelling of a term. prefix: the last term is only the beginning of one.
    phrases: the words of a synonym of several words must stand beside each other. cutoff: see
    CommonTermsQuery.
    """
    field.check_searchable()
    tokens = analyzer.query_tokens(text)
    graph = read_graph(tokens)
    groups = _grouped(tokens)
    name, field_boost = field.name, field.boost

    def clause(terms: tuple[bytes, ...]) -> Query:
        query: Query = TermQuery(name, terms[0]) if len(terms) == 1 else SynonymQuery(name, terms)
        if fuzzy is not None and len(terms) == 1:
            query = fuzzy.query(field, terms[0].decode("utf-8", "replace"))
        return query if field_boost == 1.0 else boosted(query, field_boost)

    def prefix_of(term: bytes) -> Query:
        return prefix_query(field, field.pattern_text("prefix", term.decode()))

    if graph is not None:
        quoted = phrases and not (isinstance(field, TextFieldType) and not field.has_positions)
        clauses = []
        for stretch in graph.stretches():
            last = prefix and stretch.end == graph.last
            if stretch.terms is None:
                paths = graph.paths(stretch.start, stretch.end)
                expansions = MAX_EXPANSIONS if last else None
                clauses.append(_any_path(field, paths, clause, quoted=quoted, expansions=expansions))
            elif last and len(stretch.terms) == 1:
                clauses.append(prefix_of(stretch.terms[0]))
            else:
                clauses.append(clause(stretch.terms))
    else:
        clauses = [clause(terms) for _, terms in groups[: -1 if prefix else None]]
        if prefix and groups:
            last_terms = groups[-1][1]
            clauses.append(prefix_of(last_terms[0]) if len(last_terms) == 1 else clause(last_terms))
    if cutoff is not None and len(clauses) > 1:
        terms = [one.term for one in clauses if isinstance(one, TermQuery)]
        if len(terms) == len(clauses):
            from lanner.engine.query.common_terms import CommonTermsQuery  # few ask for it

            context.count(len(terms))
            return CommonTermsQuery(name, tuple(terms), cutoff, operator_and, operator_and, needed)
    return combine(
        clauses,
        operator_and=operator_and,
        needed=needed,
        zero_terms=zero_terms,
        context=context,
    )


def _any_path(
    field: FieldType,
    paths: Iterator[list[Edge]],
    clause: Callable[[tuple[bytes, ...]], Query],
    *,
    quoted: bool,
    expansions: int | None,
) -> Query:
    """Return the query for any of several ways through a graph; quoted: the words of one are a phrase."""
    found: list[Query] = []
    for path in paths:
        check_clauses(len(found) + 1)
        if quoted and (len(path) > 1 or expansions is not None):
            found.append(_path_phrase(field, path, 0, expansions))
        elif len(path) > 1:
            found.append(BooleanQuery(must=tuple(clause((edge.term,)) for edge in path)))
        else:
            found.append(clause((path[0].term,)))
    return found[0] if len(found) == 1 else BooleanQuery(should=tuple(found))


def _path_phrase(field: FieldType, path: list[Edge], slop: int, expansions: int | None) -> Query:
    """Return the phrase of a way through a graph."""
    position = 0
    groups: list[tuple[int, tuple[bytes, ...]]] = []
    for edge in path:
        position += edge.increment
        groups.append((position, (edge.term,)))
    return _phrase_query(field, groups, slop, expansions)


def phrase_prefix_of_value(field: FieldType) -> Query:
    """Refuse: only text has words of which the last one may be the beginning of a longer one."""
    raise IllegalArgument(
        f"Can only use phrase prefix queries on text fields - not on [{field.name}] which is of type "
        f"[{field.type_name}]"
    )


def combine(
    clauses: list[Query], *, operator_and: bool, needed: str | None, zero_terms: str, context: DslContext
) -> Query:
    """Return the clauses of a text as one query."""
    n = len(clauses)
    if n == 0:
        return empty_query(zero_terms)
    context.count(n) if n <= 1024 else check_clauses(n)
    if n == 1 and not (needed is not None and isinstance(clauses[0], BooleanQuery)):
        return clauses[0]
    minimum = 0
    if needed is not None:
        minimum = clauses_needed(0 if operator_and else n, needed)
    if minimum <= 1 and len(set(clauses)) < n:
        clauses = _without_repeats(clauses)
        if len(clauses) == 1 and not (operator_and and minimum):
            return clauses[0]
    if operator_and:
        return BooleanQuery(must=tuple(clauses), minimum_should_match=minimum)
    return BooleanQuery(should=tuple(clauses), minimum_should_match=minimum)


def _without_repeats(clauses: list[Query]) -> list[Query]:
    """Return each clause once, repeated ones with their boosts added up."""
    counts: dict[Query, int] = {}
    for query in clauses:
        counts[query] = counts.get(query, 0) + 1
    return [boosted(query, float(count)) for query, count in counts.items()]


def phrase(
    field: FieldType,
    analyzer: Any,
    text: str,
    *,
    slop: int,
    zero_terms: str,
    context: DslContext,
    expansions: int | None = None,
) -> Query:
    """Return the query for the terms of a text beside each other.

    expansions: the last term is only the beginning of one, of which so many are tried.
    """
    field.check_searchable()
    tokens = analyzer.query_tokens(text)
    if not tokens:
        return empty_query(zero_terms)
    graph = read_graph(tokens)
    if graph is not None:
        return _graph_phrase(field, graph, slop, expansions, context)
    groups = _grouped(tokens)
    context.count(len(groups))
    return _phrase_query(field, groups, slop, expansions)


def _graph_phrase(
    field: FieldType, graph: TokenGraph, slop: int, expansions: int | None, context: DslContext
) -> Query:
    """Return the query for the phrase of any way through a graph."""
    if slop == 0 and expansions is not None:
        return boosted(_graph_spans(field, graph, expansions, context), field.boost)
    found: list[Query] = []
    for path in graph.paths(0, graph.last):
        check_clauses(len(found) + 1)
        context.count(len(path))
        if slop == 0:  # as the reference, whose spans know no gaps
            path = [edge._replace(increment=1) for edge in path]
        found.append(_path_phrase(field, path, slop, expansions))
    return found[0] if len(found) == 1 else BooleanQuery(should=tuple(found))


def _graph_spans(field: FieldType, graph: TokenGraph, expansions: int, context: DslContext) -> Query:
    """Return the spans of all ways through a graph, whose last terms are the beginnings of others."""
    from lanner.engine.query.multi_term import MultiTermQuery, Rewrite  # few ask in this way
    from lanner.engine.query.pattern import text_automaton
    from lanner.engine.query.positions import Place, SpanQuery, term_place
    from lanner.engine.query.term_set import AutomatonTerms

    def joined(operation: str, places: list[Place]) -> Place:
        return places[0] if len(places) == 1 else Place(operation, parts=tuple(places))

    def leaf(term: bytes, *, last: bool) -> Place:
        context.count(1)
        if not last:
            return term_place(field.name, term)
        text = term.decode("utf-8", "replace")
        begun = AutomatonTerms("prefix", text, text_automaton(text, prefix=True, any_case=False))
        return Place("span_or", several=MultiTermQuery(field.name, begun, Rewrite("terms", most=expansions)))

    clauses = []
    for stretch in graph.stretches():
        at_end = stretch.end == graph.last
        if stretch.terms is None:
            ways: list[Place] = []
            for path in graph.paths(stretch.start, stretch.end):
                check_clauses(len(ways) + 1)
                ways.append(
                    joined(
                        "ordered_near", [leaf(edge.term, last=at_end and edge is path[-1]) for edge in path]
                    )
                )
            clauses.append(joined("span_or", ways))
        else:
            last = at_end and len(stretch.terms) == 1
            clauses.append(joined("span_or", [leaf(term, last=last) for term in stretch.terms]))
    return SpanQuery(field.name, joined("ordered_near", clauses))


def _phrase_query(
    field: FieldType,
    groups: list[tuple[int, tuple[bytes, ...]]],
    slop: int,
    expansions: int | None,
) -> Query:
    """Return the query for terms at their positions; expansions: as for phrase."""
    if slop == 0 and isinstance(field, TextFieldType) and (field.phrase_parts or field.prefix_part):
        kept = _kept_phrase(field, groups, expansions)
        if kept is not None:
            return boosted(kept, field.boost)
    if len(groups) == 1 and expansions is None:
        terms = groups[0][1]
        query: Query = TermQuery(field.name, terms[0]) if len(terms) == 1 else SynonymQuery(field.name, terms)
        return boosted(query, field.boost)
    if len(groups) > 1 and isinstance(field, TextFieldType) and not field.has_positions:
        raise IllegalStateError(
            f"field:[{field.name}] was indexed without position data; cannot run PhraseQuery"
        )
    first = groups[0][0]
    terms_at = tuple(terms for _, terms in groups)
    places = tuple(position - first for position, _ in groups)
    if expansions is None:
        return boosted(PhraseQuery(field.name, terms_at, places, slop), field.boost)
    return boosted(PhrasePrefixQuery(field.name, terms_at, places, slop, expansions), field.boost)


def _kept_phrase(
    field: TextFieldType, groups: list[tuple[int, tuple[bytes, ...]]], expansions: int | None
) -> Query | None:
    """Return the query for terms beside each other where words in a row, or their beginnings, are kept."""
    if any(after - before != 1 for (before, _), (after, _) in pairwise(groups)):
        return None
    rows, kept = field.phrase_parts, field.prefix_part
    shared = bool(rows) and kept is not None and kept is rows[0].prefix_part  # beginnings are those of rows
    if rows and len(groups) > 1 and (expansions is None or shared):
        part = rows[min(len(groups), len(rows) + 1) - 2]
        made = part.groups(groups)
        if expansions is None and len(made) == 1 and len(made[0][1]) > 1:
            return BooleanQuery(should=tuple(TermQuery(part.name, term) for term in made[0][1]))
        return _phrase_query(part, made, 0, expansions)
    if expansions is None or kept is None or shared:
        return None
    last = groups[-1][1]
    if not all(kept.accepts(term.decode("utf-8", "replace")) for term in last):
        return None
    if len(groups) == 1:
        return TermQuery(kept.name, last[0]) if len(last) == 1 else SynonymQuery(kept.name, last)
    from lanner.engine.query.positions import Place, SpanQuery, term_place  # few ask in this way

    places = []
    for i, (_, terms) in enumerate(groups):
        name = kept.name if i == len(groups) - 1 else field.name
        found = tuple(term_place(name, term) for term in terms)
        places.append(found[0] if len(found) == 1 else Place("span_or", parts=found))
    return SpanQuery(field.name, Place("ordered_near", 0, parts=tuple(places)))


def lenient_query(field: str, make: Callable[[], Query], context: DslContext, *, lenient: bool) -> Query:
    """Return a query, or with lenient nothing where the value does not fit the field.

    What the cluster does not allow does not fit either.
    """
    from lanner.engine.common.errors import LannerError

    if not lenient:
        return make()
    try:
        query = make()
        if not context.allow_expensive:
            from lanner.engine.query.expensive import refuse_expensive  # few forbid them

            refuse_expensive(query, context.is_text)
        return query
    except LannerError as error:
        return MatchNoneQuery(f"failed [{field}] query, caused by {error.type}:[{error.reason}]")
