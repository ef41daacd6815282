"""What every query of the request language is, and what it may ask for while it is read and resolved.

A query goes through two steps. ``parse`` reads JSON and knows no mapping: its faults are faults of the
request. ``resolve`` turns the parsed query into a Query over the fields of one index: its faults are faults
of a shard.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import msgspec

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    read_number,
    read_text,
    unsupported_key,
)
from lanner.engine.common.errors import IllegalArgument, LannerError, TooManyClauses, TooManyNestedClauses
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.query.base import Query, boosted

MAX_CLAUSES = 1024
MAX_BOOL_DEPTH = 30
MAX_DEPTH = 64
MAX_TERMS = 65536


InnerHitsReader: TypeAlias = Callable[[dict[str, Any], str], Any]
#: (index, id, routing, version or None for any) -> the source of a document as JSON; None if there is no such
#: document, nothing if its source is not to be seen
Lookup: TypeAlias = Callable[[str, str, str | None, int | None], bytes | None]


class RequestFaultError(Exception):
    """An error of a shard that is one of the whole request: what a query refers to does not exist."""

    def __init__(self, error: LannerError) -> None:
        super().__init__(error.reason)
        self.error = error


class QueryTooDeepError(IllegalArgument):
    """A query inside too many others."""


def _no_inner_hits(container: dict[str, Any], key: str) -> None:
    """Leave out what nobody shows."""


class ParseContext:
    """How deep the reader is inside a body, and how it reads a query inside another.

    clause: (container, key, context) -> the query at a key of an object or an index of an array.
    inner_hits: (container, key) -> how a query shows its inner hits; whoever shows none need not read them.
    """

    __slots__ = ("_clause", "bool_depth", "depth", "inner_hits")

    def __init__(
        self, clause: "Callable[[Any, Any, ParseContext], DslQuery]", inner_hits: InnerHitsReader | None
    ) -> None:
        self._clause = clause
        self.inner_hits = inner_hits or _no_inner_hits
        self.depth = 0
        self.bool_depth = 0

    def clause(self, container: Any, key: Any) -> "DslQuery":
        """Return the query at a key of an object or an index of an array."""
        return self._clause(container, key, self)

    def enter(self) -> None:
        """Go one query deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise QueryTooDeepError(f"The nested depth of the query exceeds the maximum of [{MAX_DEPTH}]")

    def enter_bool(self) -> None:
        """Go one bool query deeper."""
        self.bool_depth += 1
        if self.bool_depth > MAX_BOOL_DEPTH:
            raise QueryTooDeepError(
                f"The nested depth of the query exceeds the maximum nested depth for bool queries set in "
                f"[indices.query.bool.max_nested_depth] of [{MAX_BOOL_DEPTH}]"
            )


class DslContext:
    """One index as a query sees it while it is resolved. scope: the nested object that is asked about."""

    __slots__ = (
        "allow_expensive",
        "clauses",
        "index",
        "lookup",
        "mapping",
        "now",
        "scope",
        "settings",
        "shard",
    )

    def __init__(
        self,
        mapping: Mapping,
        *,
        index: str,
        now: Callable[[], int],
        settings: Any = None,
        shard: int = 0,
        lookup: Lookup | None = None,
        allow_expensive: bool = True,
    ) -> None:
        self.mapping = mapping
        self.index = index
        self.now = now
        self.settings = settings or {}
        self.shard = shard
        self.lookup = lookup
        self.allow_expensive = allow_expensive
        self.clauses = 0
        self.scope: str | None = None

    def count(self, clauses: int) -> None:
        """Count clauses of the whole query."""
        self.clauses += clauses
        if self.clauses > MAX_CLAUSES:
            raise TooManyNestedClauses(
                f"Query contains too many nested clauses; maxClauseCount is set to {MAX_CLAUSES}"
            )

    def source_of(self, index: str, id_: str, routing: str | None) -> dict[str, Any] | None:
        """Return the source of a document; raises RequestFaultError if the index does not exist."""
        source = self.raw_source_of(index, id_, routing, None)
        return msgspec.json.decode(source) if source else None

    def raw_source_of(self, index: str, id_: str, routing: str | None, version: int | None) -> bytes | None:
        """Return the source of a document as JSON; see Lookup.

        Raises RequestFaultError if the index does not exist, or the document has another version.
        """
        if self.lookup is None:
            raise IllegalArgument("no documents can be looked up here")
        try:
            return self.lookup(index, id_, routing, version)
        except LannerError as error:
            raise RequestFaultError(error) from None

    def is_text(self, name: str) -> bool:
        """Return whether a field holds texts or keywords."""
        field = self.mapping.field_type(name)
        return field is not None and field.type_name in ("text", "match_only_text", "keyword")

    def limit(self, name: str, default: int) -> int:
        """Return a numeric index setting."""
        value = self.settings.get(name)
        return default if value is None else int(value)


