"""Queries on the name of the index, which every document of an index shares."""

from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.wildcards import matches
from lanner.engine.dsl.base import DslContext
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery


def index_name_query(field: str, value: Any, context: DslContext) -> Query | None:
    """Return all or nothing for a query on the name of the index; None for other fields."""
    if field != "_index":
        return None
    return MatchAllQuery() if matches(java_text(value), context.index) else MatchNoneQuery("another index")
