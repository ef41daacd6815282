"""Objects whose fields are not mapped: all their values as terms, alone and behind their paths.

An object ``f`` has three columns. ``f`` holds the names in its paths, ``f._value`` its values, and
``f._valueAndPath`` the values with their paths before them, as in ``f.a.b=value``. A query for ``f`` looks at
the second, one for ``f.a.b`` at the third.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lanner.engine.common.body import java_text, token_name
from lanner.engine.common.errors import IllegalArgument, MapperParsingError, ParsingError
from lanner.engine.mapping.field_type import (
    MAX_TERM_BYTES,
    Bounds,
    BuildContext,
    FieldType,
    Handler,
    Values,
    immense_term,
)
from lanner.engine.mapping.types.keyword import KeywordFieldType, text_of
from lanner.engine.query.base import Query
from lanner.engine.query.multi_term import any_case_query
from lanner.engine.query.range import TermRangeQuery
from lanner.engine.query.term import TermQuery
from lanner.ext.index.schema import DOCS, TERM, Field

_NO_COLUMN = {"index": False, "doc_values": False}


class FlatObjectFieldType(FieldType):
    """The object as documents give it. Requests see what `queried` and `inside` return."""

    type_name = "flat_object"
    parameters = ()

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.values = self._column("_value", build)
        self.paths = self._column("_valueAndPath", build)
        self._build = build

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse every parameter in this type's own words."""
        if given:
            unknown = [f"[{key} : {java_text(value)}]" for key, value in given.items()]
            raise MapperParsingError(
                f"Mapping definition for [{name}] has unsupported parameters:  {' '.join(unknown)}"
            )
        return {}

    def _column(self, part: str, build: BuildContext) -> Field:
        name = f"{self.name}.{part}"
        return Field(name, build.number(name), TERM, postings=DOCS, doc_values=True)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return the column of names."""
        return Field(self.name, build.number(self.name), TERM, postings=DOCS)

    # -- documents

    def handler(self) -> Handler:
        """Take objects."""
        field, values, paths, name = self.field, self.values, self.paths, self.name
        names, own_name = self.metadata.field_names, self.name.encode()
        assert field is not None

        def handle(value: Any, out: Values) -> None:
            if value is None:
                return
            if not isinstance(value, dict):
                reason = f"[{name}] unexpected token [{token_name(value)}] in flat_object field value"
                raise self.fault(value, ParsingError(reason), end="value")
            known: set[str] = set()
            for path, text in _leaves(value, self):
                term = text.encode("utf-8", "replace")
                whole = f"{name}{path}=".encode("utf-8", "replace") + term
                if len(whole) > MAX_TERM_BYTES:
                    raise immense_term(f"{name}._valueAndPath", whole)
                out.append((values, term))
                out.append((paths, whole))
                known.update(path[1:].split("."))
            if known:
                out.extend((field, part.encode("utf-8", "replace")) for part in sorted(known))
                out.append((names, own_name))

        return handle

    # -- queries

    def queried(self) -> FieldType:
        """Return the values of the object as a field."""
        return FlatValuesFieldType(self, None, self._build)

    def inside(self, path: str) -> FieldType:
        """Return what is at a path inside the object as a field."""
        return FlatValuesFieldType(self, path, self._build)

    def term_query(self, value: Any) -> Query:
        """Never asked: the fields that `queried` and `inside` return are."""
        raise NotImplementedError


def _leaves(value: dict[str, Any], field: FieldType) -> Iterator[tuple[str, str]]:
    """Yield the values in an object: their paths, each name behind a full stop, and their texts."""
    pending: list[tuple[str, Any]] = [("", value)]
    while pending:
        path, one = pending.pop()
        if isinstance(one, dict):
            pending.extend((f"{path}.{key}", inner) for key, inner in reversed(one.items()))
        elif isinstance(one, list):
            pending.extend((path, inner) for inner in reversed(one))
        elif one is not None:
            yield path, one if isinstance(one, str) else text_of(one, field)


class FlatValuesFieldType(KeywordFieldType):
    """All values of a flat object (path None) or those at a path inside it; named like their column."""

    type_name = "flat_object"
    parameters = ()
    sort_refusal = "Sorting by a path of a flat_object is not supported by this version"

    sort_kind = "flat"

    def __init__(self, parent: FlatObjectFieldType, path: str | None, build: BuildContext) -> None:
        self.parent = parent
        self.path = path
        self.column = parent.values if path is None else parent.paths
        self.prefix = "" if path is None else f"{parent.name}.{path}="
        super().__init__(self.column.name, {}, build)

    def get(self, name: str) -> Any:
        """Return a parameter: there are postings, and nothing else."""
        return {"index": True, "doc_values": False, "ignore_above": MAX_TERM_BYTES}.get(name)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return the column."""
        return self.column

    @property
    def asked(self) -> str:
        """Return the name that requests use."""
        return self.parent.name if self.path is None else f"{self.parent.name}.{self.path}"

    def encode_query(self, value: Any) -> bytes:
        """Return the term of a query value, behind the path."""
        return (self.prefix + java_text(value)).encode("utf-8", "replace")

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text behind the path."""
        return self.prefix + java_text(value)

    def term_query_any_case(self, value: Any) -> Query:
        """Return the documents with a value in any case."""
        return any_case_query(self.name, self.pattern_text("term", value))

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with a value between two others; an open end stays at the path."""
        if self.path is None:
            return super().range_query(bounds, now)
        if bounds.lower is None and bounds.upper is None:
            return self.exists_query()
        after = self.prefix[:-1] + chr(ord("=") + 1)
        return TermRangeQuery(
            self.name,
            self.encode_query("" if bounds.lower is None else bounds.lower),
            after.encode() if bounds.upper is None else self.encode_query(bounds.upper),
            bounds.include_lower or bounds.lower is None,
            bounds.include_upper and bounds.upper is not None,
        )

    def exists_query(self) -> Query:
        """Return the documents with a value; of a path, those with its name among the names of any path."""
        if self.path is None:
            return TermQuery("_field_names", self.parent.name.encode())
        return TermQuery(self.parent.name, self.path.encode("utf-8", "replace"))

    # -- values in answers

    def check_sortable(self) -> None:
        """Refuse the object as a whole."""
        if self.path is None:
            raise IllegalArgument(
                f"Field [{self.parent.name}] of type [flat_object] does not support doc_value in root field"
            )

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Show the values at the path."""
        if pattern is not None:
            raise IllegalArgument(
                f"Field [{self.asked}] of type [flat_object] does not support custom formats"
            )
        prefix = self.prefix.encode("utf-8", "replace")
        return lambda terms: [
            term[len(prefix) :].decode("utf-8", "replace") for term in terms if term.startswith(prefix)
        ]

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]]:
        """Show texts."""
        if pattern is not None:
            raise IllegalArgument(f"Field [{self.asked}] of type [flat_object] doesn't support formats.")
        return lambda value: [java_text(value)]