def check_clauses(n: int) -> None:
    """Refuse a boolean query with too many clauses of its own."""
    if n > MAX_CLAUSES:
        raise TooManyClauses(f"maxClauseCount is set to {MAX_CLAUSES}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DslQuery(ABC):
    """A parsed query: a value without a mapping."""

    #: whether its inner query is asked about other documents or rows than itself
    joins: ClassVar[bool] = False
    #: whether hits tell which of the documents that it was given they are for
    percolates: ClassVar[bool] = False
    boost: float = 1.0
    name: str | None = None

    def resolve(self, context: DslContext) -> Query:
        """Return the query over the fields of an index."""
        query = self.build(context)
        return query if self.boost == 1.0 else boosted(query, self.boost)

    def children(self) -> "tuple[DslQuery, ...]":
        """Return the queries inside this one."""
        return ()

    def inner(self) -> Any:
        """Return how the documents or rows of the inner query are shown with each hit, None if not at all."""
        return None

    @property
    def label(self) -> str:
        """Return the name of these inner hits unless they have one of their own."""
        return ""

    def unmapped(self, mapping: Mapping) -> bool:
        """Return whether an index lacks what the query joins by."""
        return False

    @abstractmethod
    def build(self, context: DslContext) -> Query:
        """Return the query without its boost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoiningDsl(DslQuery):
    """A query whose inner query is asked about other documents, or rows.

    inner_hits: how these are shown, as the search reads it.
    """

    joins = True
    query: DslQuery
    ignore_unmapped: bool = False
    inner_hits: Any = None

    def children(self) -> tuple[DslQuery, ...]:
        """Return the inner query."""
        return (self.query,)

    def inner(self) -> Any:
        """Return how what the inner query finds is shown."""
        return self.inner_hits

    def resolve_inside(self, context: DslContext, scope: str | None) -> Query:
        """Return the inner query over the rows of a nested object; scope None: over documents."""
        around = context.scope
        context.scope = scope
        try:
            return self.query.resolve(context)
        finally:
            context.scope = around


def read_common(kind: str, body: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    """Read ``boost`` and ``_name`` of a query into values; refuse every other key."""
    if key == "boost":
        values["boost"] = check_boost(kind, read_number(kind, body, key))
    elif key == "_name":
        values["name"] = read_text(kind, body, key)
    else:
        raise unsupported_key(kind, body, key)


def check_boost(kind: str, boost: float) -> float:
    """Refuse a negative boost."""
    if boost < 0:
        raise IllegalArgument(
            f"negative [boost] are not allowed in [{kind}], use a value between 0 and 1 to deboost"
        )
    return boost


def one_field(
    kind: str, body: dict[str, Any], *, empty: str = "field name is null or empty"
) -> tuple[str, Any]:
    """Return the only field of a query of the form {field: value}; raises what the API answers for others."""
    if len(body) != 1:
        if not body:
            raise IllegalArgument(empty)
        first, second, *_ = body
        raise LocatedError(
            f"[{kind}] query doesn't support multiple fields, found [{first}] and [{second}]",
            Anchor(body, second),
        )
    return next(iter(body.items()))


def check_field_name(name: str) -> str:
    """Refuse an empty field name."""
    if not name:
        raise IllegalArgument("field name is null or empty")
    return name
