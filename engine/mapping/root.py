"""The top of a mapping: fields plus what holds for whole documents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.dates import date_format
from lanner.engine.common.errors import IllegalArgument, LannerError, MapperParsingError
from lanner.engine.mapping.dynamic_templates import DynamicTemplate, merge_templates, parse_templates
from lanner.engine.mapping.metadata import METADATA_NAMES
from lanner.engine.mapping.parameters import boolean
from lanner.engine.mapping.tree import (
    Node,
    merge_children,
    overlay_children,
    parse_children,
    read_dynamic,
    read_flag,
    read_map,
    render_children,
)

DATE_FORMATS = ("strict_date_optional_time", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis")
TIMESTAMP = "@timestamp"
_METADATA_PARAMETERS: dict[str, dict[str, bool | tuple[str, ...]]] = {
    "_source": {
        "enabled": True,
        "includes": (),
        "excludes": (),
        "recovery_source_enabled": True,
        "recovery_source_includes": (),
        "recovery_source_excludes": (),
    },
    "_routing": {"required": False},
    "_field_names": {"enabled": True},
}


@dataclass(frozen=True, slots=True)
class RootNode:
    """A whole mapping. None stands for what was not given."""

    dynamic: str | None = None
    enabled: bool = True
    meta: Mapping[str, Any] | None = None
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    dynamic_date_formats: tuple[str, ...] | None = None
    dynamic_templates: tuple[DynamicTemplate, ...] | None = None
    date_detection: bool | None = None
    numeric_detection: bool | None = None
    timestamp_field: str | None = None  # of a data stream
    children: Mapping[str, Node] = field(default_factory=dict)

    def metadata_parameter(self, name: str, parameter: str) -> Any:
        """Return a setting of a metadata field: a boolean, or a tuple of patterns."""
        return self.metadata.get(name, {}).get(parameter, _METADATA_PARAMETERS[name][parameter])

    def render_metadata(self, name: str, *, defaults: bool = False) -> dict[str, Any]:
        """Return the parameters of a metadata field as they are shown.

        Those that are not as they are by default; with defaults all of them, of one that was given any.
        """
        given = self.metadata.get(name)
        if given is None:
            return {}
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, default in _METADATA_PARAMETERS[name].items()
            if (value := given.get(key, default)) != default or defaults
        }

    def render(self) -> dict[str, Any]:
        """Return the mapping as GET _mapping shows it."""
        shown: dict[str, Any] = {}
        if self.dynamic is not None:
            shown["dynamic"] = self.dynamic
        if not self.enabled:
            shown["enabled"] = False
        if self.meta:
            shown["_meta"] = self.meta
        if self.timestamp_field is not None:
            shown["_data_stream_timestamp"] = render_timestamp(self.timestamp_field)
        for name in sorted(self.metadata):
            parameters = self.render_metadata(name)
            if parameters:
                shown[name] = parameters
        if self.dynamic_date_formats is not None:
            shown["dynamic_date_formats"] = list(self.dynamic_date_formats)
        if self.dynamic_templates:
            shown["dynamic_templates"] = [{one.name: one.render()} for one in self.dynamic_templates]
        if self.date_detection is not None:
            shown["date_detection"] = self.date_detection
        if self.numeric_detection is not None:
            shown["numeric_detection"] = self.numeric_detection
        if self.children:
            shown["properties"] = render_children(self.children)
        return shown

    def merge(self, other: "RootNode") -> "RootNode":
        """Return this mapping with the changes of another."""
        metadata = dict(self.metadata)
        for name, given in other.metadata.items():
            changes = [
                f"\n\tCannot update parameter [{parameter}] from [{_text(before)}] to [{_text(after)}]"
                for parameter, default in _METADATA_PARAMETERS[name].items()
                if (before := self.metadata_parameter(name, parameter))
                != (after := given.get(parameter, default))
            ]
            if changes and name != "_field_names":
                raise IllegalArgument(
                    f"Mapper for [{name}] conflicts with existing mapper:{''.join(changes)}"
                )
            metadata[name] = given
        return replace(
            self,
            dynamic=_newer(self.dynamic, other.dynamic),
            enabled=self.enabled and other.enabled,
            meta=_newer(self.meta, other.meta),
            metadata=metadata,
            dynamic_date_formats=_newer(self.dynamic_date_formats, other.dynamic_date_formats),
            dynamic_templates=merge_templates(self.dynamic_templates, other.dynamic_templates),
            date_detection=_newer(self.date_detection, other.date_detection),
            numeric_detection=_newer(self.numeric_detection, other.numeric_detection),
            timestamp_field=_newer(self.timestamp_field, other.timestamp_field),
            children=merge_children(self.children, other.children),
        )

    def overlay(self, other: "RootNode") -> "RootNode":
        """Return this mapping with what another defines in place of its own, as templates do."""
        meta = other.meta if self.meta is None or other.meta is None else _merge_meta(self.meta, other.meta)
        return replace(
            self,
            dynamic=_newer(self.dynamic, other.dynamic),
            enabled=self.enabled and other.enabled,
            meta=_newer(self.meta, meta),
            metadata={**self.metadata, **other.metadata},
            dynamic_date_formats=_newer(self.dynamic_date_formats, other.dynamic_date_formats),
            dynamic_templates=merge_templates(self.dynamic_templates, other.dynamic_templates),
            date_detection=_newer(self.date_detection, other.date_detection),
            numeric_detection=_newer(self.numeric_detection, other.numeric_detection),
            timestamp_field=_newer(self.timestamp_field, other.timestamp_field),
            children=overlay_children(self.children, other.children),
        )


def _merge_meta(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with the keys of both; the new one is stronger, also inside of objects."""
    merged = dict(old)
    waiting = [(merged, new)]
    while waiting:
        target, source = waiting.pop()
        for key, value in source.items():
            known = target.get(key)
            if isinstance(known, Mapping) and isinstance(value, Mapping):
                target[key] = inner = dict(known)
                waiting.append((inner, value))
            else:
                target[key] = value
    return merged


