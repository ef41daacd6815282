"""JSON to columns: the hot path of indexing.

A mapping is compiled once into tables of handlers, one table per object, keyed by the names that may stand
there (also names with dots that reach deeper). Of the same tables a plan is made, which takes plain documents
from their text straight to columns (`ext/index/document_plan.pyx`). Where it gives up, parsing is one walk
over the decoded document, which defines what is right; whatever is unusual (an unmapped field, a number whose
spelling counts) leaves this walk by an exception and is done the long way.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from lanner.engine.common.body import Anchor, SpelledFloat, find, java_text, scalar_text
from lanner.engine.common.errors import (
    IllegalArgument,
    JsonParseError,
    LannerError,
    MapperParsingError,
    NotXContent,
    from_json_fault,
)
from lanner.engine.mapping.field_type import (
    FieldType,
    Handler,
    MetadataFields,
    SpellingNeededError,
    ValueFaultError,
    Values,
)
from lanner.engine.mapping.metadata import METADATA_NAMES
from lanner.engine.mapping.root import RootNode
from lanner.engine.mapping.tree import FieldNode, Node, ObjectNode
from lanner.ext.index.document_plan import HANDLED, DocumentPlan, Leaf
from lanner.ext.index.document_plan import Table as PlanTable
from lanner.ext.index.field_values import FieldValues
from lanner.ext.json.scan import JsonFault, check_json

T = TypeVar("T")
Table: TypeAlias = dict[str, Handler]
RESERVED_NAMES = METADATA_NAMES | {"_feature", "_data_stream_timestamp"}  # which no document may hold

_decode = msgspec.json.Decoder().decode
_decode_spelled = msgspec.json.Decoder(float_hook=SpelledFloat).decode
_HALVES = re.compile(rb"\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)")


def decode(source: bytes) -> Any:
    """Return the decoded document.

    What JSON allows but the fast reader does not goes the long way: halves of surrogate pairs, which become
    question marks, and numbers beyond a double, which become infinite.
    """
    try:
        return _decode(source)
    except msgspec.DecodeError:
        return json.loads(_HALVES.sub(_whole, source))


def decode_spelled(source: bytes) -> Any:
    """Return the decoded document, its floating-point numbers with their spelling."""
    try:
        return _decode_spelled(source)
    except msgspec.DecodeError:
        return json.loads(_HALVES.sub(_whole, source), parse_float=SpelledFloat)


def _whole(match: re.Match[bytes]) -> bytes:
    return b"?" if match.group("half") is not None else match.group()


class UnmappedError(Exception):
    """The document has a field that the mapping does not know and that may have to be added."""


class ParsedDocument(NamedTuple):
    """What a document became.

    values: (column, value) pairs. update: mapping additions that are needed first, then values is empty.
    ignored: the fields whose values were malformed.
    """

    values: Values | FieldValues
    update: dict[str, Any] | None
    ignored: list[str]


def concrete(value: Any) -> bool:
    """Return whether a value would bring an unmapped field into being: nulls and empty arrays do not."""
    if type(value) is not list:
        return value is not None
    pending = [value]
    while pending:
        for item in pending.pop():
            if type(item) is list:
                pending.append(item)
            elif item is not None:
                return True
    return False


def each(values: list[Any], handle: Callable[[Any], None]) -> None:
    """Call a function for every element of an array, arrays within arrays included, in order."""
    pending = [iter(values)]
    while pending:
        for item in pending[-1]:
            if type(item) is list:
                pending.append(iter(item))
                break
            handle(item)
        else:
            pending.pop()


def object_fault(path: str, field: str | None) -> MapperParsingError:
    """Make the error for a value where an object belongs."""
    return MapperParsingError(
        f"object mapping for [{path}] tried to parse field [{field or 'null'}] as object, but found "
        "a concrete value"
    )


def _whole_lists(handler: Handler) -> Handler:
    """Return a handler that arrays are given to as they are."""

    def handle(value: Any, out: Values) -> None:
        handler(value, out)

    handle.takes_lists = True  # type: ignore[attr-defined]
    return handle


class DocumentParser:
    """The compiled form of a mapping. It holds no state of a document, so any thread may use it."""

    def __init__(self, root: RootNode, fields: Mapping[str, FieldType], metadata: MetadataFields) -> None:
        self.metadata = metadata
        self.leaves: dict[str, Handler] = {}
        self._fields = fields
        self._may_ignore = any(field.get("ignore_malformed") for field in fields.values())
        self._settling = [field.settle for field in fields.values() if field.settles]
        self._compile_leaves(root.children)
        self.table: Table = {}
        self._timestamp = root.timestamp_field
        self._walk: Callable[[dict[str, Any], Values], None]
        #: the columns of a plain document without a routing value; None: `parse` must tell
        self.plain_values: Callable[[bytes], FieldValues | None]
        if root.enabled:
            self.table = self._table(root.children, root.dynamic or "true")
            self._walk = self._walker(self.table, root.dynamic or "true", top=True)
            # a plan does not count the values of a timestamp
            self.plain_values = self._make_plan(root).walk if root.timestamp_field is None else _never
        else:
            self._walk = _skip
            self.plain_values = _never

    # -- compiling

    def _compile_leaves(self, children: Mapping[str, Node]) -> None:
        for node in children.values():
            if isinstance(node, ObjectNode):
                self._compile_leaves(node.children)
            else:
                self.leaves[node.path] = self._leaf(node)

    def _leaf(self, node: FieldNode) -> Handler:
        """Return the handler of a field with its multi-fields and copies."""
        field = self._fields[node.path]
        own = [field.handler()]
        if field.takes_lists:
            return _whole_lists(self._with_parts(field, node, own[0]))
        own += [self._leaf(sub) for sub in node.fields.values()]
        if len(own) == 1 and not node.copy_to:
            return own[0]
        leaves, targets = self.leaves, node.copy_to
        if not targets and len(own) == 2:
            first, second = own

            def both(value: Any, out: Values) -> None:
                first(value, out)
                second(value, out)

            return both

        def fan_out(value: Any, out: Values) -> None:
            for handler in own:
                handler(value, out)
            if value is not None:
                for target in targets:
                    copy = leaves.get(target)
                    if copy is None:
                        raise UnmappedError
                    copy(value, out)

        return fan_out

    def _with_parts(self, field: FieldType, node: FieldNode, own: Handler) -> Handler:
        """Return the handler of a field that takes arrays, with those of its multi-fields for the parts."""
        below = [self._leaf(sub) for sub in node.fields.values()]
        if not below:
            return own

        def handle(value: Any, out: Values) -> None:
            own(value, out)
            for part in field.values_below(value):
                for handler in below:
                    handler(part, out)

        return handle

    def _make_plan(self, root: RootNode) -> DocumentPlan:
        """Compile the short way; it must take no value that the handlers of `table` would take otherwise."""
        dynamic = root.dynamic or "true"
        entries = dict.fromkeys(METADATA_NAMES, False) | self._plan_entries(root.children, dynamic)
        return DocumentPlan(_plan_table(entries, dynamic), self.metadata.ignored)

    def _plan_entries(self, children: Mapping[str, Node], dynamic: str) -> dict[str, Any]:
        """Return what `_table` returns, as the plan takes it."""
        entries: dict[str, Any] = {}
        for name, node in children.items():
            if isinstance(node, FieldNode):
                whole = self._fields[node.path].takes_lists
                entries[name] = False if whole else self._plan_leaves(node)
                continue
            if not node.enabled:
                entries[name] = None
                continue
            mode = node.dynamic or dynamic
            below = self._plan_entries(node.children, mode)
            entries[name] = _plan_table(below, mode)
            for key, entry in below.items():
                entries[f"{name}.{key}"] = entry
        return entries

    def _plan_leaves(self, node: FieldNode) -> list[Leaf]:
        """Return the leaves of a field and its multi-fields; copies are made by the handler."""
        if node.copy_to:
            return [Leaf(None, HANDLED, self.leaves[node.path])]
        leaves = [self._fields[node.path].leaf()]
        for sub in node.fields.values():
            leaves += self._plan_leaves(sub)
        return leaves

    def _table(self, children: Mapping[str, Node], dynamic: str) -> Table:
        table: Table = {}
        for name, node in children.items():
            if isinstance(node, FieldNode):
                table[name] = self.leaves[node.path]
                continue
            mode = node.dynamic or dynamic
            if not node.enabled:
                table[name] = _skip
                continue
            below = self._table(node.children, mode)
            table[name] = self._object(node, self._walker(below, mode, top=False))
            for key, handler in below.items():
                table[f"{name}.{key}"] = handler
        return table

    def _object(self, node: ObjectNode, walker: Callable[[dict[str, Any], Values], None]) -> Handler:
        path, name = node.path, node.name

        def handle(value: Any, out: Values) -> None:
            if type(value) is dict:
                walker(value, out)
            elif value is not None:
                raise object_fault(path, name)

        handle.in_array = lambda value, out: self._element(path, walker, value, out)  # type: ignore[attr-defined]
        return handle

    @staticmethod
    def _element(
        path: str, walker: Callable[[dict[str, Any], Values], None], value: Any, out: Values
    ) -> None:
        if type(value) is dict:
            walker(value, out)
        elif value is not None:
            raise object_fault(path, None)

    def _walker(self, table: Table, dynamic: str, *, top: bool) -> Callable[[dict[str, Any], Values], None]:
        get = table.get
        strict, lenient = dynamic == "strict", dynamic == "false"
        reserved = RESERVED_NAMES if top else frozenset()

        def walk(source: dict[str, Any], out: Values) -> None:
            for key, value in source.items():
                handler = get(key)
                if handler is not None:
                    if type(value) is list and not getattr(handler, "takes_lists", False):
                        element = getattr(handler, "in_array", handler)
                        each(value, lambda item, element=element: element(item, out))  # type: ignore[misc]
                    else:
                        handler(value, out)
                elif strict or key in reserved or not key or (not lenient and concrete(value)):
                    raise UnmappedError

        return walk

    # -- parsing

    def parse(self, source: bytes, *, id: str, routing: str | None) -> ParsedDocument | None:  # noqa: A002
        """Return the document's columns, or None if it has fields that the mapping does not know."""
        plain = self.plain_values(source)
        if plain is not None:
            self._add_routing(plain, routing)
            return ParsedDocument(plain, None, [])
        values: Values = []
        try:
            check_json(source)
            document = decode(source)
            if type(document) is not dict:
                raise not_an_object()
            try:
                self._walk(document, values)
            except SpellingNeededError:
                values = []
                self._walk(decode_spelled(source), values)
            if self._timestamp is not None:
                check_timestamp(document, self._timestamp)
        except UnmappedError:
            return None
        except Exception as error:
            raise self._explain(error, source, id) from None
        return self.finish(values, routing)

    def finish(self, values: Values, routing: str | None) -> ParsedDocument:
        """Add the metadata columns."""
        for settle in self._settling:
            settle(values)
        ignored: list[str] = []
        if self._may_ignore:
            column = self.metadata.ignored
            ignored = sorted({value.decode() for field, value in values if field is column})
            if ignored:
                values.append((self.metadata.field_names, b"_ignored"))
        self._add_routing(values, routing)
        return ParsedDocument(values, None, ignored)

    def _add_routing(self, values: Values | FieldValues, routing: str | None) -> None:
        if routing is not None:
            values.append((self.metadata.routing, routing.encode("utf-8", "replace")))
            values.append((self.metadata.field_names, b"_routing"))

    def guard(self, source: bytes, id: str, work: Callable[[dict[str, Any]], T]) -> T:  # noqa: A002
        """Run work on the document decoded with spellings; faults come out as the API words them."""
        try:
            return work(decode_spelled(source))
        except Exception as error:
            raise self._explain(error, source, id) from None

    def _explain(self, error: Exception, source: bytes, id: str) -> Exception:  # noqa: A002
        """Return the error of the API for whatever went wrong."""
        if isinstance(error, ValueFaultError):
            return value_fault(error, source, id)
        if isinstance(error, MapperParsingError):
            return error
        if isinstance(error, JsonFault):
            cause = from_json_fault(error)
            first = source.lstrip()[:1]
            if first != b"{":
                cause = not_an_object()
            return MapperParsingError("failed to parse", caused_by=cause)
        if isinstance(error, DocumentFaultError):
            return MapperParsingError("failed to parse", caused_by=error.cause)
        if isinstance(error, ReservedNameError):
            return error.explain(id)
        if isinstance(error, NotXContent):
            return MapperParsingError("failed to parse", caused_by=error)
        if isinstance(error, msgspec.DecodeError | ValueError):
            return MapperParsingError("failed to parse", caused_by=JsonParseError(str(error)))
        if isinstance(error, RecursionError):
            return MapperParsingError(
                "failed to parse",
                caused_by=IllegalArgument("Document is nested deeper than this version allows"),
            )
        return error


