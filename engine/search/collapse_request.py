"""``collapse``: of the hits that share the value of a field only the best is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import Anchor, LocatedError, token_name
from lanner.engine.common.errors import IllegalArgument, SearchError
from lanner.engine.common.object_parser import SHORT, TEXT, Field, parse_object, short
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.mapping import Mapping

if TYPE_CHECKING:
    from lanner.engine.search.inner_hits.definition import InnerHits
    from lanner.engine.search.request import SearchRequest


@dataclass(frozen=True, slots=True)
class Collapse:
    """The field whose values make groups, and what is shown of each group beside its best hit."""

    field: str
    inner_hits: "tuple[InnerHits, ...]" = ()


def parse_collapse(given: dict[str, Any]) -> Collapse:
    """Return the object that a body's ``collapse`` holds."""
    values = parse_object("collapse", given, _FIELDS)
    values.pop("max_concurrent_group_searches", None)
    if "field" not in values:
        raise IllegalArgument("no field to collapse on is given")
    return Collapse(**values)


def parse_inner_collapse(given: dict[str, Any]) -> Collapse:
    """Return the ``collapse`` of inner hits, which are the last level."""
    reason = "Invalid token in the inner collapse"
    for at, (key, value) in enumerate(given.items()):
        if at or key != "field" or not isinstance(value, str):
            raise LocatedError(reason, Anchor(given, key, "key" if at or key != "field" else "value"))
    if not given:
        raise LocatedError(reason, Anchor(given, None, "close"))
    return Collapse(given["field"])


def parse_collapse_at(container: dict[str, Any], key: str) -> Collapse:
    """Return a body's ``collapse``."""
    if not isinstance(container[key], dict):
        raise LocatedError(
            f"Unknown key for a {token_name(container[key])} in [{key}].", Anchor(container, key)
        )
    return parse_collapse(container[key])


def _inner_hits(given: Any, key: str) -> "tuple[InnerHits, ...]":
    from lanner.engine.search.inner_hits.definition import read_inner_hits  # which has a collapse of its own

    definitions = given if isinstance(given, list) else [given]
    for i, one in enumerate(definitions):
        if not isinstance(one, dict):
            raise LocatedError("Invalid token in inner_hits array", Anchor(given, i))
    return tuple(map(read_inner_hits, definitions))


def _searches(given: Any, key: str) -> int:
    number = short(given, key)
    if number < 1:
        raise IllegalArgument("maxConcurrentGroupRequests` must be positive")
    return number


_FIELDS = {
    "field": TEXT,
    "inner_hits": Field((list, dict), _inner_hits),
    "max_concurrent_group_searches": Field(SHORT.kinds, _searches),
}


def bind_collapse(collapse: Collapse, mapping: Mapping) -> FieldType:
    """Return the field of an index; raises IllegalArgument if it makes no groups."""
    name = collapse.field
    field = mapping.field_type(name)
    if field is None:
        raise IllegalArgument(f"no mapping found for `{name}` in order to collapse on")
    if not (field.type_name == "keyword" or field.numbers is not None):
        raise IllegalArgument(
            f"unknown type for collapse field `{name}`, only keywords and numbers are accepted"
        )
    if not field.has_doc_values:
        raise IllegalArgument(f"cannot collapse on field `{name}` without `doc_values`")
    if not field.indexed and collapse.inner_hits:
        raise IllegalArgument(
            f"cannot expand `inner_hits` for collapse field `{name}`, "
            "only indexed field can retrieve `inner_hits`"
        )
    return field


def check_collapse(request: "SearchRequest", *, paged: bool) -> None:
    """Refuse what groups cannot be combined with."""
    if paged:
        raise SearchError("cannot use `collapse` in a scroll context")
    for name in ("search_after", "rescore"):
        if getattr(request, name):
            raise SearchError(f"cannot use `collapse` in conjunction with `{name}`")
