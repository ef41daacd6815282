"""The second phase of a search: what the answer shows of its hits."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Raw

from lanner.engine.common.errors import CorruptIndex, LannerError
from lanner.engine.common.source_filter import ALL, NOTHING, SourceFilter, filter_source
from lanner.engine.dsl.base import DslQuery
from lanner.engine.query.base import WeightContext
from lanner.engine.search.failures import phase_failure
from lanner.engine.search.fetch.fields import bind_fetch_fields
from lanner.engine.search.fetch.matched_queries import all_queries, bind_named, named_scores
from lanner.engine.search.fetch.stored import NONE, stored_values
from lanner.engine.search.query_phase import ShardResult, context_of
from lanner.engine.search.request import SearchRequest
from lanner.ext.errors import CorruptIndexError
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.json.number import float32

Part = Callable[[dict[str, Any], SegmentReader, int, int], None]


def wanted_source(request: SearchRequest) -> SourceFilter:
    """Return what of the source a request wants: with stored_fields nothing unless it is named."""
    if request.source is not None:
        return request.source
    if request.stored_fields is not None and "_source" not in request.stored_fields:
        return NOTHING
    return ALL


def fetch(
    hits: list[tuple[ShardResult, int]], request: SearchRequest, now_millis: int
) -> list[dict[str, Any]]:
    """Return the hits as the answer shows them."""
    source = wanted_source(request)
    whole = source.whole
    explain = request.explain
    ids = request.stored_fields is None or NONE not in request.stored_fields
    versions = request.version or request.seq_no_primary_term
    extras: dict[int, list[Part]] = {}
    rendered = []
    last: ShardResult | None = None
    for result, i in hits:
        if result is not last:
            last = result
            target = result.target
            mapping = target.mapping
            kept = mapping.source_filter
            shows_source = source.enabled and kept.enabled
            may_ignore = mapping.may_ignore
            parts = extras.get(id(result)) if result.parts is None else result.parts
            if parts is None:
                try:
                    parts = extras[id(result)] = bind_parts(result, request, now_millis)
                except LannerError as error:
                    raise phase_failure("all shards failed", [(target, error)]) from None
            index, readers = target.index, (result.rows or result.reader).segments
            if result.rows is not None:
                ids, may_ignore = True, False
            segments, docs, scores, values = result.segments, result.docs, result.scores, result.values
            if values is not None:
                shows = [one.show for one in result.sorts]
                show = shows[0] if len(shows) == 1 else None
        segment_index, doc = segments[i], docs[i]
        segment = readers[segment_index]
        try:
            id_, routing, stored = segment.stored_row(doc)
        except CorruptIndexError as error:
            raise CorruptIndex(
                str(error), index=target.index, index_uuid=target.index_uuid, shard=str(target.shard)
            ) from error
        hit: dict[str, Any] = {"_index": index}
        if explain:
            hit = {"_shard": f"[{index}][{target.shard}]", "_node": target.node_id, "_index": index}
        if ids:
            hit["_id"] = id_.decode()
        if versions:
            _versions(hit, segment, doc, request)
        score = scores[i] if scores else None
        hit["_score"] = None if score is None else float32(score)
        if routing is not None:
            hit["_routing"] = routing.decode()
        if may_ignore and stored:
            kept_by = None if routing is None else routing.decode()
            ignored = mapping.parse_document(stored, id=id_.decode(), routing=kept_by).ignored
            if ignored:
                hit["_ignored"] = ignored
        if shows_source:
            if kept is not ALL:
                stored = filter_source(stored, kept)
            hit["_source"] = Raw(stored if whole else filter_source(stored, source))
        if parts:
            try:
                for part in parts:
                    part(hit, segment, segment_index, doc)
            except LannerError as error:
                raise phase_failure("all shards failed", [(target, error)]) from None
        if values is not None:
            if show is not None:
                hit["sort"] = [show(values[i][0])]
            else:
                hit["sort"] = [each(value) for each, value in zip(shows, values[i], strict=True)]
        if parts and "matched_queries" in hit:
            hit["matched_queries"] = hit.pop("matched_queries")  # the last of all
        if explain:
            hit["_explanation"] = hit.pop("_explanation")
        rendered.append(hit)
    return rendered


def _plain(part: Part, stored: Sequence[str]) -> Part:
    return part


def _versions(hit: dict[str, Any], segment: SegmentReader, doc: int, request: SearchRequest) -> None:
    seq_no, primary_term, version = segment.versions(doc)
    if request.version:
        hit["_version"] = version
    if request.seq_no_primary_term:
        hit["_seq_no"] = seq_no
        hit["_primary_term"] = primary_term


def bind_parts(result: ShardResult, request: SearchRequest, now_millis: int) -> list[Part]:
    """Return what adds the less common parts to the hits of one shard."""
    parts: list[Part] = []
    if result.doc_values or result.stored:
        parts.append(_fields_part(result))
    target = result.target
    showing: Callable[[Part, Sequence[str]], Part] = _plain
    if target.mapping.source_filter is not ALL:
        from lanner.engine.search.fetch.shown_source import (  # few keep parts only
            check_source,
            showing_source,
        )

        check_source(request, wanted_source(request), target)
        showing = showing_source(target.mapping)
    named: list[DslQuery] = []
    shows_inside = percolates = False
    for query in (*all_queries(request.query), *all_queries(request.post_filter)):
        shows_inside = shows_inside or query.inner() is not None
        percolates = percolates or query.percolates
        if query.name is not None:
            named.append(query)
    if result.rows is not None:
        parts.append(result.rows.part)
    if not (request.fields or request.highlight or request.explain or shows_inside or percolates or named):
        return parts
    context = context_of(target, now_millis)
    if result.rows is not None:
        context.scope = result.rows.scope
    if request.fields:
        parts.append(showing(bind_fetch_fields(request.fields, target.mapping), ()))
    if request.highlight is not None and request.highlight.fields:
        from lanner.engine.search.fetch.highlight.part import bind_highlight  # few ask for it

        highlight = bind_highlight(request.highlight, request.query, target, context, result.reader)
        parts.append(showing(highlight, target.mapping.stored_fields))
    if request.explain:
        from lanner.engine.search.fetch.explain import bind_explain  # few ask for it

        parts.append(bind_explain(result, request, context))
    if percolates:
        from lanner.engine.search.fetch.percolated import bind_percolated  # few ask for it

        parts.append(bind_percolated(request, target, context))
    if shows_inside:
        from lanner.engine.search.inner_hits.part import bind_inner_hits  # few ask for it

        parts.append(bind_inner_hits(result, request, now_millis, fetch, bind_parts))
    if named:
        from lanner.engine.common.java_hash import map_order  # few name their queries

        places = map_order(dict.fromkeys(query.name or "" for query in named))
        named.sort(key=lambda query: places.index(query.name or ""))
        if request.named_queries_score:
            return [*parts, named_scores(named, context, result)]
        weights = WeightContext(result.reader, target.mapping.similarity, scoring=False)
        sets = bind_named(named, context, weights)

        def add_names(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
            names = [name for name, found in sets if doc in found[segment_index]]
            if names:
                hit["matched_queries"] = names

        parts.append(add_names)
    return parts


def _fields_part(result: ShardResult) -> Part:
    loaders, stored = result.doc_values, result.stored

    def add_fields(hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int) -> None:
        fields: dict[str, list[Any]] = {}
        for name, load in loaders:
            values = load(segment, doc)
            if values:
                fields.setdefault(name, []).extend(values)
        if stored:
            fields.update(stored_values(segment.source(doc), stored))
        if fields:
            hit["fields"] = fields

    return add_fields
