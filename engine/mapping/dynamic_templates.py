"""Dynamic templates: rules that pick the mapping of fields that documents bring."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, MapperParsingError
from lanner.engine.common.wildcards import matches

DEFAULT_TYPES = {
    "object": "object",
    "string": "text",
    "long": "long",
    "double": "float",
    "boolean": "boolean",
    "date": "date",
    "binary": "binary",
}
_KEYS = ("match", "path_match", "unmatch", "path_unmatch", "match_mapping_type", "match_pattern")


@dataclass(frozen=True, slots=True)
class DynamicTemplate:
    """One rule: which fields, and the mapping they get."""

    name: str
    conditions: Mapping[str, str]
    mapping: Mapping[str, Any]

    def render(self) -> dict[str, Any]:
        """Return the rule as GET _mapping shows it."""
        return {
            **{key: self.conditions[key] for key in _KEYS if key in self.conditions},
            "mapping": dict(self.mapping),
        }

    def applies(self, name: str, path: str, kind: str) -> bool:
        """Return whether the rule is for a field with this name, full path and kind of value."""
        get = self.conditions.get
        test = _fits_regex if get("match_pattern") == "regex" else matches
        wanted = get("match_mapping_type")
        if wanted is not None and wanted not in ("*", kind):
            return False
        for key, subject, expected in (
            ("path_match", path, True),
            ("match", name, True),
            ("path_unmatch", path, False),
            ("unmatch", name, False),
        ):
            pattern = get(key)
            if pattern is not None and test(pattern, subject) is not expected:
                return False
        return True

    def mapping_for(self, name: str, kind: str) -> dict[str, Any]:
        """Return the mapping with ``{name}`` and ``{dynamic_type}`` filled in."""
        default = DEFAULT_TYPES[kind]

        def fill(value: Any) -> Any:
            if isinstance(value, str):
                filled = value.replace("{name}", name)
                return filled.replace("{dynamic_type}", default).replace("{dynamicType}", default)
            if isinstance(value, dict):
                return {fill(key): fill(item) for key, item in value.items()}
            return [fill(item) for item in value] if isinstance(value, list) else value

        mapping: dict[str, Any] = fill(dict(self.mapping))
        mapping.setdefault("type", default)
        return mapping


def _fits_regex(pattern: str, subject: str) -> bool:
    return re.fullmatch(pattern, subject) is not None


def parse_templates(body: Any) -> tuple[DynamicTemplate, ...]:
    """Return the rules of a mapping body."""
    if not isinstance(body, list):
        raise MapperParsingError("Dynamic template syntax error. An array of named objects is expected.")
    templates = []
    for entry in body:
        if not isinstance(entry, dict) or len(entry) != 1:
            raise MapperParsingError("A dynamic template must be defined with a name")
        name, rule = next(iter(entry.items()))
        if not isinstance(rule, dict):
            raise MapperParsingError("Dynamic template syntax error. An array of named objects is expected.")
        templates.append(_parse_template(name, rule))
    return tuple(templates)


def _parse_template(name: str, rule: dict[str, Any]) -> DynamicTemplate:
    conditions: dict[str, str] = {}
    mapping: dict[str, Any] | None = None
    for key, value in rule.items():
        if key == "mapping":
            if not isinstance(value, dict):
                raise MapperParsingError("template must have mapping set")
            mapping = value
        elif key in _KEYS:
            conditions[key] = java_text(value)
        else:
            raise IllegalArgument(f"Illegal dynamic template parameter: [{key}]")
    if not conditions.keys() & {"match", "path_match", "match_mapping_type"}:
        raise MapperParsingError(
            f"template must have match, path_match or match_mapping_type set {java_text(rule)}"
        )
    if mapping is None:
        raise MapperParsingError("template must have mapping set")
    kind = conditions.get("match_mapping_type")
    if kind is not None and kind != "*" and kind not in DEFAULT_TYPES:
        raise IllegalArgument(
            f"No field type matched on [{kind}], possible values are [{', '.join(DEFAULT_TYPES)}]"
        )
    style = conditions.get("match_pattern", "simple")
    if style not in ("simple", "regex"):
        raise IllegalArgument(f"No matching pattern matched on [{style}]")
    if style == "regex":
        for key in ("match", "unmatch", "path_match", "path_unmatch"):
            if key in conditions:
                try:
                    re.compile(conditions[key])
                except re.error:
                    raise IllegalArgument(
                        f"Pattern [{conditions[key]}] of type [regex] is invalid. "
                        f"Cannot create dynamic template [{name}]."
                    ) from None
    return DynamicTemplate(name, conditions, mapping)


def merge_templates(
    old: tuple[DynamicTemplate, ...] | None, new: tuple[DynamicTemplate, ...] | None
) -> tuple[DynamicTemplate, ...] | None:
    """Return the rules after a merge: known names are replaced in place, new ones come last."""
    if new is None or old is None:
        return old if new is None else new
    merged = {template.name: template for template in old}
    merged.update({template.name: template for template in new})
    return tuple(merged.values())
