"""Composable index templates and their components: kept, shown, checked, tried out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from lanner.engine.cluster import template_match
from lanner.engine.cluster.aliases import check_alias_name, check_filter, read_alias
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.creation import check_template_settings, make_mapping
from lanner.engine.cluster.index_settings import prefixed, render
from lanner.engine.cluster.names import FORBIDDEN, FORBIDDEN_CHARACTERS
from lanner.engine.cluster.service import Change
from lanner.engine.cluster.state import (
    COMPONENT_TEMPLATE,
    DATA_STREAM,
    INDEX_TEMPLATE,
    LEGACY_TEMPLATE,
    ClusterState,
)
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IndexTemplateMissing,
    InvalidIndexTemplate,
    LannerError,
    MapperParsingError,
    ResourceNotFound,
    UnknownSetting,
)
from lanner.engine.common.object_parser import (
    NAMES,
    OBJECT,
    WHOLE,
    Field,
    parse_object,
)
from lanner.engine.common.settings import flatten
from lanner.engine.common.wildcards import is_pattern, matches
from lanner.engine.index.index_settings import IndexSettings

_NOT_IN_PATTERNS = FORBIDDEN_CHARACTERS - {"*"}
_PARTS = {"settings": OBJECT, "mappings": OBJECT, "aliases": OBJECT}


def _read_part(value: Any, key: str) -> dict[str, Any]:
    """Read settings, mappings and aliases of a template."""
    given = parse_object("template", value, _PARTS)
    part: dict[str, Any] = {}
    if "settings" in given:
        part["settings"] = {
            name: text for name, text in prefixed(flatten(given["settings"])).items() if text is not None
        }
    if "mappings" in given:
        part["mappings"] = given["mappings"]
    if "aliases" in given:
        part["aliases"] = {name: read_alias(body) for name, body in given["aliases"].items()}
    return part


def _read_stream(value: Any, key: str) -> dict[str, Any]:
    """Read what a template says of data streams; unknown keys say nothing."""
    field = value.get("timestamp_field")
    name = field.get("name") if isinstance(field, Mapping) else None
    return {"timestamp_field": {"name": name if isinstance(name, str) else "@timestamp"}}


_COMPONENT = {
    "template": Field((dict,), _read_part, required=True),
    "version": WHOLE,
    "_meta": OBJECT,
}
_TEMPLATE = {
    "index_patterns": Field((list, str), NAMES.read, required=True),
    "template": Field((dict,), _read_part),
    "composed_of": NAMES,
    "priority": WHOLE,
    "version": WHOLE,
    "_meta": OBJECT,
    "data_stream": Field((dict,), _read_stream),
    "context": OBJECT,
}


# -- components


def put_component(node: NodeContext, name: str, body: Any, *, create: bool = False) -> dict[str, Any]:
    """Keep a component template."""
    given = parse_object("component_template", body, _COMPONENT)

    def plan(state: ClusterState) -> Change:
        known = state.all_named(COMPONENT_TEMPLATE)
        if create and name in known:
            raise IllegalArgument(f"component template [{name}] already exists")
        part = given["template"]
        complaints = _name_complaints(name)
        if complaints:
            raise _invalid(name, _numbered(complaints))
        for error in check_template_settings(part.get("settings", {}))[:1]:
            raise error
        if "mappings" in part:
            if "_doc" in part["mappings"]:
                raise MapperParsingError("The mapping definition cannot be nested under a type")
            make_mapping(IndexSettings(part.get("settings", {})), [part["mappings"]])
        for alias in part.get("aliases", {}):
            check_alias_name(alias)
        users = _using(state, [name])
        changed = _replaced(state, COMPONENT_TEMPLATE, name, given)
        for user in users:
            _check_composition(changed, user, changed.all_named(INDEX_TEMPLATE)[user])
        return Change(named={(COMPONENT_TEMPLATE, name): given})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def get_components(node: NodeContext, name: str | None) -> list[dict[str, Any]]:
    """Component templates; ResourceNotFound for a name without wildcards that is not there."""
    found = _select(node.cluster.state, COMPONENT_TEMPLATE, name, "component template")
    return [{"name": each, "component_template": render_template(body)} for each, body in found.items()]


def delete_components(node: NodeContext, name: str) -> dict[str, Any]:
    """Forget component templates that nobody uses."""

    def plan(state: ClusterState) -> Change:
        gone = matching(state.all_named(COMPONENT_TEMPLATE), name)
        if not gone and not is_pattern(name):
            raise IndexTemplateMissing(name)
        users = _using(state, gone)
        if users:
            used = sorted({part for user in users for part in _parts(state, user) if part in gone})
            raise IllegalArgument(
                f"component templates [{', '.join(used)}] cannot be removed as they are still in use by "
                f"index templates [{', '.join(users)}]"
            )
        return Change(named={(COMPONENT_TEMPLATE, each): None for each in gone})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def _parts(state: ClusterState, template: str) -> list[str]:
    parts: list[str] = state.all_named(INDEX_TEMPLATE)[template].get("composed_of", [])
    return parts


def _using(state: ClusterState, components: Iterable[str]) -> list[str]:
    """Templates that are composed of any of some components."""
    wanted = set(components)
    return [name for name in state.all_named(INDEX_TEMPLATE) if wanted.intersection(_parts(state, name))]


# -- templates


def put_template(node: NodeContext, name: str, body: Any, *, create: bool = False) -> list[str]:
    """Keep a composable template; what the caller is to be warned of."""
    given = _parse(body)
    warnings: list[str] = []

    def plan(state: ClusterState) -> Change:
        warnings[:] = _check(state, name, given, create=create)
        known = state.all_named(INDEX_TEMPLATE)
        _check_streams(state, {**known, name: given}, name, given)
        return Change(named={(INDEX_TEMPLATE, name): given})

    node.cluster.apply(plan)
    return warnings


def get_templates(node: NodeContext, name: str | None) -> list[dict[str, Any]]:
    """Composable templates; ResourceNotFound for a name without wildcards that is not there."""
    found = _select(node.cluster.state, INDEX_TEMPLATE, name, "index template")
    return [{"name": each, "index_template": render_template(body)} for each, body in found.items()]


def delete_templates(node: NodeContext, name: str) -> dict[str, Any]:
    """Forget composable templates that no data stream needs."""

    def plan(state: ClusterState) -> Change:
        known = state.all_named(INDEX_TEMPLATE)
        gone = matching(known, name)
        if not gone and name != "*":
            raise IndexTemplateMissing(name)
        users = [
            stream
            for stream in state.all_named(DATA_STREAM)
            if template_match.match_template(state, stream) in gone
        ]
        if users:
            raise IllegalArgument(
                f"unable to remove composable templates [{', '.join(gone)}] as they are in use by a data "
                f"streams [{', '.join(users)}]"
            )
        return Change(named={(INDEX_TEMPLATE, each): None for each in gone})

    node.cluster.apply(plan)
    return {"acknowledged": True}


def simulate_index(node: NodeContext, index: str, body: Any = None) -> tuple[dict[str, Any], list[str]]:
    """What a new index of this name would get, if there were a template more; and warnings about that one."""
    state, warnings = node.cluster.state, []
    if body is not None:
        given = _parse(body)
        name = f"simulate_index_template_{index.lower()}"
        warnings = _check(state, name, given, create=False)
        state = _replaced(state, INDEX_TEMPLATE, name, given)
    found = template_match.match_template(state, index)
    if found is None:
        return {}, warnings
    return _simulated(state, found, state.all_named(INDEX_TEMPLATE)[found], index), warnings


def simulate(
    node: NodeContext, name: str | None, body: Any = None, *, create: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """What a template gives, one that is there or the one of the body; and warnings about that."""
    state = node.cluster.state
    if body is None:
        if name is None:
            raise ActionRequestValidation(
                "Validation Failed: 1: either index name or index template body must be specified "
                "for simulation;"
            )
        found = state.all_named(INDEX_TEMPLATE).get(name)
        if found is None:
            raise IllegalArgument(f"unable to simulate template [{name}] that does not exist")
        return _simulated(state, name, found), []
    given = _parse(body)
    warnings = _check(state, name or "simulate_template", given, create=create)
    return _simulated(state, name or "simulate_template", given), warnings


def _simulated(
    state: ClusterState, name: str, template: Mapping[str, Any], index: str | None = None
) -> dict[str, Any]:
    composed = template_match.compose(state, name, template, index)
    settings = IndexSettings(composed.settings)
    shown: dict[str, Any] = {"settings": render(settings)}
    mapping = make_mapping(settings, composed.mappings)
    if mapping:
        shown["mappings"] = mapping
    shown["aliases"] = {alias: dict(body) for alias, body in composed.aliases.items()}
    patterns = template["index_patterns"]
    overlapping = [
        {"name": other, "index_patterns": each["index_patterns"]}
        for kind in (LEGACY_TEMPLATE, INDEX_TEMPLATE)
        for other, each in state.all_named(kind).items()
        if (kind, other) != (INDEX_TEMPLATE, name)
        and template_match.overlap(patterns, each["index_patterns"])
    ]
    return {"template": shown, "overlapping": overlapping}


# -- checking


def _parse(body: Any) -> dict[str, Any]:
    """Read a composable template; refuse what is wrong with it whatever else there is."""
    given = parse_object("index_template", body, _TEMPLATE)
    if not given["index_patterns"]:
        raise IllegalArgument("There must be at least one pattern, zero given")
    part = given.get("template", {})
    if "*" in given["index_patterns"] and "index.hidden" in part.get("settings", {}):
        raise ActionRequestValidation(
            "Validation Failed: 1: global composable templates may not specify the setting index.hidden;"
        )
    if given.get("priority", 0) < 0:
        raise ActionRequestValidation("Validation Failed: 1: index template priority must be >= 0;")
    if "template" in given:
        given.setdefault("composed_of", [])
    return given


def _check(state: ClusterState, name: str, given: Mapping[str, Any], *, create: bool) -> list[str]:
    """Refuse a template that does not fit in with what there is; what the caller is to be warned of."""
    known = state.all_named(INDEX_TEMPLATE)
    if create and name in known:
        raise IllegalArgument(f"index template [{name}] already exists")
    missing = [
        part for part in given.get("composed_of", ()) if part not in state.all_named(COMPONENT_TEMPLATE)
    ]
    if missing:
        raise _invalid(
            name,
            f"index template [{name}] specifies component templates [{', '.join(missing)}] that do not exist",
        )
    if "context" in given:
        raise _invalid(
            name,
            f"index template [{name}] specifies a context which cannot be used without enabling: "
            "cluster.application_templates.enabled",
        )
    patterns, priority = given["index_patterns"], given.get("priority", 0)
    rivals = {
        other: each["index_patterns"]
        for other, each in known.items()
        if other != name
        and each.get("priority", 0) == priority
        and template_match.overlap(patterns, each["index_patterns"])
    }
    if rivals:
        raise IllegalArgument(
            f"index template [{name}] has index patterns {listed(patterns)} matching patterns from existing "
            f"templates [{','.join(rivals)}] with patterns ({pairs(rivals)}) that have the same priority "
            f"[{priority}], multiple index templates may not match during index creation, please use a "
            "different priority"
        )
    part = given.get("template", {})
    check_parts(name, patterns, part.get("settings", {}))
    for alias in part.get("aliases", {}):
        check_alias_name(alias)
    _check_composition(state, name, given)
    older = {
        other: each["index_patterns"]
        for other, each in state.all_named(LEGACY_TEMPLATE).items()
        if template_match.overlap(patterns, each["index_patterns"])
    }
    if not older:
        return []
    return [
        f"index template [{name}] has index patterns {listed(patterns)} matching patterns from existing "
        f"older templates [{','.join(older)}] with patterns ({pairs(older)}); this template [{name}] will "
        "take precedence during new index creation"
    ]


def check_parts(name: str, patterns: Iterable[str], settings: Mapping[str, Any], *more: str) -> None:
    """Refuse bad names, patterns and settings, all of them in one complaint."""
    complaints = _name_complaints(name)
    for pattern in patterns:
        if " " in pattern:
            complaints.append(f"index_patterns [{pattern}] must not contain a space")
        complaints += [
            f"index_pattern [{pattern}] must not contain a '{sign}'" for sign in ",#:" if sign in pattern
        ]
        if pattern.startswith("_"):
            complaints.append(f"index_pattern [{pattern}] must not start with '_'")
        if not pattern or _NOT_IN_PATTERNS.intersection(pattern):
            complaints.append(
                f"index_pattern [{pattern}] must not contain the following characters {FORBIDDEN}"
            )
    errors = check_template_settings(settings)
    complaints += [error.reason for error in errors[:1]]
    complaints += [
        f"expected [{error.setting}] to be private but it was not"
        for error in errors
        if isinstance(error, UnknownSetting)
    ]
    complaints += more
    if complaints:
        raise _invalid(name, _numbered(complaints))


def _name_complaints(name: str) -> list[str]:
    complaints = ["name must not contain a space"] if " " in name else []
    complaints += [f"name must not contain a '{sign}'" for sign in ",#*" if sign in name]
    if name.startswith("_"):
        complaints.append("name must not start with '_'")
    if name.lower() != name:
        complaints.append("name must be lower cased")
    return complaints


def _check_composition(state: ClusterState, name: str, given: Mapping[str, Any]) -> None:
    """Refuse a template that does not give a good index together with its components."""
    composed = template_match.compose(state, name, given)
    settings = IndexSettings(composed.settings)
    try:
        try:
            mapping = make_mapping(settings, composed.mappings)
        except LannerError as error:
            raise IllegalArgument(f"invalid composite mappings for [{name}]", caused_by=error) from None
        for alias, body in composed.aliases.items():
            if "filter" in body:
                check_filter(alias, body["filter"], name, settings, mapping)
    except LannerError as error:
        parts = given.get("composed_of")
        after = f" with component templates [{', '.join(parts)}]" if parts else ""
        raise IllegalArgument(
            f"composable template [{name}] template after composition{after} is invalid", caused_by=error
        ) from None


def _check_streams(
    state: ClusterState, templates: Mapping[str, Any], name: str, given: Mapping[str, Any]
) -> None:
    """Refuse a template that would take data streams away from theirs."""
    changed = _replaced(state, INDEX_TEMPLATE, name, given)
    lost = []
    for stream in state.all_named(DATA_STREAM):
        found = template_match.match_template(changed, stream)
        if found is None or "data_stream" not in templates[found]:
            lost.append(stream)
    if lost:
        raise IllegalArgument(
            f"composable template [{name}] with index patterns {listed(given['index_patterns'])}, priority "
            f"[{given.get('priority', 0)}] would cause data streams [{', '.join(lost)}] to no longer match a "
            "data stream template"
        )


def _replaced(state: ClusterState, kind: str, name: str, body: Mapping[str, Any]) -> ClusterState:
    return replace(state, named={**state.named, kind: {**state.all_named(kind), name: body}})


def _invalid(name: str, cause: str) -> InvalidIndexTemplate:
    return InvalidIndexTemplate(f"index_template [{name}] invalid, cause [{cause}]")


def _numbered(complaints: list[str]) -> str:
    return "Validation Failed: " + "".join(f"{at}: {text};" for at, text in enumerate(complaints, 1))


def listed(patterns: Iterable[str]) -> str:
    """Patterns as complaints and warnings list them."""
    return f"[{', '.join(patterns)}]"


def pairs(found: Mapping[str, Iterable[str]]) -> str:
    """Templates with their patterns as complaints and warnings list them."""
    return ",".join(f"{name} => {listed(patterns)}" for name, patterns in found.items())


# -- showing


def matching(known: Iterable[str], pattern: str) -> list[str]:
    """The names that a pattern means."""
    return [name for name in known if matches(pattern, name)]


def _select(state: ClusterState, kind: str, name: str | None, what: str) -> dict[str, Mapping[str, Any]]:
    known = state.all_named(kind)
    if name is None:
        return dict(known)
    found = matching(known, name)
    if not found and not is_pattern(name):
        raise ResourceNotFound(f"{what} matching [{name}] not found")
    return {each: known[each] for each in found}


def render_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, mappings and aliases as they are shown."""
    return {key: render(IndexSettings(value)) if key == "settings" else value for key, value in part.items()}


def render_template(body: Mapping[str, Any]) -> dict[str, Any]:
    """A template in the order of the API."""
    order = ("index_patterns", "template", "composed_of", "priority", "version", "_meta", "data_stream")
    return {key: render_part(body[key]) if key == "template" else body[key] for key in order if key in body}
