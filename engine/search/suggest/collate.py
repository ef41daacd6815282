"""collate: only phrases that some document has, in the way that a query says which holds ``{{suggestion}}``.

Of the language of templates there are variables only.
"""

import re
from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, LocatedError, java_text, locate
from lanner.engine.common.errors import IllegalArgument, LannerError, from_json_fault
from lanner.engine.dsl import DslQuery, parse_query
from lanner.ext.json.scan import JsonFault, check_json

_VARIABLE = re.compile(r"\{\{\{\s*([^{}]*?)\s*\}\}\}|\{\{\s*([^{}]*?)\s*\}\}")
_NAME = re.compile(r"&?\s*[\w.-]+")


@dataclass(frozen=True, slots=True)
class Collate:
    """A query with variables. prune: phrases that no document has are kept, and marked."""

    template: str
    params: tuple[tuple[str, Any], ...] = ()
    prune: bool = False

    def query(self, suggestion: str) -> DslQuery:
        """Return the query for a phrase; raises what a bad query answers."""
        values = {**dict(self.params), "suggestion": suggestion}

        def fill(match: re.Match[str]) -> str:
            bare = match[1] is not None or (match[2] or "").startswith("&")
            value: Any = values
            for part in (match[1] or match[2] or "").lstrip("&").strip().split("."):
                value = value.get(part) if isinstance(value, dict) else None
            shown = "" if value is None else java_text(value)
            return shown if bare else msgspec.json.encode(shown).decode()[1:-1]

        raw = _VARIABLE.sub(fill, self.template).encode("utf-8", "replace")
        try:
            check_json(raw)
        except JsonFault as fault:
            raise from_json_fault(fault) from None
        body = msgspec.json.decode(raw)
        try:
            return parse_query(body)
        except LannerError as error:
            raise locate(error, body, raw) from None


def parse_collate(given: dict[str, Any]) -> Collate | None:
    """Read the object of a collate."""
    template: str | None = None
    params: dict[str, Any] = {}
    prune = False
    for key, value in given.items():
        if key == "query":
            template = _template(given, value)
        elif key == "params" and isinstance(value, dict):
            params = value
        elif key == "prune":
            if not isinstance(value, bool):
                raise LocatedError(
                    "suggester[phrase][collate] prune must be either 'true' or 'false'", Anchor(given, key)
                )
            prune = value
        else:
            raise LocatedError(
                f"suggester[phrase][collate] doesn't support field [{key}]", Anchor(given, key)
            )
    return None if template is None else Collate(template, tuple(params.items()), prune)


def _template(given: dict[str, Any], value: Any) -> str:
    source = value
    if isinstance(value, dict):
        if "id" in value:
            raise LocatedError(
                "stored templates of [collate] are not supported by this version", Anchor(given, "query")
            )
        source = value.get("source", value.get("inline"))
    if source is None:
        raise IllegalArgument("must specify either [source] for an inline script or [id] for a stored script")
    template = source if isinstance(source, str) else msgspec.json.encode(source).decode()
    for match in _VARIABLE.finditer(template):
        if not _NAME.fullmatch(match[1] or match[2] or ""):
            raise IllegalArgument(
                f"[{match[0]}] in the template of [collate] is not supported by this version: there are "
                "variables only"
            )
    return template
