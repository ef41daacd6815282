"""Dynamic mapping: what a document adds to the mapping of its index. The long way.

Only documents with news take it.
"""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.body import SpelledFloat, parse_double
from lanner.engine.common.dates import date_format
from lanner.engine.common.errors import (
    IllegalArgument,
    MapperParsingError,
    NumberFormatError,
    ParseError,
    StrictDynamicMapping,
)
from lanner.engine.mapping.document_faults import DocumentFaultError, ReservedNameError, object_fault
from lanner.engine.mapping.document_parser import (
    RESERVED_NAMES,
    DocumentParser,
    UnmappedError,
    concrete,
    end_row,
)
from lanner.engine.mapping.field_type import Values, each
from lanner.engine.mapping.root import DATE_FORMATS, RootNode
from lanner.engine.mapping.tree import FieldNode, Node, ObjectNode
from lanner.ext.index.field_values import RowValues

_TEXT = {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}}


class _Addition:
    """Fields found so far, as the ``properties`` of a put-mapping body."""

    def __init__(self, nested: Mapping[str, ObjectNode]) -> None:
        self.properties: dict[str, Any] = {}
        self.nested = nested  # by path; they must be named as such

    def at(self, path: list[str]) -> dict[str, Any]:
        """Return the properties below a path of objects, adding what is missing."""
        here = self.properties
        for i, name in enumerate(path):
            found = here.setdefault(name, {"properties": {}})
            known = self.nested.get(".".join(path[: i + 1]))
            if known is not None and known.nested is not None:
                found |= known.nested.render()
            if "properties" not in found:
                if found.get("type", "object") not in ("object", "nested"):
                    raise IllegalArgument(
                        f"can't merge a non object mapping [{'.'.join(path[: i + 1])}] with an object mapping"
                    )
                found["properties"] = {}
            here = found["properties"]
        return here


def discover(
    root: RootNode, parser: DocumentParser, document: dict[str, Any], *, max_depth: int
) -> tuple[dict[str, Any] | None, Values]:
    """Return the additions that a document needs as a put-mapping body, or None and its columns."""
    walk = _Discovery(root, parser, max_depth)
    walk.object([], root.children, root.dynamic or "true", document, 1)
    if not walk.found:
        return None, walk.out
    return {"properties": walk.addition.properties}, []


