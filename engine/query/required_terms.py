"""Terms of which every document that a query matches has at least one: what stored queries are found by.

Source of the idea: QueryAnalyzer of OpenSearch's percolator. Numbers, and that there is a field at all, are
written as terms too (`number_key`, `exists_key`), so that `keys_of` a document has all that a query may need.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lanner.engine.query.base import BoostQuery, Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.boosting import BoostingQuery
from lanner.engine.query.common_terms import CommonTermsQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.dis_max import DisMaxQuery
from lanner.engine.query.exists import ExistsQuery
from lanner.engine.query.function_score import FunctionScoreQuery
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.nested import NestedQuery
from lanner.engine.query.phrase import PhraseQuery
from lanner.engine.query.range import NumberRangeQuery, NumberSetQuery
from lanner.engine.query.synonym import SynonymQuery
from lanner.engine.query.term import BlendedTermQuery, StatedTermQuery, TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.ext.index.segment_reader import SegmentReader

_LONGEST = 32_000  # bytes of a key
_MOST = 10_000  # keys of a query


@dataclass(frozen=True, slots=True)
class Required:
    """keys: of which a matching document has one; None: any document may match.

    exact: whether having one is also enough. known: whether the reference understands the query as well.
    """

    keys: frozenset[bytes] | None
    exact: bool = False
    known: bool = True


ANY = Required(None, known=False)
ALL = Required(None, exact=True)
NOTHING = Required(frozenset(), exact=True)
HasColumn = Callable[[str], bool]


def term_key(field: str, term: bytes) -> bytes:
    """Return a term of a field as a key."""
    return field.encode() + b"\0" + term


def number_key(field: str, number: int) -> bytes:
    """Return an encoded number of a field as a key."""
    return field.encode() + b"\1" + number.to_bytes(8, "big", signed=True)


def exists_key(field: str) -> bytes:
    """Return as a key that a field is there."""
    return field.encode() + b"\2"


def keys_of(segment: SegmentReader) -> Iterator[bytes]:
    """Yield the keys of all documents and rows of a segment together."""
    for name, field in segment.fields_by_name.items():
        yield exists_key(name)
        if field.terms is not None:
            yield from (term_key(name, field.terms.term(ord_)) for ord_ in range(field.terms.size))
        elif field.column is not None:
            for doc in range(segment.max_doc):
                yield from (number_key(name, number) for number in segment.numbers(name, doc))


def required(query: Query, has_column: HasColumn) -> Required:
    """Return what documents must have that a query matches.

    has_column: whether the numbers of a field are kept by document.
    """
    analyze = _ANALYZERS.get(type(query))
    found = ANY if analyze is None else analyze(query, has_column)
    if found.keys is not None and (len(found.keys) > _MOST or any(len(key) > _LONGEST for key in found.keys)):
        return Required(None, exact=False, known=found.known)
    return found


def _terms(query: Any, has_column: HasColumn) -> Required:
    return Required(frozenset(term_key(query.field, term) for term in query.terms), exact=True)


def _numbers(field: str, numbers: Iterable[int], has_column: HasColumn) -> Required:
    if not has_column(field):
        return Required(None, exact=True)
    return Required(frozenset(number_key(field, number) for number in numbers), exact=True)


def _range(query: Any, has_column: HasColumn) -> Required:
    if query.low > query.high:
        return NOTHING
    if query.low == query.high:
        return _numbers(query.field, (query.low,), has_column)
    return Required(frozenset((exists_key(query.field),)), exact=False)


def _phrase(query: Any, has_column: HasColumn) -> Required:
    places = [frozenset(term_key(query.field, term) for term in terms) for terms in query.terms]
    return Required(min(places, key=_commonness)) if places else ANY


def _commonness(keys: frozenset[bytes]) -> tuple[int, int]:
    """Return a guess at how many documents have one of some keys: long ones are rare."""
    return len(keys), -min(map(len, keys), default=0)


def _any_of(found: list[Required]) -> Required:
    """Return what holds if one of several does."""
    known = all(one.known for one in found)
    exact = all(one.exact for one in found)
    keys: set[bytes] = set()
    for one in found:
        if one.keys is None:
            return Required(None, exact, known)
        keys |= one.keys
    return Required(frozenset(keys), exact, known)


def _boolean(query: Any, has_column: HasColumn) -> Required:
    needed = [required(one, has_column) for one in (*query.must, *query.filter)]
    should = [required(one, has_column) for one in query.should]
    least = query.needed()
    if least > len(should):
        return NOTHING
    if least:
        # of n clauses one of any n - least + 1 matches
        should.sort(key=lambda one: (one.keys is None, *_commonness(one.keys or frozenset())))
        needed.append(_any_of(should[: len(should) - least + 1]))
    if not needed:
        return Required(None, exact=False, known=bool(query.should))
    exact = len(needed) == 1 and needed[0].exact and least < 2 and not query.must_not
    known = any(one.known for one in needed)
    keys = min((one.keys for one in needed if one.keys is not None), key=_commonness, default=None)
    return Required(keys, exact, known)


def _term(query: Any, has_column: HasColumn) -> Required:
    return Required(frozenset((term_key(query.field, query.term),)), exact=True)


def _part(query: Any, has_column: HasColumn) -> Required:
    return required(query.query, has_column)


def _subset(query: Any, has_column: HasColumn) -> Required:
    inner = required(query.query, has_column)
    return Required(inner.keys, exact=False, known=inner.known)


#: what understands each kind of query; others may match any document
_ANALYZERS: dict[type[Query], Callable[[Any, HasColumn], Required]] = {
    TermQuery: _term,
    StatedTermQuery: _term,
    TermsQuery: _terms,
    SynonymQuery: _terms,
    CommonTermsQuery: _terms,
    BlendedTermQuery: lambda query, _: Required(
        frozenset(term_key(field, term) for field, term, _ in query.terms), exact=True
    ),
    PhraseQuery: _phrase,
    NumberRangeQuery: _range,
    NumberSetQuery: lambda query, has_column: _numbers(query.field, query.values, has_column),
    ExistsQuery: lambda query, _: Required(frozenset((exists_key(query.field),)), known=False),
    MatchAllQuery: lambda query, _: ALL,
    MatchNoneQuery: lambda query, _: NOTHING,
    BooleanQuery: _boolean,
    DisMaxQuery: lambda query, has_column: _any_of([required(one, has_column) for one in query.queries]),
    ConstantScoreQuery: _part,
    BoostQuery: _part,
    BoostingQuery: lambda query, has_column: required(query.positive, has_column),
    FunctionScoreQuery: lambda query, has_column: (_part if query.min_score is None else _subset)(
        query, has_column
    ),
    NestedQuery: _subset,
}
