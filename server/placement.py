"""Whether a search is over sooner than another thread could take it up.

The cost of a query is estimated by the postings that it reads at most, from the body as it was sent. What
is not recognised counts as every document of the index.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lanner.engine.index.shard import Shard
    from lanner.engine.mapping.mapping import Mapping as IndexMapping
    from lanner.ext.search.reader import IndexReader

MAX_POSTINGS = (
    150_000  # about a nanosecond each; a change of threads costs more than a tenth of a millisecond
)
MAX_HITS = 100
PHRASE_FACTOR = 4  # positions are read beside the documents
WORD_SHARE = 32  # of all documents, what a word of a match costs: most of its postings are skipped
PRUNED = {"term": 32, "range": 16, "exists": 8, "ids": 64}  # the same for other clauses
MAX_DEPTH = 5


def is_short(shard: "Shard", mapping: "IndexMapping", query: Any, left: int = MAX_POSTINGS) -> int:
    """Return what a shard leaves of a budget of postings; below zero: too long for the event loop."""
    if shard.has_unrefreshed and shard.schedule.idle:
        return -1  # the search would have to refresh first
    with shard.acquire_searcher() as searcher:
        reader = searcher.reader
        if reader.max_doc <= left:
            return left - reader.max_doc
        return left - (query_cost(query, mapping, reader) if query is not None else 0)


def query_cost(query: Any, mapping: "IndexMapping", reader: "IndexReader", depth: int = 0) -> int:
    """Return the postings that a query reads at most."""
    if not isinstance(query, Mapping) or len(query) != 1 or depth > MAX_DEPTH:
        return reader.max_doc
    ((kind, inner),) = query.items()
    if not isinstance(inner, Mapping):
        return reader.max_doc
    if kind == "bool":
        return sum(
            query_cost(clause, mapping, reader, depth + 1)
            for name in ("must", "should", "filter", "must_not")
            for clause in listed(inner.get(name))
        )
    if kind == "constant_score":
        return query_cost(inner.get("filter"), mapping, reader, depth + 1)
    if kind == "match_all":
        return 0
    if kind in PRUNED:
        return reader.max_doc // PRUNED[kind]
    if kind in ("match", "match_phrase") and len(inner) == 1:
        ((field, given),) = inner.items()
        text = given.get("query") if isinstance(given, Mapping) else given
        if isinstance(text, str):
            if kind == "match":
                return (text.count(" ") + 1) * reader.max_doc // WORD_SHARE
            return phrase_cost(field, text, mapping, reader)
    return reader.max_doc


def phrase_cost(field: str, text: str, mapping: "IndexMapping", reader: "IndexReader") -> int:
    """Return the postings of the terms of a phrase; those of the rarest are all looked at."""
    field_type = mapping.field_type(field)
    analyzer = None if field_type is None else field_type.query_analyzer()
    if analyzer is None:
        return 0
    freqs = [reader.doc_freq(field, token.term) for token in analyzer.query_tokens(text)]
    return min(freqs, default=0) * PHRASE_FACTOR


def listed(clauses: Any) -> list[Any]:
    """Return clauses given alone or as a list."""
    if clauses is None:
        return []
    return clauses if isinstance(clauses, list) else [clauses]
