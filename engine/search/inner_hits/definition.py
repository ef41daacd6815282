"""What a request says about inner hits, and which of its queries have them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import Anchor, LocatedXContentError, java_text, read_boolean, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError
from lanner.engine.dsl.base import DslQuery
from lanner.engine.dsl.boolean import BoolDsl
from lanner.engine.search.collapse_request import Collapse, parse_inner_collapse
from lanner.engine.search.request import SearchRequest, read_int, read_part

DEFAULT_SIZE = 3
_LIMIT = ("index.max_inner_result_window", 100)
#: keys that are read as those of a search
_SEARCH_KEYS = frozenset(
    (
        "_source",
        "docvalue_fields",
        "explain",
        "fields",
        "highlight",
        "script_fields",
        "seq_no_primary_term",
        "sort",
        "stored_fields",
        "track_scores",
        "version",
    )
)


@dataclass(frozen=True, slots=True)
class InnerHits:
    """How inner hits are chosen and shown. name None: that of what they belong to."""

    request: SearchRequest
    name: str | None = None
    ignore_unmapped: bool = False
    collapse: Collapse | None = None

    @property
    def scored(self) -> bool:
        """Whether anybody looks at their scores."""
        request = self.request
        return request.track_scores or not request.sort or any(one.field == "_score" for one in request.sort)

    def check(self, settings: Any) -> None:
        """Refuse to show more than an index allows."""
        given = settings.get(_LIMIT[0])
        most = _LIMIT[1] if given is None else int(given)
        wanted = self.request.from_ + self.request.size
        if wanted > most:
            raise IllegalArgument(
                "Inner result window is too large, the inner hit definition's "
                f"[{self.name or 'null'}]'s from + size must be less than or equal to: [{most}] but was "
                f"[{wanted}]. This limit can be set by changing the [{_LIMIT[0]}] index level setting."
            )


def parse_inner_hits(container: dict[str, Any], key: str) -> InnerHits:
    """Return the ``inner_hits`` of a query."""
    return read_inner_hits(container[key])


def read_inner_hits(given: Any) -> InnerHits:
    """Return the definition that an object holds."""
    if not isinstance(given, dict):
        raise LocatedXContentError(
            f"[inner_hits] Expected START_OBJECT but was: {token_name(given)}", Anchor(None)
        )
    values: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, value in given.items():
        if key not in _SEARCH_KEYS and key not in _OWN:
            raise LocatedXContentError(f"[inner_hits] unknown field [{key}]", Anchor(given, key, "key"))
        if key == "collapse" and not isinstance(value, dict):
            raise LocatedXContentError(
                f"[inner_hits] {key} doesn't support values of type: {token_name(value)}", Anchor(given, key)
            )
        try:
            if key in _SEARCH_KEYS:
                read_part(given, key, values)
            elif key in ("from", "size"):
                values["from_" if key == "from" else key] = _natural(value, key)
            else:
                own[key] = _OWN[key](value)
        except LannerError as error:
            inner = getattr(error, "anchor", None)
            at = Anchor(given, key) if inner is None else inner
            raise LocatedXContentError(
                f"[inner_hits] failed to parse field [{key}]", at, caused_by=error
            ) from None
    return InnerHits(SearchRequest(**{"size": DEFAULT_SIZE, **values}), **own)


def _natural(value: Any, key: str) -> int:
    number = read_int(value)
    if number < 0:
        raise IllegalArgument(f"illegal {key} value, at least 0 or higher")
    return number


_OWN: dict[str, Callable[[Any], Any]] = {
    "name": java_text,
    "ignore_unmapped": read_boolean,
    "collapse": parse_inner_collapse,
    "from": read_int,
    "size": read_int,
}


def inner_hits_of(*queries: DslQuery | None) -> Iterator[DslQuery]:
    """Yield the outermost queries that show inner hits; those that only exclude documents show none."""
    pending = [query for query in reversed(queries) if query is not None]
    while pending:
        one = pending.pop()
        if one.inner() is not None:
            yield one
        elif isinstance(one, BoolDsl):
            pending += reversed((*one.must, *one.filter, *one.should))
        elif not one.joins:
            pending += reversed(one.children())
