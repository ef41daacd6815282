"""What of a query is marked in a text: terms, sets of terms, and phrases."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lanner.engine.query.base import BoostQuery, Query, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.boosting import BoostingQuery
from lanner.engine.query.common_terms import CommonTermsQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.covering import CoveringQuery
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.function_score import FunctionScoreQuery
from lanner.engine.query.more_like_this import MoreLikeThisQuery
from lanner.engine.query.multi_term import MultiTermQuery
from lanner.engine.query.nested import NestedQuery
from lanner.engine.query.phrase import PhrasePrefixQuery, PhraseQuery
from lanner.engine.query.positions import IntervalQuery, Place, SpanQuery
from lanner.engine.query.prefix import PrefixQuery
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.synonym import SynonymQuery
from lanner.engine.query.term import BlendedTermQuery, TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.engine.search.fetch.highlight.spans import Spans, only_terms
from lanner.ext.highlight.marks import PlacedToken

Fits = Callable[[bytes], bool]


@dataclass(slots=True)
class Phrase:
    """Terms per place. prefix: the last place takes every term that begins with one of its terms."""

    terms: tuple[tuple[bytes, ...], ...]
    positions: tuple[int, ...]
    slop: int
    boost: float = 1.0
    prefix: bool = False

    def places(self, term: bytes) -> list[int]:
        """Return the places that a term may stand at."""
        last = len(self.terms) - 1
        return [
            i
            for i, terms in enumerate(self.terms)
            if term in terms or (self.prefix and i == last and self.ends_in(term))
        ]

    def ends_in(self, term: bytes) -> bool:
        """Return whether a term may stand at the last place of a phrase that ends in a part of a term."""
        return term.startswith(self.terms[-1])


@dataclass(slots=True)
class Wanted:
    """What is marked: single terms by what they count, sets as (name, test, what a term counts), phrases."""

    terms: dict[bytes, float] = field(default_factory=dict)
    sets: list[tuple[str, Fits, float]] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)
    spans: list[Spans] = field(default_factory=list)
    kind: str = "unified"  # of highlighter: each marks for less than all kinds of queries

    def weight(self, term: bytes) -> float | None:
        """Return what a term counts wherever it stands, None if it is not wanted alone."""
        found = self.terms.get(term)
        if found is None and self.sets:
            found = next((boost for _, fits, boost in self.sets if fits(term)), None)
        return found

    @property
    def only_terms(self) -> bool:
        """Whether a token is marked for its term alone, by one of a list."""
        return not (self.sets or self.phrases or self.spans)

    def looked_for(self) -> tuple[set[bytes], Fits | None]:
        """Return the terms that matter, and what tells of others whether they do."""
        terms = set(self.terms)
        for phrase in self.phrases:
            terms.update(*phrase.terms)
        tests: list[Fits] = [fits for _, fits, _ in self.sets]
        tests += [phrase.ends_in for phrase in self.phrases if phrase.prefix]
        tests += [spans.takes_term for spans in self.spans]
        if len(tests) < 2:
            return terms, tests[0] if tests else None
        return terms, lambda term: any(fits(term) for fits in tests)


def wanted_of(
    query: Query, takes: Callable[[str], bool], kind: str = "unified", weights: WeightContext | None = None
) -> Wanted:
    """Return what a query marks in the fields that takes accepts; what it excludes is not marked.

    kind: of highlighter. weights: for queries that only choose their terms by the statistics of a reader.
    """
    wanted = Wanted(kind=kind)
    pending: list[tuple[Query, float]] = [(query, 1.0)]
    while pending:
        one, boost = pending.pop()
        add = _ADD.get(type(one))
        if add is not None:
            add(one, boost, takes, wanted)
            continue
        inner, times = _inside(one, kind, weights)
        pending += [(each, boost * times) for each in reversed(inner)]
    return wanted


def _inside(query: Query, kind: str, weights: WeightContext | None) -> tuple[list[Query], float]:
    """Return the queries inside one that they mark for, and what boosts them."""
    if isinstance(query, BoostQuery):
        return [query.query], query.boost
    if isinstance(query, BooleanQuery):
        return [*query.must, *query.filter, *query.should], 1.0
    if isinstance(query, DisMaxQuery):
        return list(query.queries), 1.0
    if isinstance(query, ConstantScoreQuery | FunctionScoreQuery | NestedQuery):
        return [query.query], 1.0
    if isinstance(query, CoveringQuery):
        return [] if kind == "fvh" else list(query.clauses), 1.0
    if isinstance(query, BoostingQuery):
        return [query.positive], 1.0
    if isinstance(query, MoreLikeThisQuery) and kind != "unified" and weights is not None:
        return [query.chosen(weights)], 1.0
    return [], 1.0


Takes = Callable[[str], bool]


def _term(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if takes(query.field):
        wanted.terms[query.term] = boost


def _terms(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if takes(query.field):
        wanted.terms.update(dict.fromkeys(query.terms, boost))


def _blended(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    for name, term, own in query.terms:
        if takes(name):
            wanted.terms[term] = boost * own


def _prefix(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if takes(query.field):
        start = query.prefix
        wanted.sets.append((repr(query), lambda term: term.startswith(start), boost))


def _range(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if not takes(query.field):
        return

    def fits(term: bytes) -> bool:
        if query.lower is not None and not (
            term > query.lower or (query.include_lower and term == query.lower)
        ):
            return False
        return query.upper is None or (
            term < query.upper or (query.include_upper and bool(term == query.upper))
        )

    wanted.sets.append((repr(query), fits, boost))


def _multi_term(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if takes(query.field):
        machine = query.terms.machine()

        def fits(term: bytes) -> bool:
            return bool(machine.value_of(term.decode("utf-8", "replace")) >= 0)

        wanted.sets.append((repr(query), fits, boost))


def _phrase(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if not takes(query.field):
        return
    prefix = isinstance(query, PhrasePrefixQuery)
    if len(query.terms) == 1 and not prefix:
        wanted.terms.update(dict.fromkeys(query.terms[0], boost))
    else:
        wanted.phrases.append(Phrase(query.terms, query.positions, query.slop, boost, prefix))


def _spans(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if not takes(query.field):
        return
    if query.place.term is not None or query.place.several is not None:
        _leaves(query.place, boost, takes, wanted)
    elif wanted.kind != "fvh":
        wanted.spans.append(Spans(query.place, boost, takes))


def _intervals(query: Any, boost: float, takes: Takes, wanted: Wanted) -> None:
    if wanted.kind == "plain":
        wanted.terms.update(dict.fromkeys(only_terms(query.place, takes)[0], boost))
    elif wanted.kind == "unified":
        _leaves(query.place, boost, takes, wanted)


def _leaves(place: Place, boost: float, takes: Takes, wanted: Wanted) -> None:
    terms, sets = only_terms(place, takes)
    wanted.terms.update(dict.fromkeys(terms, boost))
    wanted.sets += [(name, fits, boost) for name, fits in sets]


#: what each kind of query adds
_ADD: dict[type[Query], Callable[[Any, float, Takes, Wanted], None]] = {
    TermQuery: _term,
    TermsQuery: _terms,
    SynonymQuery: _terms,
    CommonTermsQuery: _terms,
    BlendedTermQuery: _blended,
    PrefixQuery: _prefix,
    TermRangeQuery: _range,
    MultiTermQuery: _multi_term,
    PhraseQuery: _phrase,
    PhrasePrefixQuery: _phrase,
    SpanQuery: _spans,
    IntervalQuery: _intervals,
}


def marked(wanted: Wanted, tokens: list[PlacedToken]) -> list[tuple[int, float]]:
    """Return which tokens are marked, in their order, and what each counts."""
    weight = wanted.weight
    if not wanted.phrases and not wanted.spans:
        return [(i, found) for i, token in enumerate(tokens) if (found := weight(token.term)) is not None]
    in_phrases: dict[int, float] = {}
    for phrase in wanted.phrases:
        for occurrence in occurrences(phrase, tokens):
            in_phrases |= dict.fromkeys(occurrence.tokens, phrase.boost)
    for spans in wanted.spans:
        in_phrases |= dict.fromkeys(spans.marked(tokens), spans.boost)
    found_all = []
    for i, token in enumerate(tokens):
        value = weight(token.term)
        if value is None:
            value = in_phrases.get(i)
        if value is not None:
            found_all.append((i, value))
    return found_all


class Occurrence(NamedTuple):
    """Where a phrase stands: its first and last position, and the tokens that it is made of."""

    first: int
    last: int
    tokens: list[int]


def occurrences(phrase: Phrase, tokens: list[PlacedToken]) -> list[Occurrence]:
    """Return the occurrences of a phrase."""
    places: list[list[tuple[int, int]]] = [[] for _ in phrase.terms]  # (position, token) per place
    for i, token in enumerate(tokens):
        for place in phrase.places(token.term):
            places[place].append((token.position, i))
    if not all(places):
        return []
    return _near(phrase, places) if phrase.slop else _exact(phrase, places)


def _exact(phrase: Phrase, places: list[list[tuple[int, int]]]) -> list[Occurrence]:
    by_position: list[dict[int, list[int]]] = []
    for place in places:
        at: dict[int, list[int]] = {}
        for position, i in place:
            at.setdefault(position, []).append(i)
        by_position.append(at)
    offsets = [position - phrase.positions[0] for position in phrase.positions]
    found = []
    for start in by_position[0]:
        if all(start + offset in at for offset, at in zip(offsets, by_position, strict=True)):
            parts = [i for offset, at in zip(offsets, by_position, strict=True) for i in at[start + offset]]
            found.append(Occurrence(start, start + offsets[-1], parts))
    return found


def _near(phrase: Phrase, places: list[list[tuple[int, int]]]) -> list[Occurrence]:
    """Return unordered occurrences, as wide as the slop allows: the place that is behind moves on."""
    found: list[Occurrence] = []
    n = len(places)
    slop = phrase.slop + phrase.positions[-1] - phrase.positions[0] - (n - 1)
    heads = [0] * n
    order = sorted((place[0][0], k) for k, place in enumerate(places))
    while True:
        first, k = order.pop(0)
        last = order[-1][0] if order else first
        if last - first + 1 - n <= slop:
            found.append(Occurrence(first, last, [places[j][heads[j]][1] for j in range(n)]))
        heads[k] += 1
        if heads[k] == len(places[k]):
            return found
        moved = (places[k][heads[k]][0], k)
        order.insert(bisect_left(order, moved), moved)
