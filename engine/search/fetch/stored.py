"""``stored_fields``.

Values of fields that are mapped as stored, taken from the source, which holds them all.
"""

from typing import Any

from lanner.engine.common.body import Anchor, LocatedError, token_name
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import is_pattern, matches
from lanner.engine.mapping.mapping import Mapping
from lanner.engine.search.fetch.source_values import decode_source, values_at

NONE = "_none_"


def parse_stored_fields(container: dict[str, Any], key: str) -> tuple[str, ...]:
    """Return the names of a body's ``stored_fields``."""
    given = container[key]
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, list):
        raise LocatedError(
            f"Expected [VALUE_STRING] or [START_ARRAY] in [{key}] but found [{token_name(given)}]",
            Anchor(container, key),
        )
    for i, one in enumerate(given):
        if not isinstance(one, str):
            raise LocatedError(f"Unknown key for a {token_name(one)} in [{key}].", Anchor(given, i))
    return check_stored_fields(tuple(given))


def check_stored_fields(names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse to combine nothing with something."""
    if NONE in names and len(names) > 1:
        raise IllegalArgument("cannot combine _none_ with other fields")
    return names


def stored_names(names: tuple[str, ...], mapping: Mapping) -> list[str]:
    """Return the stored fields that names and patterns stand for."""
    return [
        one
        for one in mapping.stored_fields
        if any(matches(name, one) if is_pattern(name) else name == one for name in names)
    ]


def stored_values(source: bytes, names: list[str]) -> dict[str, list[Any]]:
    """Return the values of stored fields of one document."""
    document = decode_source(source) if source else {}  # of an index that keeps none
    return {name: values for name in names if (values := values_at(document, name.split(".")))}
