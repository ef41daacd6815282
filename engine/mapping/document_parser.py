"""JSON to columns: the hot path of indexing.

A mapping is compiled once into tables of handlers, one table per object, keyed by the names that may stand
there (also names with dots that reach deeper). Of the same tables a plan is made, which takes plain documents
from their text straight to columns (`ext/index/document_plan.pyx`). Where it gives up, parsing is one walk
over the decoded document, which defines what is right; whatever is unusual (an unmapped field, a number whose
spelling counts) leaves this walk by an exception and is done the long way.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from lanner.engine.common.body import locate
from lanner.engine.common.errors import (
    IllegalArgument,
    JsonParseError,
    MapperParsingError,
    NotXContent,
    from_json_fault,
)
from lanner.engine.mapping.document_faults import (
    DocumentFaultError,
    ReservedNameError,
    decode,
    decode_spelled,
    not_an_object,
    object_fault,
    value_fault,
)
from lanner.engine.mapping.field_type import (
    FieldType,
    Handler,
    MetadataFields,
    SpellingNeededError,
    ValueFaultError,
    Values,
    each,
)
from lanner.engine.mapping.metadata import METADATA_NAMES
from lanner.engine.mapping.root import RootNode
from lanner.engine.mapping.tree import FieldNode, Node, ObjectNode, walk
from lanner.ext.index.document_plan import HANDLED, DocumentPlan, Leaf
from lanner.ext.index.document_plan import Table as PlanTable
from lanner.ext.index.field_values import FieldValues, RowValues
from lanner.ext.json.scan import JsonFault, check_json

T = TypeVar("T")
Table: TypeAlias = dict[str, Handler]
RESERVED_NAMES = METADATA_NAMES | {"_feature", "_data_stream_timestamp"}  # which no document may hold


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


def _whole_lists(handler: Handler) -> Handler:
    """Return a handler that arrays are given to as they are."""

    def handle(value: Any, out: Values) -> None:
        handler(value, out)

    handle.takes_lists = True  # type: ignore[attr-defined]
    return handle


class DocumentParser:
    """The compiled form of a mapping. It holds no state of a document, so any thread may use it."""

    def __init__(
        self,
        root: RootNode,
        fields: Mapping[str, FieldType],
        metadata: MetadataFields,
        *,
        most_nested: int = 10_000,
    ) -> None:
        """most_nested: how many nested objects a document may have."""
        self.metadata = metadata
        self.nested_nodes = {
            node.path: node
            for node in walk(root.children)
            if isinstance(node, ObjectNode) and node.nested is not None
        }
        self._most_nested = most_nested
        self.leaves: dict[str, Handler] = {}
        self._fields = fields
        self._may_ignore = any(field.get("ignore_malformed") for field in fields.values())
        self._settling = [field.settle for field in fields.values() if field.settles]
        self._compile_leaves(root.children)
        self.table: Table = {}
        self._timestamp = root.timestamp_field
        self._walk: Callable[[dict[str, Any], Values], None]
        self._short: Callable[[bytes], FieldValues | None] = _never
        if root.enabled:
            self.table = self._table(root.children, root.dynamic or "true")
            self._walk = self._walker(self.table, root.dynamic or "true", top=True)
            if root.timestamp_field is None:  # a plan does not count its values
                self._short = self._make_plan(root).walk
        else:
            self._walk = _skip
        #: the columns of a plain document without a routing value; None: `parse` must tell
        self.plain_values = _never if self._settling else self._short

    # -- compiling

    def _compile_leaves(self, children: Mapping[str, Node], nested: str | None = None) -> None:
        for node in children.values():
            if isinstance(node, ObjectNode):
                self._compile_leaves(node.children, nested if node.nested is None else node.path)
            else:
                self.leaves[node.path] = self._leaf(node, nested)

    def _leaf(self, node: FieldNode, nested: str | None) -> Handler:
        """Return the handler of a field with its multi-fields and copies. nested: the path it lies under."""
        field = self._fields[node.path]
        own = [field.handler()]
        if field.takes_lists:
            return _whole_lists(self._with_parts(field, node, own[0], nested))
        own += [self._leaf(sub, nested) for sub in node.fields.values()]
        if len(own) == 1 and not node.copy_to:
            return own[0]
        leaves, targets = self.leaves, node.copy_to
        if targets and nested is not None:
            return self._nested_copies(own, targets)
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

    def _with_parts(self, field: FieldType, node: FieldNode, own: Handler, nested: str | None) -> Handler:
        """Return the handler of a field that takes arrays, with those of its multi-fields for the parts."""
        below = [(self._fields[sub.path], self._leaf(sub, nested)) for sub in node.fields.values()]
        if not below:
            return own

        def handle(value: Any, out: Values) -> None:
            own(value, out)
            for sub, handler in below:
                for part in field.values_below(value, sub):
                    handler(part, out)

        return handle

    def _nested_copies(self, own: list[Handler], targets: tuple[str, ...]) -> Handler:
        """Return a handler whose copies go to the rows of their targets: this one or one around it."""
        leaves = self.leaves
        scopes = [self.nested_scope(target) for target in targets]

        def fan_out(value: Any, out: Values) -> None:
            for handler in own:
                handler(value, out)
            if value is not None:
                for target, scope in zip(targets, scopes, strict=True):
                    copy = leaves.get(target)
                    if copy is None:
                        raise UnmappedError
                    row: Any = out
                    while row.path != scope:
                        row = row.parent
                    copy(value, row)

        return fan_out

    def nested_scope(self, name: str) -> bytes | None:
        """Return the nested object that a field lies under, if there is one."""
        around = [path for path in self.nested_nodes if name.startswith(f"{path}.")]
        return max(around, key=len).encode() if around else None

    def _make_plan(self, root: RootNode) -> DocumentPlan:
        """Compile the short way; it must take no value that the handlers of `table` would take otherwise."""
        dynamic = root.dynamic or "true"
        entries = dict.fromkeys(METADATA_NAMES, False) | self._plan_entries(root.children, dynamic)
        return DocumentPlan(_plan_table(entries, dynamic), self.metadata.ignored, self._most_nested)

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
            if node.nested is not None:
                entries[name] = _plan_table(below, mode, node)
                continue
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
            if node.nested is not None:
                walker = self._walker(below, mode, top=False)
                table[name] = self._object(node, self._nested_walker(node, walker))
                continue
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

    def _nested_walker(
        self, node: ObjectNode, walker: Callable[[dict[str, Any], Values], None]
    ) -> Callable[[dict[str, Any], Values], None]:
        """Return what makes a row of its own of an object."""

        def walk(value: dict[str, Any], out: Values) -> None:
            row = self.begin_row(node, out)
            walker(value, row)
            end_row(node, row)

        return walk

    def begin_row(self, node: ObjectNode, out: Values) -> RowValues:
        """Return the values of a nested object that are to be filled."""
        assert isinstance(out, RowValues)
        if len(out.block) >= self._most_nested:
            raise MapperParsingError(
                "The number of nested documents has exceeded the allowed limit of "
                f"[{self._most_nested}]. This limit can be set by changing the "
                "[index.mapping.nested_objects.limit] index level setting."
            )
        return RowValues(node.path.encode(), out)

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
        plain = self._short(source)
        if plain is not None:
            try:
                self.settle(plain, id, routing)
            except Exception as error:
                raise self._explain(error, source, id, None) from None
            self._add_routing(plain, routing)
            return ParsedDocument(plain, None, [])
        values = self.new_values()
        document: Any = None
        try:
            check_json(source)
            document = decode(source)
            if type(document) is not dict:
                raise not_an_object()
            try:
                self._walk(document, values)
            except SpellingNeededError:
                values = self.new_values()
                document = decode_spelled(source)
                self._walk(document, values)
            if self._timestamp is not None:
                check_timestamp(document, self._timestamp)
            self.settle(values, id, routing)
        except UnmappedError:
            return None
        except Exception as error:
            raise self._explain(error, source, id, document) from None
        return self.finish(values, routing)

    def settle(self, values: Values | FieldValues, id: str, routing: str | None) -> None:  # noqa: A002
        """Complete what values leave open until all of them are there."""
        if self._settling:
            for row in rows_of(values):
                for settle in self._settling:
                    settle(row, id, routing)

    def new_values(self) -> Values:
        """Return an empty list for the columns of a document."""
        return RowValues() if self.nested_nodes else []

    def finish(self, values: Values, routing: str | None) -> ParsedDocument:
        """Add the metadata columns."""
        ignored: list[str] = []
        if self._may_ignore:
            column = self.metadata.ignored
            rows = rows_of(values)
            ignored = sorted({value.decode() for row in rows for field, value in row if field is column})
            if ignored:
                for row in rows[1:]:  # of nested objects the document tells
                    values += [pair for pair in row if pair[0] is column]
                    row[:] = [pair for pair in row if pair[0] is not column]
                values.append((self.metadata.field_names, b"_ignored"))
        self._add_routing(values, routing)
        return ParsedDocument(values, None, ignored)

    def _add_routing(self, values: Values | FieldValues, routing: str | None) -> None:
        if routing is not None:
            values.append((self.metadata.routing, routing.encode("utf-8", "replace")))
            values.append((self.metadata.field_names, b"_routing"))

    def guard(self, source: bytes, id: str, work: Callable[[dict[str, Any]], T]) -> T:  # noqa: A002
        """Run work on the document decoded with spellings; faults come out as the API words them."""
        document: Any = None
        try:
            document = decode_spelled(source)
            return work(document)
        except Exception as error:
            raise self._explain(error, source, id, document) from None

    def _explain(self, error: Exception, source: bytes, id: str, document: Any) -> Exception:  # noqa: A002
        """Return the error of the API for whatever went wrong. document: as far as it was decoded."""
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
            return MapperParsingError("failed to parse", caused_by=locate(error.cause, document, source))
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


def rows_of(values: Values | FieldValues) -> list[Any]:
    """Return the values of a document, and of the nested objects in it."""
    return [values, *(values.block or ())] if isinstance(values, RowValues | FieldValues) else [values]


def end_row(node: ObjectNode, row: RowValues) -> None:
    """Put a filled nested object into the block, and its values where they are included."""
    row.block.append(row)
    around, document = row.parent, row.document
    assert node.nested is not None
    assert around is not None
    if node.nested.in_parent:
        around += row
    if node.nested.in_root and not (node.nested.in_parent and around is document):
        document += row


def _plan_table(entries: dict[str, Any], dynamic: str, node: ObjectNode | None = None) -> PlanTable:
    """Return the names of one object as the plan takes them: a name without a character is always a fault.

    node: of a nested object.
    """
    names = {"": False} | entries
    lenient, strict = dynamic == "false", dynamic == "strict"
    if node is None or node.nested is None:
        return PlanTable(names, lenient=lenient, strict=strict)
    return PlanTable(
        names,
        lenient=lenient,
        strict=strict,
        nested=node.path.encode(),
        in_parent=node.nested.in_parent,
        in_document=node.nested.in_root,
    )


def _never(source: bytes) -> None:
    """Take no document."""


def _skip(value: Any, out: Values) -> None:
    """Take anything and keep nothing."""


def check_timestamp(document: dict[str, Any], name: str) -> None:
    """Refuse a document that does not have one value of a field; raises IllegalArgument."""
    found: list[Any] = [document]
    for part in name.split("."):
        found = [value.get(part) for value in found if isinstance(value, dict)]
    values = [one for value in found for one in (value if isinstance(value, list) else [value])]
    if len(values) != 1 or values[0] is None:
        reason = f"documents must contain a single-valued timestamp field '{name}' of date type"
        raise MapperParsingError("failed to parse", caused_by=IllegalArgument(reason))
