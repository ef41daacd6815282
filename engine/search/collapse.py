"""``collapse``: of the hits that share the value of a field only the best is shown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import Anchor, LocatedError, LocatedXContentError, java_text, token_name
from lanner.engine.common.errors import IllegalArgument, LannerError, SearchError
from lanner.engine.common.object_parser import WHOLE
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


def parse_collapse(given: Any) -> Collapse:
    """Return the object that a body's ``collapse`` holds."""
    if not isinstance(given, dict):
        raise LocatedXContentError(
            f"[collapse] Expected START_OBJECT but was: {token_name(given)}", Anchor(None)
        )
    values: dict[str, Any] = {}
    for key, value in given.items():
        if key == "inner_hits" and not isinstance(value, list | dict):
            raise LocatedXContentError(
                f"[collapse] inner_hits doesn't support values of type: {token_name(value)}",
                Anchor(given, key),
            )
        try:
            if key == "field":
                values["field"] = java_text(value)
            elif key == "inner_hits":
                values["inner_hits"] = _inner_hits(value)
            elif key == "max_concurrent_group_searches":
                if int(WHOLE.read(value, key)) < 1:  # type: ignore[misc]
                    raise IllegalArgument("maxConcurrentGroupRequests` must be positive")
            else:
                raise LocatedXContentError(f"[collapse] unknown field [{key}]", Anchor(given, key, "key"))
        except LannerError as error:
            if "[collapse] unknown" in error.reason:
                raise
            raise LocatedXContentError(
                f"[collapse] failed to parse field [{key}]", Anchor(given, key), caused_by=error
            ) from None
    if "field" not in values:
        raise IllegalArgument("no field to collapse on is given")
    return Collapse(**values)


def parse_collapse_at(container: dict[str, Any], key: str) -> Collapse:
    """Return a body's ``collapse``."""
    if not isinstance(container[key], dict):
        raise LocatedError(
            f"Unknown key for a {token_name(container[key])} in [{key}].", Anchor(container, key)
        )
    return parse_collapse(container[key])


def _inner_hits(given: Any) -> "tuple[InnerHits, ...]":
    from lanner.engine.search.inner_hits.definition import read_inner_hits  # which has a collapse of its own

    return tuple(read_inner_hits(one) for one in (given if isinstance(given, list) else [given]))


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
