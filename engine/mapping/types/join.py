"""Documents that belong together: which relation one has, and to which parent it belongs.

A join ``f`` has a column with the name of the relation, and for each relation that is a parent one named
``f#parent``: in a parent it holds the document's own id, in a child that of its parent. So a parent and its
children share a term, by which queries join them. Source: ParentJoinFieldMapper of OpenSearch.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lanner.engine.common.body import java_class, java_text, token_name
from lanner.engine.common.errors import (
    IllegalArgument,
    IllegalStateError,
    LannerError,
    MapperParsingError,
    ParseError,
    UnsupportedOperation,
)
from lanner.engine.common.java_hash import map_order
from lanner.engine.mapping.document_faults import DocumentFaultError
from lanner.engine.mapping.field_type import (
    MAX_TERM_BYTES,
    BuildContext,
    FieldType,
    Handler,
    Values,
    immense_term,
)
from lanner.engine.mapping.tree import read_flag
from lanner.engine.mapping.types.keyword import TermFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import any_case_query
from lanner.ext.index.schema import DOCS, TERM, Field

Relations = dict[str, tuple[str, ...]]  # the children of each parent


class _JoinColumn(TermFieldType):
    """Terms with postings and doc values, whatever a mapping says."""

    parameters = ()

    def get(self, name: str) -> Any:
        """Return a parameter."""
        return True if name in ("index", "doc_values") else self.given.get(name)

    def handler(self) -> Handler:
        """Refuse to be set by documents: the join does that."""
        raise NotImplementedError

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text as it stands."""
        return java_text(value)

    def term_query_any_case(self, value: Any) -> Query:
        """Return the documents with a term in any case."""
        return any_case_query(self.name, java_text(value))

    def sort_value(self, encoded: bytes) -> Any:
        """Return the term as text."""
        return encoded.decode("utf-8", "replace")

    def sort_missing(self, value: Any) -> bytes:
        """Read a replacement for missing values."""
        return self.encode_query(value)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return the column."""
        return Field(self.name, build.number(self.name), TERM, postings=DOCS, doc_values=True)


class ParentIdFieldType(_JoinColumn):
    """The id by which the parents of a relation and their children find each other."""

    type_name = "parent"

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Refuse: the source has no such value."""
        raise UnsupportedOperation(f"Cannot fetch values for internal field [{self.type_name}].")


