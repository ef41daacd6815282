"""Suggestions of a search: asked of each shard, reduced, shown."""

from typing import Any

from lanner.engine.search.query_phase import ShardResult, ShardTarget, query_shard
from lanner.engine.search.request import SearchRequest
from lanner.engine.search.suggest.base import Entry, Suggest, SuggestContext
from lanner.ext.search.reader import IndexReader


def suggest_shard(
    target: ShardTarget, reader: IndexReader, request: SearchRequest, now_millis: int
) -> ShardResult:
    """Return what a shard finds and proposes; a request that asks for nothing else finds nothing."""
    assert request.suggest is not None
    if request.query is None:
        result = ShardResult(target, reader, 0, "eq", [], [], [], None, None, [], [], [], False, False)
    else:
        result = query_shard(target, reader, request, now_millis)
    context = SuggestContext(target, reader, now_millis)
    return result._replace(suggest=_propose(request.suggest, context))


def _propose(suggest: Suggest, context: SuggestContext) -> list[list[Entry]]:
    texts = [one.shared_text(suggest.text) for one in suggest.suggestions]
    return [one.suggest(context, text) for one, text in zip(suggest.suggestions, texts, strict=True)]


def render_suggest(
    suggest: Suggest, results: list[ShardResult], request: SearchRequest, now_millis: int
) -> dict[str, Any]:
    """Return the ``suggest`` of an answer."""
    shown: dict[str, Any] = {}
    for i, one in enumerate(suggest.suggestions):
        name = f"{one.kind}#{one.name}" if request.typed_keys else one.name
        shown[name] = [
            {
                "text": entry.text,
                "offset": entry.offset,
                "length": entry.length,
                "options": one.render(entry.options, request, now_millis),
            }
            for entry in one.reduce([result.suggest[i] for result in results])
        ]
    return shown
