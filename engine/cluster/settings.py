"""Cluster settings over the API."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.node_setting_table import NODE_SETTINGS, START_SETTINGS
from lanner.engine.cluster.setting_table import CLUSTER_FAMILIES, CLUSTER_SETTINGS
from lanner.engine.common.errors import ActionRequestValidation, ClassCastError, IllegalArgument
from lanner.engine.common.settings import Flat, SettingsTable, flatten, nest

CLUSTER_TABLE = SettingsTable((*CLUSTER_SETTINGS, *NODE_SETTINGS), CLUSTER_FAMILIES)


def get_settings(
    node: NodeContext, *, flat_settings: bool = False, include_defaults: bool = False
) -> dict[str, Any]:
    """What is set, persistent and transient, and on request the defaults of everything else.

    What the node was started with counts as a default.
    """
    state = node.cluster.state
    answer = {
        "persistent": _shown(state.persistent, flat=flat_settings),
        "transient": _shown(state.transient, flat=flat_settings),
    }
    if include_defaults:
        defaults: Flat = {
            name: setting.default
            for name, setting in CLUSTER_TABLE.settings.items()
            if state.setting(name) is None
        }
        given = {name: value for name, value in node.settings.items() if state.setting(name) is None}
        answer["defaults"] = _shown({**defaults, **given}, flat=flat_settings)
    return answer


def put_settings(
    node: NodeContext, body: Mapping[str, Any], *, flat_settings: bool = False
) -> dict[str, Any]:
    """Change settings; null removes, also by pattern."""
    groups: dict[str, dict[str, str | list[str] | None]] = {}
    for kind in ("persistent", "transient"):
        given = body.get(kind)
        if given is not None and not isinstance(given, Mapping):
            raise ClassCastError(
                f"class {_java(given)} cannot be cast to class java.util.Map "
                f"({_java(given)} and java.util.Map are in module java.base of loader 'bootstrap')"
            )
        groups[kind] = flatten(given or {})
    if not any(groups.values()):
        raise ActionRequestValidation("Validation Failed: 1: no settings to update;")
    for kind in ("transient", "persistent"):
        _check(kind, groups[kind])
    state = node.cluster.state
    persistent = _changed(state.persistent, groups["persistent"])
    transient = _changed(state.transient, groups["transient"])
    node.cluster.put_settings(persistent, transient)
    return {
        "acknowledged": True,
        "persistent": _shown(_given(persistent, groups["persistent"]), flat=flat_settings),
        "transient": _shown(_given(transient, groups["transient"]), flat=flat_settings),
    }


def _check(kind: str, flat: Mapping[str, str | list[str] | None]) -> None:
    for name, value in flat.items():
        if value is None and "*" in name:
            continue
        starting = name in START_SETTINGS
        if not starting and not CLUSTER_TABLE.knows(name):
            raise IllegalArgument(f"{kind} setting [{name}], not recognized")
        if starting or not CLUSTER_TABLE.is_dynamic(name):
            raise IllegalArgument(f"{kind} setting [{name}], not dynamically updateable")
    CLUSTER_TABLE.check({name: value for name, value in flat.items() if value is not None})


def _changed(
    old: Mapping[str, str | list[str]], flat: Mapping[str, str | list[str] | None]
) -> dict[str, str | list[str]]:
    new = dict(old)
    for name, value in flat.items():
        if value is not None:
            new[name] = value
        elif name.endswith("*"):
            for known in [known for known in new if known.startswith(name[:-1])]:
                del new[known]
        else:
            new.pop(name, None)
    return new


def _given(
    new: Mapping[str, str | list[str]], flat: Mapping[str, str | list[str] | None]
) -> dict[str, str | list[str]]:
    """Of the settings, those that the request named."""
    return {name: value for name, value in new.items() if flat.get(name) is not None}


def _shown(settings: Mapping[str, str | list[str]], *, flat: bool) -> dict[str, Any]:
    ordered = dict(sorted(settings.items()))
    return ordered if flat else nest(ordered)


def _java(value: Any) -> str:
    """The name that an error text gives to a JSON value's type."""
    if isinstance(value, bool):
        return "java.lang.Boolean"
    if isinstance(value, int):
        return "java.lang.Integer"
    if isinstance(value, list):
        return "java.util.ArrayList"
    return "java.lang.String"
