"""``explain``: how the score of a hit came about."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import java_text
from lanner.engine.dsl.base import DslContext, DslQuery
from lanner.engine.index.operation import GetResult
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.mapping.types.floating import FloatingFieldType
from lanner.engine.mapping.types.ip import IpFieldType
from lanner.engine.mapping.types.numeric import NumberFieldType
from lanner.engine.query.base import BoostQuery, Query, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.constant_score import ConstantScoreQuery
from lanner.engine.query.explanation import Explainer, Explanation, match, no_match, shown, single
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.nested import NestedQuery, RowsQuery
from lanner.engine.query.range import NumberRangeQuery, NumberSetQuery, TermRangeQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.terms import TermsQuery
from lanner.engine.search.rescoring import COMBINE
from lanner.ext.search.reader import IndexReader

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardResult, ShardTarget
    from lanner.engine.search.request import SearchRequest
    from lanner.engine.search.request_parts import Rescore


class MappedTexts:
    """The fields of an index as texts of queries show them."""

    def __init__(self, mapping: Mapping) -> None:
        self.mapping = mapping

    def number(self, field: str, encoded: int) -> str:
        """Return a number as the field's points show it."""
        kind = self.mapping.field_type(field)
        if isinstance(kind, FloatingFieldType):
            value = kind.unbits(encoded)
            return java_text(value) if kind.type_name == "double" else shown(value)
        return self.cell(field, encoded)

    def cell(self, field: str, encoded: int) -> str:
        """Return a number as the field's doc values show it."""
        kind = self.mapping.field_type(field)
        if isinstance(kind, NumberFieldType) and kind.type_name == "unsigned_long":
            return str(kind.show(encoded))
        return str(encoded)

    def indexed(self, field: str) -> bool:
        """Return whether the field is indexed."""
        kind = self.mapping.field_type(field)
        return kind is not None and kind.indexed

    def has_doc_values(self, field: str) -> bool:
        """Return whether the field has doc values."""
        kind = self.mapping.field_type(field)
        return kind is not None and bool(kind.has_doc_values)

    def address(self, field: str, term: bytes) -> str | None:
        """Return a term as an internet address; None for a field of other terms."""
        kind = self.mapping.field_type(field)
        return str(kind.sort_value(term)) if isinstance(kind, IpFieldType) else None


def explained_query(target: "ShardTarget", query: DslQuery | None, context: DslContext) -> Query:
    """Return a query with what the alias that was asked leaves of the index.

    Where documents have nested objects, and the query could find such, it says that it means documents.
    """
    from lanner.engine.search.query_phase import resolve_query

    asked = resolve_query(query, context, target.index_uuid)
    filters: list[Query] = []
    if target.filter is not None:
        filters.append(resolve_query(target.filter, context, target.index_uuid))
    if target.mapping.nested_paths and all(may_find_rows(one, target.mapping) for one in (asked, *filters)):
        filters.insert(0, RowsQuery(None))
    return BooleanQuery(must=(asked,), filter=tuple(filters)) if filters else asked


def may_find_rows(query: Query, mapping: Mapping) -> bool:
    """Return whether a query might match nested objects. Source: NestedHelper of OpenSearch."""
    match query:
        case BoostQuery() | ConstantScoreQuery():
            return may_find_rows(query.query, mapping)
        case MatchNoneQuery():
            return False
        case TermQuery() | TermsQuery() | NumberRangeQuery() | NumberSetQuery() | TermRangeQuery():
            return query.field.startswith("_") or mapping.nested_scope(query.field) is not None
        case BooleanQuery(must=must, filter=filters, should=should) if must or filters or should:
            required = must + filters
            if required:
                return all(may_find_rows(one, mapping) for one in required)
            return any(may_find_rows(one, mapping) for one in should)
        case NestedQuery():
            return query.around is not None
    return True


def explainer_of(
    target: "ShardTarget",
    reader: IndexReader,
    query: DslQuery | None,
    context: DslContext,
    checks: list[Callable[[], None]] | None = None,
) -> Explainer:
    """Return what explains documents of a shard. checks: as for bind."""
    weights = WeightContext(reader, target.mapping.similarity, checks=[] if checks is None else checks)
    return Explainer(weights, MappedTexts(target.mapping), explained_query(target, query, context))


def bind_explain(
    result: "ShardResult", request: "SearchRequest", context: DslContext
) -> Callable[[dict[str, Any], Any, int, int], None]:
    """Return what adds the explanation to a hit."""
    target, reader = result.target, result.reader
    explainer = explainer_of(target, reader, request.query, context)
    rescores = [
        (one, explainer_of(target, reader, one.query, context), looked_at)
        for one, looked_at in zip(request.rescore, result.looked_at, strict=True)
    ]

    def add_explanation(hit: dict[str, Any], segment: Any, segment_index: int, doc: int) -> None:
        explained = explainer.explain(segment_index, doc, target.boost)
        for asked, second, looked_at in rescores:
            seen = doc in looked_at[segment_index]
            again = second.explain(segment_index, doc) if seen else no_match("outside of the window")
            explained = rescored(asked, explained, again)
        hit["_explanation"] = explained.render()

    return add_explanation


def rescored(asked: "Rescore", first: Explanation, second: Explanation) -> Explanation:
    """Return the score of a first and a second look together."""
    weight = match(asked.query_weight, "primaryWeight")
    primary = match(single(first.value * asked.query_weight), "product of:", first, weight)
    if not second.matched:
        return primary
    weight = match(asked.rescore_weight, "secondaryWeight")
    secondary = match(single(second.value * asked.rescore_weight), "product of:", second, weight)
    value = single(COMBINE[asked.mode](primary.value, secondary.value))
    words = {
        "total": "sum of:",
        "multiply": "product of:",
        "avg": "avg of:",
        "max": "max of:",
        "min": "min of:",
    }
    return match(value, words[asked.mode], primary, secondary)


def explain_document(
    target: "ShardTarget", query: DslQuery, id_: str, now_millis: int
) -> tuple[Explanation, GetResult] | None:
    """Return how a query scores a document, and the document that a searcher sees; None if there is none."""
    from lanner.engine.search.query_phase import context_of

    checks: list[Callable[[], None]] = []
    with target.acquire() as searcher:
        explainer = explainer_of(target, searcher.reader, query, context_of(target, now_millis), checks)
        for number, segment in enumerate(searcher.reader.segments):
            doc = segment.lookup(id_.encode())
            if doc < 0:
                continue
            explained = explainer.explain(number, doc)
            for check in checks:
                check()
            _, routing, source = segment.stored_row(doc)
            seq_no, primary_term, version = segment.versions(doc)
            return explained, GetResult(version, seq_no, primary_term, source, routing)
    return None


def query_text(
    target: "ShardTarget", query: DslQuery | None, now_millis: int, *, rewrite: bool = False
) -> str:
    """Return Lucene's text of a query, as it is bound to a shard; rewrite: after it was made simpler."""
    from lanner.engine.search.query_phase import bind, context_of

    context = context_of(target, now_millis)
    fields = MappedTexts(target.mapping)
    with target.acquire() as searcher:
        bind(target, searcher.reader, query, None, now_millis, scoring=False)  # for what it raises
        asked = explained_query(target, query, context)
        if not rewrite:
            return asked.text(fields)
        rewritten = asked.rewritten(WeightContext(searcher.reader, target.mapping.similarity))
        return (asked if isinstance(rewritten, MatchNoneQuery) else rewritten).text(fields)
