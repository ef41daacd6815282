"""Legacy index templates: all that match an index are put together, by their order."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.cluster import template_match
from lanner.engine.cluster.aliases import check_alias_name, read_alias
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import check_template_settings, make_mapping
from lanner.engine.cluster.index_settings import prefixed, render
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import INDEX_TEMPLATE, LEGACY_TEMPLATE, ClusterState
from lanner.engine.cluster.templates import check_parts, listed, matching, pairs
from lanner.engine.common.body import java_text
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IndexTemplateMissing,
    ParseError,
)
from lanner.engine.common.settings import flatten
from lanner.engine.index.index_settings import IndexSettings


def put_template(
    node: NodeContext, name: str, body: Mapping[str, Any], *, create: bool = False, order: int | None = None
) -> list[str]:
    """Keep a template; what the caller is to be warned of."""
    given = _parse(body)
    if order is not None:
        given["order"] = order
    if not given["index_patterns"]:
        raise ActionRequestValidation("Validation Failed: 1: index patterns are missing;")
    warnings: list[str] = []

    def plan(state: ClusterState) -> Change:
        if create and name in state.all_named(LEGACY_TEMPLATE):
            raise IllegalArgument(f"index_template [{name}] already exists")
        _check(name, given)
        warnings[:] = _warnings(state, name, given)
        return Change(named={(LEGACY_TEMPLATE, name): given})

    node.cluster.apply(plan)
    return warnings


def get_templates(node: NodeContext, names: list[str], *, flat_settings: bool = False) -> dict[str, Any]:
    """Templates by name, as far as they are there; no names: all."""
    known = node.cluster.state.all_named(LEGACY_TEMPLATE)
    found = dict.fromkeys(each for name in names or ["*"] for each in matching(known, name))
    return {name: render_legacy_template(known[name], flat=flat_settings) for name in found}


def delete_templates(node: NodeContext, name: str) -> dict[str, Any]:
    """Forget templates."""

    def plan(state: ClusterState) -> Change:
        gone = matching(state.all_named(LEGACY_TEMPLATE), name)
        if not gone and name != "*":
            raise IndexTemplateMissing(name)
        return Change(named={(LEGACY_TEMPLATE, each): None for each in gone})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def _parse(body: Mapping[str, Any]) -> dict[str, Any]:
    """Read the body of a request."""
    given: dict[str, Any] = {"order": 0}
    patterns: list[str] = []
    inner: dict[str, Mapping[str, Any]] = {"settings": {}, "mappings": {}, "aliases": {}}
    for key, value in body.items():
        if key in ("index_patterns", "template"):
            if isinstance(value, str):
                patterns = [value]
            elif isinstance(value, list):
                patterns = [java_text(each) for each in value]
            else:
                raise IllegalArgument("Malformed [template] value, should be a string or a list of strings")
        elif key in ("order", "version"):
            try:
                given[key] = int(value)
            except (TypeError, ValueError):
                if key == "version":
                    raise IllegalArgument("Malformed [version] value, should be an integer") from None
                raise ParseError(
                    f"Failed to parse int parameter [{key}] with value [{java_text(value)}]"
                ) from None
        elif key in inner:
            if not isinstance(value, Mapping):
                raise IllegalArgument(f"Malformed [{key}] section, should include an inner object")
            inner[key] = value
        else:
            raise ParseError(f"unknown key [{key}] in the template ")
    settings = prefixed(flatten(inner["settings"]))
    return {
        **given,
        "index_patterns": patterns,
        "settings": {name: value for name, value in settings.items() if value is not None},
        "mappings": inner["mappings"],
        "aliases": {name: read_alias(alias) for name, alias in inner["aliases"].items()},
    }


def _check(name: str, given: Mapping[str, Any]) -> None:
    settings = given["settings"]
    is_global = "*" in given["index_patterns"] and "index.hidden" in settings
    more = ("global templates may not specify the setting index.hidden",) if is_global else ()
    check_parts(name, given["index_patterns"], {}, *more)
    for error in check_template_settings(settings):
        raise error
    if "_doc" in given["mappings"]:
        raise IllegalArgument("The mapping definition cannot be nested under a type")
    if given["mappings"]:
        make_mapping(IndexSettings(settings), [given["mappings"]])
    for alias in given["aliases"]:
        check_alias_name(alias.replace("{index}", "index"))


def _warnings(state: ClusterState, name: str, given: Mapping[str, Any]) -> list[str]:
    """What composable templates mean for this one."""
    patterns = given["index_patterns"]
    found = {
        other: each["index_patterns"]
        for other, each in state.all_named(INDEX_TEMPLATE).items()
        if template_match.overlap(patterns, each["index_patterns"])
    }
    if not found:
        return []
    return [
        f"legacy template [{name}] has index patterns {listed(patterns)} matching patterns from existing "
        f"composable templates [{','.join(found)}] with patterns ({pairs(found)}); this template [{name}] "
        "may be ignored in favor of a composable template at index creation time"
    ]


def render_legacy_template(template: Mapping[str, Any], *, flat: bool) -> dict[str, Any]:
    """A template in the order of the API."""
    shown = {key: template[key] for key in ("order", "version", "index_patterns") if key in template}
    shown["settings"] = render(IndexSettings(template["settings"]), flat=flat)
    return {**shown, "mappings": template["mappings"], "aliases": template["aliases"]}
