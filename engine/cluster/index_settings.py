"""Index settings over the API: shown flat or nested, with defaults, and changed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lanner.engine.cluster import blocks
from lanner.engine.cluster.context import NodeContext
from lanner.engine.cluster.names import IndexOptions, check_destructive, resolve
from lanner.engine.cluster.state import IndexMetadata
from lanner.engine.common.errors import ActionRequestValidation, IllegalArgument
from lanner.engine.common.settings import flatten, nest, without_numbers
from lanner.engine.common.wildcards import matches_any
from lanner.engine.index.index_settings import INDEX_TABLE, IndexSettings

# the order in which the nested form prints what every index has
_FIRST = ("index.replication.type", "index.verified_before_close", "index.creation_date_string")
_LAST = ("index.number_of_replicas", "index.uuid", "index.version.created_string", "index.version.created")
_MIDDLE = ("index.number_of_shards", "index.provided_name", "index.creation_date")

_MANAGED = frozenset({"index.version.created"})

# what can be changed, one at a time, however an index is blocked
_UNBLOCKING = {f"index.blocks.{name}" for name in ("metadata", "read_only", "read_only_allow_delete")}


def prefixed(flat: Mapping[str, str | list[str] | None]) -> dict[str, str | list[str] | None]:
    """Full names: ``index.`` in front where it was left out; a second one is not added."""
    return {
        name if name.startswith(("index.", "archived.")) or name == "*" else f"index.{name}": value
        for name, value in flat.items()
    }


def expanded(settings: IndexSettings) -> IndexSettings:
    """Settings whose replicas follow the number of nodes, where they say so; there is one node."""
    # with bounds that no number of copies elsewhere can keep, the number stays
    if not settings.text("index.auto_expand_replicas").startswith("0-") or not settings.number_of_replicas:
        return settings
    return settings.changed({"index.number_of_replicas": "0"})


def render(
    settings: IndexSettings, *, flat: bool = False, human: bool = False, names: list[str] | None = None
) -> dict[str, Any]:
    """The settings object of an index; only those that match `names`, if given."""
    shown: dict[str, str | list[str]] = dict(settings)
    if human:
        shown["index.creation_date_string"] = iso(int(settings.text("index.creation_date")))
        shown["index.version.created_string"] = _version(int(settings.text("index.version.created")))
    if names:
        shown = {name: value for name, value in shown.items() if matches_any(names, name)}
    if flat:
        return dict(sorted(shown.items()))
    nested: dict[str, Any] = without_numbers(nest({name: shown[name] for name in _ordered(shown)}))
    return nested


def render_defaults(settings: IndexSettings, *, flat: bool = False) -> dict[str, Any]:
    """The settings that are not set, with their defaults."""
    shown = {name: setting.default for name, setting in INDEX_TABLE.settings.items() if name not in settings}
    return dict(sorted(shown.items())) if flat else nest(shown)


def get_settings(
    node: NodeContext,
    expression: str | None,
    options: IndexOptions,
    *,
    names: list[str] | None = None,
    flat_settings: bool = False,
    include_defaults: bool = False,
    human: bool = False,
) -> dict[str, Any]:
    """The settings of indices; an index of which nothing matches `names` is left out."""
    wanted = None if not names or "_all" in names or "*" in names else names
    state = node.cluster.state
    answer: dict[str, Any] = {}
    for name in resolve(state, expression, options):
        blocks.check_metadata_reading(state.indices[name])
        settings = state.indices[name].settings
        shown = render(settings, flat=flat_settings, human=human, names=wanted)
        if not shown and wanted is not None:
            continue
        answer[name] = {"settings": shown}
        if include_defaults:
            answer[name]["defaults"] = render_defaults(settings, flat=flat_settings)
    return answer


def put_settings(
    node: NodeContext,
    expression: str | None,
    body: Mapping[str, Any],
    options: IndexOptions,
    *,
    preserve_existing: bool = False,
) -> dict[str, Any]:
    """Change dynamic settings of all of the indices, or of none."""
    inner = body.get("settings")
    given = flatten(inner if isinstance(inner, Mapping) and len(body) == 1 else body)
    if not given:
        raise ActionRequestValidation("Validation Failed: 1: no settings to update;")
    flat = prefixed(given)
    plain = {name: value for name, value in flat.items() if not name.endswith("*")}
    state = node.cluster.state
    names = resolve(state, expression, options)
    for name in sorted(plain):
        setting = INDEX_TABLE.get(name)
        if setting is not None and setting.private and name in _MANAGED:
            raise IllegalArgument(
                f"can not update private setting [{name}]; this setting is managed by OpenSearch"
            )
    INDEX_TABLE.check({name: value for name, value in plain.items() if not name.startswith("archived.")})
    found = [state.indices[name] for name in names]
    if not _UNBLOCKING.issuperset(plain) or len(plain) > 1:
        for index in found:
            blocks.check_metadata(index)
    static = sorted(name for name in plain if not INDEX_TABLE.is_dynamic(name))
    opened = [index for index in found if index.state == "open"]
    if static and opened:
        listed = ", ".join(f"[{index.name}/{index.uuid}]" for index in opened)
        raise IllegalArgument(
            f"Can't update non dynamic settings [[{', '.join(static)}]] for open indices [{listed}]"
        )
    for index in found:
        node.cluster.update_index(index.uuid, lambda old: _changed(old, flat, keep=preserve_existing))
    return {"acknowledged": True}


def add_block(node: NodeContext, expression: str, block: str, options: IndexOptions) -> dict[str, Any]:
    """Block indices for reading, writing, changes of their metadata, or all but reading."""
    if block == "read_only_allow_delete":
        raise ActionRequestValidation(f"Validation Failed: 1: {block} block is for internal use only;")
    if block not in ("read", "write", "metadata", "read_only"):
        raise IllegalArgument(f"No block found with name {block}")
    state = node.cluster.state
    check_destructive(state, node.settings, expression)
    names = resolve(state, expression, replace(options, data_streams=False))
    if block in ("read", "write"):
        for name in names:
            blocks.check_metadata(state.indices[name])
    if names:
        put_settings(node, ",".join(names), {f"index.blocks.{block}": "true"}, options)
    return {
        "acknowledged": True,
        "shards_acknowledged": bool(names),
        "indices": [{"name": name, "blocked": True} for name in names],
    }


def _changed(
    old: IndexMetadata, flat: Mapping[str, str | list[str] | None], *, keep: bool
) -> IndexMetadata | None:
    wanted = {name: value for name, value in flat.items() if not (keep and name in old.settings)}
    if wanted.get("index.number_of_replicas", "") is None:
        wanted["index.number_of_replicas"] = "1"
    settings = expanded(old.settings.changed(wanted))
    if dict(settings) == dict(old.settings):
        return None
    return replace(old, settings=settings, settings_version=old.settings_version + 1)


def _ordered(shown: Mapping[str, Any]) -> list[str]:
    """Names in the order of the nested form."""
    fixed = {*_FIRST, *_MIDDLE, *_LAST}
    given = sorted(name for name in shown if name not in fixed)
    before = [name for name in given if name < "index.number"]
    after = [name for name in given if name >= "index.number"]
    order = [*_FIRST, *before, *_MIDDLE, *after, *_LAST]
    return [name for name in order if name in shown]


def iso(millis: int) -> str:
    """A moment as the API prints it."""
    from datetime import UTC, datetime

    moment = datetime.fromtimestamp(millis // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{millis % 1000:03d}Z"


def _version(number: int) -> str:
    plain = number ^ 0x08000000
    return f"{plain // 1_000_000}.{plain // 10_000 % 100}.{plain // 100 % 100}"