def render_timestamp(name: str) -> dict[str, Any]:
    """Return the metadata field that asks documents for a timestamp, as it is shown."""
    shown: dict[str, Any] = {"enabled": True}
    return shown if name == TIMESTAMP else {**shown, "timestamp_field": {"name": name}}


def _read_timestamp(given: Mapping[str, Any]) -> str | None:
    """Return the name of the field that documents must have one value of, None when that is switched off."""
    for parameter in given:
        if parameter not in ("enabled", "timestamp_field"):
            raise MapperParsingError(
                f"unknown parameter [{parameter}] on mapper [_data_stream_timestamp] of type [null]"
            )
    if not boolean("_data_stream_timestamp", given.get("enabled", False)):
        return None
    name: str = read_map(given.get("timestamp_field", {})).get("name", TIMESTAMP)
    return name


def _newer(old: Any, new: Any) -> Any:
    return old if new is None else new


def parse_root(body: Mapping[str, Any], registry: Any) -> RootNode:
    """Return the definition that a request holds.

    Raises what the API answers, without the wrapping of creation.
    """
    values: dict[str, Any] = {}
    metadata: dict[str, dict[str, Any]] = {}
    unknown = []
    for key, value in body.items():
        if key == "properties":
            values["children"] = parse_children(value, "", registry)
        elif key == "dynamic":
            values["dynamic"] = read_dynamic(value)
        elif key == "enabled":
            values["enabled"] = read_flag("enabled.enabled", value)
        elif key == "_meta":
            values["meta"] = read_map(value)
        elif key in ("date_detection", "numeric_detection"):
            values[key] = read_flag(key, value)
        elif key == "dynamic_date_formats":
            values[key] = _date_formats(value)
        elif key == "dynamic_templates":
            values[key] = parse_templates(value)
        elif key == "_data_stream_timestamp":
            values["timestamp_field"] = _read_timestamp(read_map(value))
        elif key in _METADATA_PARAMETERS:
            metadata[key] = _metadata_parameters(key, read_map(value))
        else:
            unknown.append(f"[{key} : {java_text(value)}]")
    if unknown:
        raise MapperParsingError(
            f"Root mapping definition has unsupported parameters:  {' '.join(sorted(unknown))}"
        )
    for name in values.get("children", {}):
        if name in METADATA_NAMES:
            raise MapperParsingError(f"Field [{name}] is defined more than once")
    return RootNode(metadata=metadata, **values)


def _metadata_parameters(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    known = _METADATA_PARAMETERS[name]
    values: dict[str, Any] = {}
    for parameter, value in given.items():
        if parameter not in known:
            raise MapperParsingError(f"unknown parameter [{parameter}] on mapper [{name}] of type [null]")
        if value is None:
            raise MapperParsingError(
                f"[{parameter}] on mapper [{name}] of type [null] must not have a [null] value"
            )
        if isinstance(known[parameter], bool):
            values[parameter] = boolean(name, value)
        else:
            values[parameter] = _patterns(parameter, value)
    return values


def _patterns(parameter: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or any(one is None for one in value):
        raise MapperParsingError(f"[{parameter}] must be a list of names and patterns")
    return tuple(java_text(one) for one in value)


def _text(value: Any) -> str:
    return java_text(list(value) if isinstance(value, tuple) else value)


def _date_formats(value: Any) -> tuple[str, ...]:
    formats = tuple(java_text(one) for one in (value if isinstance(value, list) else [value]))
    if formats == ("none",):
        return ()
    for pattern in formats:
        date_format(pattern)
    return formats


def wrap_creation(error: LannerError) -> LannerError:
    """Return the error of a bad mapping as creation of an index words it."""
    return MapperParsingError(f"Failed to parse mapping [_doc]: {error.reason}", caused_by=error)
