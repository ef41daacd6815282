"""Queries in the form that Lucene gives them before it searches, which explanations and profiles show.

The weights of ext/query do not need this: they find out by themselves what is simple. Source: the rewrite
methods of Lucene 9.12's BooleanQuery, BoostQuery, ConstantScoreQuery and DisjunctionMaxQuery.
"""

from collections.abc import Iterable
from dataclasses import replace

from lanner.engine.query.base import BoostQuery, Query, WeightContext, boosted
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery

ALL = MatchAllQuery()
Queries = tuple[Query, ...]


def rewrite_boost(query: BoostQuery, context: WeightContext) -> Query:
    """Return a query with its boosts multiplied."""
    inside = query.query.rewritten(context)
    if isinstance(inside, MatchNoneQuery) or query.boost == 1.0:
        return inside
    if isinstance(inside, BoostQuery):
        return BoostQuery(inside.query, inside.boost * query.boost)
    if query.boost == 0.0 and not isinstance(inside, ConstantScoreQuery):
        inside = ConstantScoreQuery(inside)
    return BoostQuery(inside, query.boost)


def rewrite_constant(query: ConstantScoreQuery, context: WeightContext) -> Query:
    """Return the constant score of a query of which only the matches matter."""
    inside = without_scores(query.query.rewritten(context))
    return inside if isinstance(inside, MatchNoneQuery) else ConstantScoreQuery(inside)


def without_scores(query: Query) -> Query:
    """Return a rewritten query with the same matches."""
    if isinstance(query, BoostQuery | ConstantScoreQuery):
        inside = query.query
        if isinstance(query, BoostQuery) and isinstance(inside, ConstantScoreQuery):
            return inside.query
        return inside
    if not isinstance(query, BooleanQuery):
        return query
    keeps_should = query.minimum_should_match > 0 or not (query.must or query.filter)
    return BooleanQuery(
        should=tuple(map(without_scores, query.should)) if keeps_should else (),
        filter=tuple(map(without_scores, query.must + query.filter)),
        must_not=tuple(map(without_scores, query.must_not)),
        minimum_should_match=query.minimum_should_match,
    )


def rewrite_dis_max(query: DisMaxQuery, context: WeightContext) -> Query:
    """Return the only clause, or the sum of all if they all count in full."""
    clauses = [one.rewritten(context) for one in query.queries]
    kept = tuple(one for one in clauses if not isinstance(one, MatchNoneQuery))
    if not kept:
        return MatchNoneQuery("empty DisjunctionMaxQuery")
    if len(kept) == 1:
        return kept[0]
    if query.tie_breaker == 1.0:
        return BooleanQuery(should=kept).rewritten(context)
    return DisMaxQuery(kept, query.tie_breaker)


def rewrite_boolean(query: BooleanQuery, context: WeightContext) -> Query:
    """Return a conjunction or disjunction with nothing in it that does not matter."""
    if not (query.must or query.should or query.filter or query.must_not):
        return MatchNoneQuery("empty BooleanQuery")
    rewritten = _clauses(query, context)
    if isinstance(rewritten, MatchNoneQuery):
        return rewritten
    assert isinstance(rewritten, BooleanQuery)
    for rule in (
        _flat,
        _one,
        _no_positive,
        _excluded,
        _filters,
        _wanted_filters,
        _all_needed,
        _repeated,
        _all,
    ):
        found = rule(rewritten)
        if not isinstance(found, BooleanQuery):
            return found.rewritten(context)
        rewritten = found
    return rewritten if rewritten == query else rewritten.rewritten(context)


def _clauses(query: BooleanQuery, context: WeightContext) -> Query:
    """Rewrite every clause; one that cannot match takes the query with it, or falls out of it."""
    must = tuple(one.rewritten(context) for one in query.must)
    filters = tuple(without_scores(one.rewritten(context)) for one in query.filter)
    for one in must + filters:
        if isinstance(one, MatchNoneQuery):
            return one
    should = _matching(one.rewritten(context) for one in query.should)
    if query.minimum_should_match > len(should) and query.should:
        return MatchNoneQuery("SHOULD clause count less than minimumNumberShouldMatch")
    must_not = _matching(without_scores(one.rewritten(context)) for one in query.must_not)
    if not (must or should or filters or must_not):
        return MatchNoneQuery("empty BooleanQuery")
    return BooleanQuery(must, should, filters, must_not, query.minimum_should_match)


