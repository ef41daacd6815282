"""The definition of a mapping as a tree of values: parsed from a request, merged with changes, shown again.

Nodes hold what was given, typed and checked; what a field does is the field type's business.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lanner.engine.common.body import java_class, java_text, read_boolean
from lanner.engine.common.errors import (
    ClassCastError,
    IllegalArgument,
    MapperError,
    MapperParsingError,
    ParseError,
)
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types import FIELD_TYPES, UNSUPPORTED_TYPES

MAX_PARSE_DEPTH = 200  # deeper mappings are refused before their own limit is looked at


@dataclass(frozen=True, slots=True)
class FieldNode:
    """A leaf: a field of some type with its parameters, its multi-fields and the fields it is copied to."""

    name: str
    path: str
    type: type[FieldType]
    given: Mapping[str, Any]
    fields: Mapping[str, "FieldNode"] = field(default_factory=dict)
    copy_to: tuple[str, ...] = ()

    def render(self) -> dict[str, Any]:
        """Return the definition as GET _mapping shows it."""
        shown = self.type.render(self.given)
        if self.fields:
            shown["fields"] = {name: node.render() for name, node in sorted(self.fields.items())}
        if self.copy_to:
            shown["copy_to"] = list(self.copy_to)
        if self.type.render_order:
            order = {name: i for i, name in enumerate(self.type.render_order)}
            shown = dict(sorted(shown.items(), key=lambda item: order.get(item[0], len(order))))
        return {"type": self.type.type_name, **shown}

    def merge(self, other: "Node") -> "FieldNode":
        """Return this field changed by another definition of it."""
        if isinstance(other, ObjectNode):
            raise IllegalArgument(f"can't merge a non object mapping [{self.path}] with an object mapping")
        if other.type is not self.type:
            raise IllegalArgument(
                f"mapper [{self.path}] cannot be changed from type [{self.type.type_name}] to "
                f"[{other.type.type_name}]"
            )
        given = self.type.merge(self.path, self.given, other.given)
        fields = dict(self.fields)
        for name, node in other.fields.items():
            fields[name] = fields[name].merge(node) if name in fields else node
        return replace(self, given=given, fields=fields, copy_to=other.copy_to)


@dataclass(frozen=True, slots=True)
class Nested:
    """What makes an object a document of its own, and who gets its values beside it."""

    in_parent: bool = False
    in_root: bool = False

    def render(self) -> dict[str, Any]:
        """Return the parameters as a mapping gives them."""
        shown: dict[str, Any] = {"type": "nested"}
        if self.in_parent:
            shown["include_in_parent"] = True
        if self.in_root:
            shown["include_in_root"] = True
        return shown


@dataclass(frozen=True, slots=True)
class ObjectNode:
    """An object of fields. dynamic None: as the object around it. nested: None for a plain object."""

    name: str
    path: str
    dynamic: str | None = None
    enabled: bool = True
    children: Mapping[str, "Node"] = field(default_factory=dict)
    nested: Nested | None = None

    def render(self) -> dict[str, Any]:
        """Return the definition as GET _mapping shows it."""
        shown: dict[str, Any] = {}
        if self.nested is not None:
            shown = self.nested.render()
        elif not self.children and self.dynamic is None and self.enabled:
            return {"type": "object"}
        elif not self.children:
            shown["type"] = "object"
        if self.dynamic is not None:
            shown["dynamic"] = self.dynamic
        if not self.enabled:
            shown["enabled"] = False
        if self.children:
            shown["properties"] = render_children(self.children)
        return shown

    def merge(self, other: "Node") -> "ObjectNode":
        """Return this object with the fields and changes of another definition of it."""
        if isinstance(other, FieldNode):
            raise IllegalArgument(f"can't merge a non object mapping [{self.path}] with an object mapping")
        self._check_nested(other)
        if other.enabled != self.enabled:
            raise MapperError(
                f"the [enabled] parameter can't be updated for the object mapping [{self.path}]"
            )
        return replace(
            self,
            dynamic=other.dynamic if other.dynamic is not None else self.dynamic,
            children=merge_children(self.children, other.children),
        )

    def _check_nested(self, other: "ObjectNode") -> None:
        """Refuse to change whether and how an object is nested."""
        if self.nested == other.nested:
            return
        if self.nested is None:
            raise IllegalArgument("cannot change object mapping from non-nested to nested")
        if other.nested is None:
            raise IllegalArgument("cannot change object mapping from nested to non-nested")
        name = "include_in_parent" if self.nested.in_parent != other.nested.in_parent else "include_in_root"
        raise MapperError(f"the [{name}] parameter can't be updated on a nested object mapping")


Node = FieldNode | ObjectNode


def render_children(children: Mapping[str, Node]) -> dict[str, Any]:
    """Return the properties of an object, sorted by name."""
    return {name: node.render() for name, node in sorted(children.items())}


def merge_children(old: Mapping[str, Node], new: Mapping[str, Node]) -> dict[str, Node]:
    """Return the fields of two definitions of one object."""
    merged = dict(old)
    for name, node in new.items():
        known = merged.get(name)
        merged[name] = node if known is None else known.merge(node)
    return merged


def overlay_children(old: Mapping[str, Node], new: Mapping[str, Node]) -> dict[str, Node]:
    """Return the fields of two layers: objects become one, a later field replaces the earlier."""
    merged = dict(old)
    for name, node in new.items():
        known = merged.get(name)
        if known is None or (isinstance(known, FieldNode) and isinstance(node, FieldNode)):
            merged[name] = node
        elif isinstance(known, ObjectNode) and isinstance(node, ObjectNode):
            merged[name] = replace(
                known,
                dynamic=known.dynamic if node.dynamic is None else node.dynamic,
                enabled=node.enabled,
                nested=node.nested,
                children=overlay_children(known.children, node.children),
            )
        else:
            raise IllegalArgument(f"can't merge a non object mapping [{node.path}] with an object mapping")
    return merged


def walk(children: Mapping[str, Node]) -> Iterator[Node]:
    """Yield every node below an object, multi-fields included."""
    for node in children.values():
        yield node
        if isinstance(node, ObjectNode):
            yield from walk(node.children)
        else:
            yield from _multi_fields(node)


def _multi_fields(node: FieldNode) -> Iterator[FieldNode]:
    for sub in node.fields.values():
        yield sub
        yield from _multi_fields(sub)


# -- parsing


def parse_children(properties: Any, path: str, registry: Any, depth: int = 1) -> dict[str, Node]:
    """Return the fields of a ``properties`` object; a name with dots stands for objects within objects."""
    if isinstance(properties, list) and not properties:
        return {}
    if not isinstance(properties, dict):
        raise ParseError("properties must be a map type")
    if depth > MAX_PARSE_DEPTH:
        raise IllegalArgument(
            f"Limit of mapping depth [20] has been exceeded due to object field [{path[:-1]}]"
        )
    children: dict[str, Node] = {}
    for name, definition in properties.items():
        parts = name.split(".")
        while len(parts) > 1 and not parts[-1]:
            parts.pop()  # as Java splits: trailing empty parts do not count
        if parts == [""] and name:
            raise MapperParsingError(f"Invalid field name {name}")
        if isinstance(definition, list) and not definition:
            continue
        if not isinstance(definition, dict):
            raise MapperParsingError(
                f"Expected map for property [fields] on field [{name}] but got a class java.lang.String"
            )
        if not path and "" in parts:
            raise IllegalArgument("name cannot be empty string")
        prefix = "".join(f"{part}." for part in parts[:-1])
        node = parse_node(parts[-1], path + prefix, definition, registry, depth + len(parts) - 1)
        for i in range(len(parts) - 2, -1, -1):
            object_path = path + ".".join(parts[: i + 1])
            node = ObjectNode(parts[i], object_path, children={node.name: node})
        known = children.get(node.name)
        if known is not None and isinstance(known, ObjectNode) != isinstance(node, ObjectNode):
            old, new = (_kind(known), _kind(node))
            raise IllegalArgument(f"mapper [{node.path}] cannot be changed from type [{new}] to [{old}]")
        children[node.name] = node if known is None else known.merge(node)
    return children


def _kind(node: Node) -> str:
    return "ObjectMapper" if isinstance(node, ObjectNode) else node.type.type_name


def parse_node(name: str, prefix: str, definition: dict[str, Any], registry: Any, depth: int) -> Node:
    """Return a field or an object."""
    path = prefix + name
    type_name = definition.get("type")
    if type_name is None:
        if "properties" not in definition and not (definition.keys() & {"dynamic", "enabled"}):
            raise MapperParsingError(f"No type specified for field [{name}]")
        type_name = "object"
    type_name = java_text(type_name)
    if type_name in ("object", "nested"):
        return parse_object(name, path, definition, registry, depth)
    return parse_field(name, path, type_name, definition, registry)


def parse_object(name: str, path: str, definition: dict[str, Any], registry: Any, depth: int) -> ObjectNode:
    """Return an object field, plain or nested."""
    dynamic: str | None = None
    included = {"include_in_parent": False, "include_in_root": False}
    enabled = True
    children: dict[str, Node] = {}
    unknown = []
    for key, value in definition.items():
        if key == "dynamic":
            dynamic = read_dynamic(value)
        elif key == "enabled":
            enabled = read_flag(f"{key}.enabled", value)
        elif key == "properties":
            children = parse_children(value, f"{path}.", registry, depth + 1)
        elif key in included:
            included[key] = read_flag(f"{name}.{key}", value)
        elif key not in ("type", "include_in_all"):
            unknown.append(f"[{key} : {java_text(value)}]")
    if unknown:
        raise MapperParsingError(
            f"Mapping definition for [{name}] has unsupported parameters:  {' '.join(unknown)}"
        )
    nested = Nested(*included.values()) if definition.get("type") == "nested" else None
    return ObjectNode(name, path, dynamic, enabled, children, nested)


def parse_field(name: str, path: str, type_name: str, definition: dict[str, Any], registry: Any) -> FieldNode:
    """Return a leaf field."""
    kind = FIELD_TYPES.get(type_name)
    if kind is None:
        if type_name in UNSUPPORTED_TYPES:
            raise MapperParsingError(f"Type [{type_name}] of field [{name}] is not supported by this version")
        raise MapperParsingError(f"No handler for type [{type_name}] declared on field [{name}]")
    apart = ("type",) if kind.stands_alone else ("fields", "copy_to", "type")
    given = {key: value for key, value in definition.items() if key not in apart}
    try:
        values = kind.read(name, given, registry)
    except UnicodeError as error:
        raise MapperParsingError(str(error)) from None
    fields = parse_multi_fields(path, definition["fields"], registry) if "fields" in definition else {}
    copy_to: tuple[str, ...] = ()
    if "copy_to" in definition:
        targets = definition["copy_to"]
        copy_to = tuple(java_text(target) for target in (targets if isinstance(targets, list) else [targets]))
    return FieldNode(name, path, kind, values, fields, copy_to)


def parse_multi_fields(path: str, fields: Any, registry: Any) -> dict[str, FieldNode]:
    """Return the multi-fields of a field."""
    if isinstance(fields, list) and not fields:
        return {}
    if not isinstance(fields, dict):
        raise MapperParsingError(
            f"expected map for property [fields] on field [{java_text(fields)}] or [fields] "
            f"but got a class {java_class(fields)}"
        )
    nodes = {}
    for name, definition in fields.items():
        parent = path.rsplit(".", 1)[-1]
        if "." in name:
            raise MapperParsingError(
                f"Field name [{name}] which is a multi field of [{parent}] cannot contain '.'"
            )
        if not isinstance(definition, dict):
            raise MapperParsingError(f"illegal field [{name}], only fields can be specified inside fields")
        if "type" not in definition:
            raise MapperParsingError(f"no type specified for property [{name}]")
        if definition["type"] in ("object", "nested"):
            raise MapperParsingError(f"Type [{definition['type']}] cannot be used in multi field")
        nodes[name] = parse_field(name, f"{path}.{name}", java_text(definition["type"]), definition, registry)
    return nodes


def read_dynamic(value: Any) -> str:
    """Return the mode of dynamic mapping."""
    if value == "strict":
        return "strict"
    if value in ("strict_allow_templates", "false_allow_templates"):
        raise MapperParsingError(f"[dynamic] value [{value}] is not supported by this version")
    return "true" if read_flag("dynamic.dynamic", value) else "false"


def read_flag(name: str, value: Any) -> bool:
    """Return a boolean of a mapping; the error names the parameter."""
    try:
        return read_boolean(value)
    except IllegalArgument as error:
        raise IllegalArgument(f"Could not convert [{name}] to boolean", caused_by=error) from None


def read_map(value: Any) -> dict[str, Any]:
    """Return an object; anything else fails as Java's cast does."""
    if not isinstance(value, dict):
        raise ClassCastError(
            f"class {java_class(value)} cannot be cast to class java.util.Map ({java_class(value)} "
            "and java.util.Map "
            "are in module java.base of loader 'bootstrap')"
        )
    return value
