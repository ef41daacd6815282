"""Answers of searches and counts that ask for totals alone, kept while shards show the same point in time.

The key is the request as it was sent, so that an answer is found without reading the body. Requests with
parameters, and those that may mean another moment every time (``now``) or read documents of any index, are
not kept.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lanner.engine.common.errors import LannerError

if TYPE_CHECKING:
    from lanner.engine.search.query_phase import ShardTarget
    from lanner.engine.search.request import SearchRequest
    from lanner.server.request import Request

MOST_ENTRIES = 1024
MOST_BODY = 4096  # bytes of a request that is kept

Key = tuple[str, bytes]
View = tuple[tuple[Any, int], ...]


class RequestCache:
    """The answers given last."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Key, tuple[View, dict[str, Any]]] = OrderedDict()

    def clear(self) -> None:
        """Forget all answers."""
        self._answers.clear()

    def get(self, request: "Request") -> dict[str, Any] | None:
        """Return the answer to a request that was answered before, if nothing has changed since."""
        key = _key(request)
        found = self._answers.get(key) if key is not None else None
        if found is None:
            return None
        view, answer = found
        targets = request.application.targets.of(request.names.get("index", "_all"))
        return answer if _view(targets) == view else None

    def answer(
        self, request: "Request", targets: "list[ShardTarget]", ask: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        """Return what ask returns, and keep it if it may be kept."""
        key = _key(request)
        if key is None:
            return ask()
        before = _view(targets)
        answer = ask()
        # what became visible while the shards were asked may be in the answer or not
        if not answer["_shards"]["failed"] and not answer.get("timed_out") and _view(targets) == before:
            self._answers[key] = (before, answer)
            if len(self._answers) > MOST_ENTRIES:
                self._answers.popitem(last=False)
        return answer


class ParsedSearches:
    """The searches read last, by their bodies: programs send the same ones again and again."""

    def __init__(self) -> None:
        self._parsed: dict[bytes, tuple[Any, SearchRequest]] = {}

    def get(self, content: bytes) -> "tuple[Any, SearchRequest] | None":
        """Return a body as objects, not to be changed, and the search that it asks for, if it is known."""
        return self._parsed.get(content)

    def add(self, content: bytes, body: Any) -> "tuple[Any, SearchRequest]":
        """Parse a body and keep what it asks for."""
        from lanner.engine.search.request import NO_PARAMETERS, parse_search_request

        found = (body, parse_search_request(body, NO_PARAMETERS))
        if len(content) <= MOST_BODY:
            if len(self._parsed) >= MOST_ENTRIES:
                self._parsed.clear()
            self._parsed[content] = found
        return found


def _key(request: "Request") -> Key | None:
    content = request.content
    if request.query or not content or len(content) > MOST_BODY:
        return None
    if (
        b"now" in content or b"index" in content or b"percolate" in content
    ):  # stored queries may read documents
        return None
    return request.path, content


def _view(targets: "list[ShardTarget]") -> View:
    """Return what an answer depends on: the mapping and the point in time of every shard."""
    seen: list[tuple[Any, int]] = []
    for target in targets:
        try:
            with target.acquire() as searcher:
                seen.append((target.mapping, searcher.generation))
        except LannerError:
            seen.append((target, -1))  # the shard has failed; the answer tells
    return tuple(seen)