class DocumentFaultError(Exception):
    """A fault of the document as a whole; the answer wraps it in ``failed to parse``."""

    def __init__(self, cause: LannerError) -> None:
        super().__init__(cause.reason)
        self.cause = cause


class ReservedNameError(Exception):
    """A field of the document that has the name of a metadata field."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name)
        self.name = name
        self.value = value

    def explain(self, id: str) -> MapperParsingError:  # noqa: A002
        """Return the error of the API."""
        return MapperParsingError(
            f"failed to parse field [{self.name}] of type [{self.name}] in document with id '{id}'. "
            f"Preview of field's value: '{preview_of(self.value)}'",
            caused_by=MapperParsingError(
                f"Field [{self.name}] is a metadata field and cannot be added inside a document. "
                "Use the index API request parameters."
            ),
        )


def _plan_table(entries: dict[str, Any], dynamic: str) -> PlanTable:
    """Return the names of one object as the plan takes them: a name without a character is always a fault."""
    return PlanTable({"": False} | entries, lenient=dynamic == "false", strict=dynamic == "strict")


def _never(source: bytes) -> None:
    """Take no document."""


def _skip(value: Any, out: Values) -> None:
    """Take anything and keep nothing."""


def not_an_object() -> NotXContent:
    """Make the error for a document that is no JSON object."""
    return NotXContent(
        "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes"
    )


def value_fault(error: ValueFaultError, source: bytes, id: str) -> MapperParsingError:  # noqa: A002
    """Return the error for a value that its field refused: which field, which document, which place."""
    cause = error.cause
    if "{line}" in cause.reason:
        line, column, spelling = _place(error, source)
        for name, text in (("{line}", str(line)), ("{column}", str(column)), ("{spelling}", spelling)):
            cause.reason = cause.reason.replace(name, text)
    preview = preview_of(error.value)
    shown = (
        "Could not parse field value preview,"
        if preview is None
        else f"Preview of field's value: '{preview}'"
    )
    return MapperParsingError(
        f"failed to parse field [{error.field.name}] of type [{error.field.type_name}] "
        f"in document with id '{id}'. {shown}",
        caused_by=cause,
    )


def preview_of(value: Any) -> str | None:
    """Return a value as the error shows it, or None if it cannot be shown."""
    try:
        return java_text(value)
    except RecursionError:
        return None


def _place(error: ValueFaultError, source: bytes) -> tuple[int, int, str]:
    """Find the value by the name of its field: the first one of that name that looks the same.

    Returns line, column and the text of the value.
    """
    document = decode_spelled(source)
    names = error.field.name.split(".")
    # a multi-field stands where its parent stands
    for n in range(len(names), 0, -1):
        anchor = _search(document, names[:n], error)
        if anchor is not None:
            line, column = find(anchor, document, source) or (1, 1)
            value = anchor.container[anchor.key]
            return line, column, "" if isinstance(value, dict) else scalar_text(value)
    return 1, 1, java_text(error.value)


def _search(document: Any, names: list[str], error: ValueFaultError) -> Anchor | None:
    pending: list[tuple[Any, Any, list[str]]] = [(None, None, names)]
    while pending:
        container, key, rest = pending.pop(0)
        value = document if container is None else container[key]
        if isinstance(value, list):
            pending[:0] = [(value, i, rest) for i in range(len(value))]
        elif not rest:
            if (
                type(value) is type(error.value)
                and value == error.value
                or (isinstance(value, float) and isinstance(error.value, float) and value == error.value)
            ):
                return Anchor(container, key, error.end)
        elif isinstance(value, dict):
            for n in range(1, len(rest) + 1):
                name = ".".join(rest[:n])
                if name in value:
                    pending.append((value, name, rest[n:]))
    return None


def check_timestamp(document: dict[str, Any], name: str) -> None:
    """Refuse a document that does not have one value of a field; raises IllegalArgument."""
    found: list[Any] = [document]
    for part in name.split("."):
        found = [value.get(part) for value in found if isinstance(value, dict)]
    values = [one for value in found for one in (value if isinstance(value, list) else [value])]
    if len(values) != 1 or values[0] is None:
        reason = f"documents must contain a single-valued timestamp field '{name}' of date type"
        raise MapperParsingError("failed to parse", caused_by=IllegalArgument(reason))
