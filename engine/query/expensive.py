"""Queries that ``search.allow_expensive_queries: false`` refuses: they walk many terms, or join rows."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from lanner.engine.common.errors import LannerError
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import MultiTermQuery
from lanner.engine.query.nested import NestedQuery
from lanner.engine.query.prefix import PrefixQuery
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.term_set import AutomatonTerms, SpellingTerms

_KINDS = ("prefix", "wildcard", "regexp", "range")
_REASON = "queries{where} cannot be executed when 'search.allow_expensive_queries' is set to false."
_ADVICE = " For optimised prefix queries on text fields please enable [index_prefixes]."


def refuse_expensive(query: Query, is_text: Callable[[str], bool]) -> None:
    """Raise the error for the first expensive query in a query, if there is one.

    is_text: whether a field holds texts or keywords; others may be asked for terms of any kind.
    """
    for one in _inside(query):
        kind = _kind(one)
        if kind is not None and (kind == "joining" or is_text(getattr(one, "field", ""))):
            where = " on [text] or [keyword] fields" if kind == "range" else ""
            advice = _ADVICE if kind == "prefix" else ""
            raise LannerError(f"[{kind}] {_REASON.format(where=where)}{advice}")


def refuse_joining(*, allowed: bool) -> None:
    """Raise the error for a query that joins documents, unless expensive queries are allowed."""
    if not allowed:
        raise LannerError(f"[joining] {_REASON.format(where='')}")


def _kind(query: Query) -> str | None:
    match query:
        case PrefixQuery():
            return "prefix"
        case TermRangeQuery():
            return "range"
        case NestedQuery():
            return "joining"
        case MultiTermQuery(terms=SpellingTerms()):
            return "fuzzy"
        case MultiTermQuery(terms=AutomatonTerms(kind=kind)):
            if " in " in kind:  # the reference takes them where they stand in spans or in the text of a query
                return None
            name = kind.replace("_", " ").split()[0]
            return name if name in _KINDS else None
    return None


def _inside(query: Query) -> Iterator[Query]:
    """Yield a query and every query that it is made of."""
    pending: list[Any] = [query]
    while pending:
        one = pending.pop()
        if isinstance(one, Query):
            yield one
        if isinstance(one, tuple):
            pending += reversed(one)
        elif is_dataclass(one):
            pending += [getattr(one, field.name) for field in reversed(fields(one))]