class _Discovery:
    """One walk over a document."""

    def __init__(self, root: RootNode, parser: DocumentParser, max_depth: int) -> None:
        self.root = root
        self.parser = parser
        self.max_depth = max_depth
        self.addition = _Addition(parser.nested_nodes)
        self.found = False
        self.out = parser.new_values()

    def object(
        self, path: list[str], children: Mapping[str, Node], dynamic: str, source: dict[str, Any], depth: int
    ) -> None:
        """Look at every field of an object."""
        if depth > self.max_depth:
            raise DocumentFaultError(
                ParseError(
                    f"The depth of the field has exceeded the allowed limit of [{self.max_depth}]. "
                    "This limit can be "
                    "set by changing the [index.mapping.depth.limit] index level setting."
                )
            )
        for key, value in source.items():
            if not path and key in RESERVED_NAMES:
                raise ReservedNameError(key, value)
            self.field(path, children, dynamic, _split(key), value, depth)

    def field(
        self,
        path: list[str],
        children: Mapping[str, Node],
        dynamic: str,
        names: list[str],
        value: Any,
        depth: int,
    ) -> None:
        """Follow a name through the objects that its dots stand for, then look at the value."""
        for i, name in enumerate(names[:-1]):
            node = children.get(name)
            if isinstance(node, FieldNode):
                raise MapperParsingError(
                    f"Could not dynamically add mapping for field [{'.'.join(names)}]. Existing mapping for "
                    f"[{'.'.join([*path, *names[: i + 1]])}] must be of type object but found "
                    f"[{node.type.type_name}]."
                )
            if node is None:
                if dynamic == "false" or (dynamic == "true" and not concrete(value)):
                    return
                self.check_strict(dynamic, path, name)
                self.addition.at([*path, *names[: i + 1]])
                self.found = True
                children = {}
            else:
                if node.nested is not None:
                    raise MapperParsingError(
                        f"Cannot add a value for field [{'.'.join(names)}] since one of the intermediate "
                        f"objects is mapped as a nested object: [{node.path}]"
                    )
                if not node.enabled:
                    return
                children, dynamic = node.children, node.dynamic or dynamic
            path = [*path, name]
            depth += 1
        self.value(path, children, dynamic, names[-1], value, depth)

    def value(
        self, path: list[str], children: Mapping[str, Node], dynamic: str, name: str, value: Any, depth: int
    ) -> None:
        """Look at one value of a field."""
        node = children.get(name)
        if isinstance(node, FieldNode):
            self.leaf(node, value)
        elif isinstance(node, ObjectNode):
            if not node.enabled:
                return
            mode = node.dynamic or dynamic
            inside = isinstance(value, list)

            def element(item: Any) -> None:
                if isinstance(item, dict):
                    around = self.out
                    if node.nested is not None:
                        self.out = self.parser.begin_row(node, around)
                    self.object([*path, name], node.children, mode, item, depth + 1)
                    if isinstance(self.out, RowValues) and self.out is not around:
                        end_row(node, self.out)
                    self.out = around
                elif item is not None:
                    raise object_fault(node.path, None if inside else node.name)

            each(value, element) if isinstance(value, list) else element(value)
        elif dynamic != "false":
            self.check_strict(dynamic, path, name)

            def new(item: Any) -> None:
                if item is not None:
                    self.introduce(path, dynamic, name, item, depth)

            each(value, new) if isinstance(value, list) else new(value)

    def leaf(self, node: FieldNode, value: Any) -> None:
        """Try a mapped field's values, so that what fails fails before the mapping changes.

        Add its copies.
        """
        handler = self.parser.leaves[node.path]

        def one(item: Any) -> None:
            try:
                handler(item, self.out)
            except UnmappedError:
                for target in node.copy_to:
                    if target not in self.parser.leaves and item is not None:
                        self.copy(target.split("."), item)

        whole = not isinstance(value, list) or getattr(handler, "takes_lists", False)
        one(value) if whole else each(value, one)

    def copy(self, names: list[str], item: Any) -> None:
        """Introduce the target of a copy."""
        self.field([], self.root.children, self.root.dynamic or "true", names, item, 1)

    def check_strict(self, dynamic: str, path: list[str], name: str) -> None:
        """Refuse new fields in a strict object."""
        if dynamic == "strict":
            raise StrictDynamicMapping(
                f"mapping set to strict, dynamic introduction of [{name}] within "
                f"[{'.'.join(path) or '_doc'}] is not allowed"
            )

    def introduce(self, path: list[str], dynamic: str, name: str, value: Any, depth: int) -> None:
        """Add a field for a value."""
        self.found = True
        kind = self.kind(value)
        full = ".".join([*path, name])
        definition = self.definition(kind, name, full, value)
        known = self.addition.at(path).get(name)
        if isinstance(value, dict) and definition.get("type", "object") == "object":
            if known is not None and "properties" not in known and known.get("type", "object") != "object":
                raise IllegalArgument(f"can't merge a non object mapping [{full}] with an object mapping")
            if known is None:
                self.addition.at(path)[name] = definition
            if definition.get("enabled") is not False:
                mode = definition.get("dynamic", dynamic)
                self.object([*path, name], {}, str(mode).lower(), value, depth + 1)
            return
        if known is not None:
            if "properties" in known:
                raise IllegalArgument(f"can't merge a non object mapping [{full}] with an object mapping")
            if known.get("type") != definition.get("type"):
                raise IllegalArgument(
                    f"mapper [{full}] cannot be changed from type [{known.get('type')}] to "
                    f"[{definition.get('type')}]"
                )
            return
        self.addition.at(path)[name] = definition

    def kind(self, value: Any) -> str:
        """Return what kind of JSON value this is, as dynamic templates name it."""
        if isinstance(value, dict):
            return "object"
        if isinstance(value, bool):
            return "boolean"
        if isinstance(value, int):
            return "long"
        if isinstance(value, float | SpelledFloat):
            return "double"
        return "string"

    def definition(self, kind: str, name: str, path: str, value: Any) -> dict[str, Any]:
        """Return the mapping that a value of a new field asks for."""
        plain: dict[str, Any] | None = None
        if kind == "string":
            found = self.date(value)
            if found is not None:
                kind, plain = "date", found
            elif self.root.numeric_detection:
                kind = _numeric_kind(value)
        for template in self.root.dynamic_templates or ():
            if template.applies(name, path, kind):
                mapping = template.mapping_for(name, kind)
                if plain is not None and mapping["type"] == "date":
                    mapping = {**plain, **mapping}
                return mapping
        if plain is not None:
            return plain
        match kind:
            case "string":
                return dict(_TEXT)
            case "double":
                return {"type": "float"}
            case _:
                return {"type": kind}

    def date(self, value: str) -> dict[str, Any] | None:
        """Return the mapping of a date field if the text is a date."""
        if self.root.date_detection is False or not any(sign in value for sign in ":-/"):
            return None
        formats = DATE_FORMATS if self.root.dynamic_date_formats is None else self.root.dynamic_date_formats
        for pattern in formats:
            if date_format(pattern).moment(value) is not None:
                if pattern == "strict_date_optional_time":
                    return {"type": "date"}
                mapping = {"type": "date", "format": pattern}
                if pattern == DATE_FORMATS[1]:
                    mapping["print_format"] = "yyyy/MM/dd HH:mm:ss"
                return mapping
        return None


def _numeric_kind(value: str) -> str:
    digits = value.lstrip("+-")
    if digits.isascii() and digits.isdigit():
        return "long"
    try:
        parse_double(value)
    except NumberFormatError:
        return "string"
    return "double"


def _split(key: str) -> list[str]:
    """Return the parts of a name; raises what the API answers for names it cannot take apart."""
    if not key:
        raise DocumentFaultError(IllegalArgument("field name cannot be an empty string"))
    if "." not in key:
        return [key]
    parts = key.split(".")
    while parts and not parts[-1]:
        parts.pop()
    if not parts:
        raise DocumentFaultError(IllegalArgument("field name cannot contain only the character [.]"))
    for part in parts:
        if not part:
            raise DocumentFaultError(
                IllegalArgument(
                    f"object field starting or ending with a [.] makes object resolution ambiguous: [{key}]"
                )
            )
        if not part.strip():
            raise DocumentFaultError(
                IllegalArgument(f"object field cannot contain only whitespace: ['{key}']")
            )
    return parts