class ParentJoinFieldType(FieldType):
    """What an index with a join has once; it holds nothing."""

    type_name = "parent_join"
    parameters = ()

    def make_field(self, build: BuildContext) -> Field | None:
        """Return no column."""
        return None

    def get(self, name: str) -> Any:
        """Return a parameter: there is neither an index nor doc values."""
        return False if name in ("index", "doc_values") else None

    def handler(self) -> Handler:
        """Refuse to be part of a document."""
        raise NotImplementedError

    def exists_query(self) -> Query:
        """Refuse."""
        raise UnsupportedOperation(f"Exists query not supported for fields of type{self.type_name}")

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise IllegalArgument(f"Cannot search on field [{self.name}] since it is not indexed.")

    def terms_query(self, values: list[Any]) -> Query:
        """Refuse."""
        return self.term_query(values)

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Refuse: no document has a value."""
        raise UnsupportedOperation(f"Cannot fetch values for metadata field [{self.type_name}].")


class JoinFieldType(_JoinColumn):
    """The relation of a document. parents: the column of each relation that is a parent."""

    type_name = "join"
    stands_alone = True
    settles = True

    def __init__(self, name: str, given: Mapping[str, Any], build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.relations: Relations = given["relations"]
        self.parents = {parent: ParentIdFieldType(f"{name}#{parent}", {}, build) for parent in self.relations}
        #: the parent of each relation that is a child
        self.children = {child: parent for parent, children in self.relations.items() for child in children}
        self.parts = (ParentJoinFieldType("_parent_join", {}, build), *self.parents.values())

    # -- declaration

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Return whether ordinals are made early, and the relations."""
        values: dict[str, Any] = {"eager_global_ordinals": True, "relations": {}}
        unknown = []
        for key, value in given.items():
            if key == "eager_global_ordinals":
                values[key] = read_flag(key, value)
            elif key == "relations":
                values[key] = _read_relations(value)
            else:
                unknown.append(f"[{key} : {java_text(value)}]")
        if unknown:
            raise MapperParsingError(
                f"Mapping definition for [{name}] has unsupported parameters:  {' '.join(unknown)}"
            )
        known: set[str] = set()
        faults = []
        for children in values["relations"].values():
            faults += [f"[{child}] cannot have multiple parents" for child in children if child in known]
            known.update(children)
        if faults:
            raise IllegalArgument(f"invalid definition for join field [{name}]:\n[{', '.join(faults)}]")
        return values

    @classmethod
    def render(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all there is; an only child stands alone."""
        return {
            "eager_global_ordinals": given["eager_global_ordinals"],
            "relations": {
                parent: children[0] if len(children) == 1 else list(children)
                for parent, children in given["relations"].items()
            },
        }

    @classmethod
    def merge(cls, path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
        """Return the new relations: none may be lost, nor change from parent to child or back."""
        before: Relations = old["relations"]
        after: Relations = new["relations"]
        known = {child for children in before.values() for child in children}
        faults = [
            f"cannot remove parent [{parent}] in join field [{path}]"
            for parent in before
            if parent not in after
        ]
        for parent, children in after.items():
            if parent in before:
                faults += [
                    f"cannot remove child [{child}] in join field [{path}]"
                    for child in before[parent]
                    if child not in children
                ]
                continue
            if parent in known:
                faults.append(f"cannot create parent [{parent}] from an existing child")
            faults += [
                f"cannot create child [{child}] from an existing parent"
                for child in children
                if child in before
            ]
        if faults:
            raise IllegalArgument(
                f"Mapper for [{path}] conflicts with existing mapping:\n[{', '.join(faults)}]"
            )
        return dict(new)

    def render_parts(self) -> Iterable[tuple[str, dict[str, Any]]]:
        """Return all parts."""
        for part in self.parts:
            column = {} if part.indexed else {"index": False, "doc_values": False}
            yield part.name, {"type": part.type_name, **column}

    def check_place(self, settings: Mapping[str, str]) -> None:
        """Refuse to be inside an object, and an index that spreads what has one routing value over shards."""
        if "." in self.name:
            raise IllegalArgument(
                f"join field [{self.name}] cannot be added inside an object or in a multi-field"
            )
        if int(settings.get("index.routing_partition_size") or 1) > 1:
            index = settings.get("index.provided_name") or "null"
            raise IllegalStateError(
                f"cannot create join field [{self.name}] for the partitioned index [{index}]"
            )

    # -- documents

    def handler(self) -> Handler:
        """Take the name of a relation, or an object of it and a parent."""
        field, children, parents = self.field, self.children, self.parents
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            parent = None
            if type(value) is str:
                name = value
            elif type(value) is dict:
                name, parent = self._parts_of(value)
            else:
                reason = f"[null] expected START_OBJECT or VALUE_STRING but was: {token_name(value)}"
                raise _fault(IllegalStateError(reason))
            above = children.get(name)
            if above is not None:
                if parent is None:
                    raise _fault(IllegalArgument(f"[parent] is missing for join field [{self.name}]"))
                column = parents[above]
                term = parent.encode("utf-8", "replace")
                if len(term) > MAX_TERM_BYTES:
                    raise immense_term(column.name, term)
                assert column.field is not None
                out.append((column.field, term))
            elif name not in parents:
                raise _fault(IllegalArgument(f"unknown join name [{name}] for field [{self.name}]"))
            out.append((field, name.encode("utf-8", "replace")))

        return handle

    def _parts_of(self, value: dict[str, Any]) -> tuple[str, str | None]:
        """Return the name of the relation and the parent that an object gives."""
        found: dict[str, str] = {}
        pending = [(key, one) for key, one in reversed(value.items())]
        while pending:
            key, one = pending.pop()
            if isinstance(one, list):
                pending += [(key, item) for item in reversed(one)]
            elif isinstance(one, dict):
                pending += reversed(one.items())
            elif isinstance(one, str) and key in ("name", "parent"):
                found[key] = one
            elif isinstance(one, int | float) and not isinstance(one, bool) and key == "parent":
                found[key] = java_text(one)
            elif one is not None and not isinstance(one, bool):
                raise _fault(IllegalArgument(f"unknown field name [{key}] in join field [{self.name}]"))
        if "name" not in found:
            raise _fault(IllegalArgument(f"[name] is missing for join field [{self.name}]"))
        return found["name"], found.get("parent")

    def settle(self, values: Values, id: str, routing: str | None) -> None:  # noqa: A002
        """Add the id of a parent; refuse a child without a routing value, and a second value."""
        names = [value.decode() for field, value in values if field is self.field]
        if not names:
            return
        columns: list[str] = []
        for name in names:
            above = self.children.get(name)
            if above is not None:
                if routing is None:
                    raise _fault(IllegalArgument(f"[routing] is missing for join field [{self.name}]"))
                columns.append(self.parents[above].name)
            own = self.parents.get(name)
            if own is not None:
                assert own.field is not None
                columns.append(own.name)
                values.append((own.field, id.encode()))
            columns.append(self.name)
        for i, column in enumerate(columns):
            if column in columns[:i]:
                raise IllegalArgument(
                    f'DocValuesField "{column}" appears more than once in this document (only one value is '
                    "allowed per field)"
                )

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]] | None:
        """Show values as they are."""
        if pattern is not None:
            raise IllegalArgument(f"Field [{self.name}] of type [{self.type_name}] doesn't support formats.")
        return lambda value: [value]


def _fault(cause: LannerError) -> DocumentFaultError:
    return DocumentFaultError(cause)


def _read_relations(value: Any) -> Relations:
    if not isinstance(value, dict):
        found = "null" if value is None else f"of type: class {java_class(value)}"
        raise ParseError(f"relations should be a hash but was {found}")
    return {parent: _read_children(value[parent]) for parent in map_order(value)}


def _read_children(value: Any) -> tuple[str, ...]:
    if value is None:
        raise ParseError("relations should name the children of each parent, but found [null]")
    given = value if isinstance(value, list) else [value]
    return tuple(map_order(dict.fromkeys(map(java_text, given))))