def _matching(clauses: Iterable[Query]) -> Queries:
    return tuple(one for one in clauses if not isinstance(one, MatchNoneQuery))


def _one(query: BooleanQuery) -> Query:
    """Return what a single clause stands for."""
    if len(query.must) + len(query.should) + len(query.filter) + len(query.must_not) != 1:
        return query
    if query.should:
        return query.should[0]
    if query.must and not query.minimum_should_match:
        return query.must[0]
    if query.filter and not query.minimum_should_match:
        return BoostQuery(ConstantScoreQuery(query.filter[0]), 0.0)
    return query


def _no_positive(query: BooleanQuery) -> Query:
    if query.must or query.should or query.filter:
        return query
    return MatchNoneQuery("pure negative BooleanQuery")


def _excluded(query: BooleanQuery) -> Query:
    """Return none if what is excluded is everything, or what must match."""
    if ALL in query.must_not:
        return MatchNoneQuery("MUST_NOT clause is MatchAllDocsQuery")
    if set(query.must_not) & {*query.must, *query.filter}:
        return MatchNoneQuery("FILTER or MUST clause also in MUST_NOT")
    return query


def _filters(query: BooleanQuery) -> Query:
    """Leave out filters that are there twice, must match anyway, or match everything."""
    kept = dict.fromkeys(query.filter)
    if len(kept) > 1 or query.must:
        kept.pop(ALL, None)
    for one in query.must:
        kept.pop(one, None)
    return replace(query, filter=tuple(kept), must_not=tuple(dict.fromkeys(query.must_not)))


def _wanted_filters(query: BooleanQuery) -> Query:
    """Make clauses that are filters and may match into such as must match."""
    both = set(query.filter) & set(query.should)
    if not both:
        return query
    raised = tuple(one for one in query.should if one in both)
    return replace(
        query,
        must=query.must + raised,
        should=tuple(one for one in query.should if one not in both),
        filter=tuple(one for one in query.filter if one not in both),
        minimum_should_match=max(0, query.minimum_should_match - len(raised)),
    )


def _all_needed(query: BooleanQuery) -> Query:
    """Make all optional clauses required if so many are."""
    if not query.should or query.minimum_should_match != len(query.should):
        return query
    return replace(query, must=query.must + query.should, should=(), minimum_should_match=0)


def _repeated(query: BooleanQuery) -> Query:
    """Add up the boosts of clauses that are there several times."""
    if query.minimum_should_match <= 1:
        query = replace(query, should=_added(query.should))
    return replace(query, must=_added(query.must))


def _added(clauses: Queries) -> Queries:
    boosts: dict[Query, float] = {}
    for one in clauses:
        plain, boost = (one.query, one.boost) if isinstance(one, BoostQuery) else (one, 1.0)
        boosts[plain] = boosts.get(plain, 0.0) + boost
    if len(boosts) == len(clauses):
        return clauses
    return tuple(boosted(one, boost) for one, boost in boosts.items())


def _flat(query: BooleanQuery) -> Query:
    """Take the clauses of disjunctions inside a disjunction as its own."""
    if query.minimum_should_match > 1:
        return query
    should: list[Query] = []
    for one in query.should:
        if isinstance(one, BooleanQuery) and _is_disjunction(one):
            should += one.should
        else:
            should.append(one)
    return replace(query, should=tuple(should))


def _is_disjunction(query: BooleanQuery) -> bool:
    return not (query.must or query.filter or query.must_not) and query.minimum_should_match <= 1


def _all(query: BooleanQuery) -> Query:
    """Make everything, narrowed by filters, into the constant score of the filters."""
    if len(query.must) != 1 or not query.filter:
        return query
    must = query.must[0]
    boost = must.boost if isinstance(must, BoostQuery) else 1.0
    if (must.query if isinstance(must, BoostQuery) else must) != ALL:
        return query
    rest = BooleanQuery(filter=query.filter, must_not=query.must_not)
    narrowed = boosted(ConstantScoreQuery(rest), boost)
    return BooleanQuery(
        must=(narrowed,), should=query.should, minimum_should_match=query.minimum_should_match
    )
