"""The behaviour of one kind of field: the extension point of mappings.

A field type is built once per mapping and never changes. It gives the columns that the compiled core stores,
turns JSON values into column values, and makes the queries that only it can make. A new type is one file in
``types/`` and one line in the table of ``types/__init__.py``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from lanner.engine.common.body import End
from lanner.engine.common.errors import (
    IllegalArgument,
    JsonParseError,
    LannerError,
    MaxBytesLengthExceeded,
    QueryShardError,
)
from lanner.engine.mapping.parameters import (
    Parameter,
    merge_parameters,
    read_parameters,
    render_parameters,
)
from lanner.engine.query.base import Query
from lanner.engine.query.exists import ExistsQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.term import TermQuery
from lanner.ext.index.document_plan import HANDLED, Leaf
from lanner.ext.index.schema import Field

Values: TypeAlias = list[tuple[Field, Any]]
Handler: TypeAlias = Callable[[Any, Values], None]

MAX_TERM_BYTES = 32766
REDACTED = (
    "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); "
    "line: {line}, column: {column}]"
)


class ValueFaultError(Exception):
    """A value that a field cannot take; the parser adds which field, document and place.

    cause: the error, whose reason may hold {line} and {column}. end: which end of the value these mean.
    inside: the names that lead from the field to the value, if the field is an object. whole: whether the
    answer names only the cause.
    """

    def __init__(
        self, field: "FieldType", value: Any, cause: LannerError, *, end: End = "after", whole: bool = False
    ) -> None:
        super().__init__(cause.reason)
        self.whole = whole
        self.field = field
        self.value = value
        self.cause = cause
        self.end = end
        self.inside: tuple[str, ...] = ()


class SpellingNeededError(Exception):
    """A field keeps the text of a number.

    The document must be decoded again with the spelling of its numbers.
    """


@dataclass(frozen=True, slots=True)
class MetadataFields:
    """The columns of every index that handlers write to beside their own."""

    field_names: Field
    ignored: Field
    routing: Field


@dataclass(frozen=True, slots=True)
class BuildContext:
    """What a field type may ask for while it is built."""

    registry: Any  # lanner.engine.analysis.registry.AnalysisRegistry
    settings: Mapping[str, str]
    metadata: MetadataFields
    number: Callable[[str], int]  # the column number of a full field name
    mapping: Any = None  # lanner.engine.mapping.mapping.Mapping that the type is built for


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two ends of a range as they stand in a request.

    relation: what the ranges of fields that hold ranges must be to it.
    """

    lower: Any = None
    upper: Any = None
    include_lower: bool = True
    include_upper: bool = True
    format: str | None = None
    time_zone: str | None = None
    relation: str = "intersects"


class FieldType(ABC):
    """One field of a mapping. Subclasses override what their kind can do.

    The defaults refuse as the API does.
    """

    type_name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    render_order: ClassVar[tuple[str, ...]] = ()
    #: why documents cannot be sorted by what the column holds, if that means nothing
    sort_refusal: ClassVar[str] = ""
    #: whether an array is one value, which the handler takes apart itself
    takes_lists: ClassVar[bool] = False
    #: whether there can be neither multi-fields nor copies
    stands_alone: ClassVar[bool] = False
    #: fields that this one keeps beside its own column, under names of their own
    parts: "tuple[Any, ...]" = ()
    #: whether it looks at the other fields of its mapping, and so is built anew with every change of it
    sees_mapping: ClassVar[bool] = False
    #: whether some values are only known when all fields of a document are, see settle
    settles: bool = False
    #: how doc values sort: "number", "term", "name" (of a document or an index), or None when there are none;
    #: others do not sort
    sort_kind: ClassVar[str | None] = None
    #: how compiled functions read its numbers: "long", "double", "float", "half"; None if it has none
    numbers: ClassVar[str | None] = None

    def __init__(self, name: str, given: Mapping[str, Any], build: BuildContext) -> None:
        self.name = name
        self.given = given
        self.metadata = build.metadata
        self.indexed: bool = self.get("index")
        self.has_doc_values: bool = self.get("doc_values")
        boost = self.get("boost")
        self.boost: float = 1.0 if boost is None else boost
        self.field: Field | None = self.make_field(build)

    # -- declaration

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Return the typed parameters of a definition; raises what a bad mapping answers."""
        return read_parameters(name, cls.type_name, cls.parameters, given)

    @classmethod
    def render(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters as GET _mapping shows them."""
        return render_parameters(cls.parameters, given)

    @classmethod
    def merge(cls, path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a field that is defined again; raises IllegalArgument for a conflict."""
        return merge_parameters(path, cls.parameters, old, new)

    def render_parts(self) -> Iterable[tuple[str, dict[str, Any]]]:
        """Return the parts that GET _mapping/field shows by their names, and what it shows."""
        return ()

    def get(self, name: str) -> Any:
        """Return the value of a parameter, or its default; None for parameters the type does not have."""
        if name in self.given:
            return self.given[name]
        return next((parameter.default for parameter in self.parameters if parameter.name == name), None)

    @abstractmethod
    def make_field(self, build: BuildContext) -> Field | None:
        """Return the column, or None if nothing is stored."""

    # -- documents

    @abstractmethod
    def handler(self) -> Handler:
        """Return the function that appends the columns of one JSON value, never a list, to a document's."""

    def leaf(self) -> Leaf:
        """Return the handler together with the plain values that need no Python; here none do."""
        return Leaf(self.field, HANDLED, self.handler())

    def plain_leaf(self, kind: int, *, low: int = 0, high: int = 0, iso: bool = False) -> Leaf:
        """Return a leaf that takes the plain values of a kind by itself, if nothing else is to be written."""
        if self.field is None or self.reports_names():
            return FieldType.leaf(self)
        skips_null = self.get("null_value") is None
        return Leaf(self.field, kind, self.handler(), low=low, high=high, iso=iso, skips_null=skips_null)

    def fault(self, value: Any, cause: LannerError, *, end: End = "after") -> ValueFaultError:
        """Make the fault of a value."""
        return ValueFaultError(self, value, cause, end=end)

    def reports_names(self) -> bool:
        """Return whether documents must name this field in _field_names: no column tells that it exists."""
        return self.field is not None and not self.field.doc_values and not self.field.norms

    def values_below(self, value: Any, field: "FieldType") -> list[Any]:
        """Return the parts of a value that a multi-field of a field takes which takes arrays."""
        return []

    def settle(self, values: Values, id: str, routing: str | None) -> None:  # noqa: A002, B027 - most need not
        """Complete what the values of a document leave open once all of them are there."""

    def check_place(self, settings: Mapping[str, str]) -> None:  # noqa: B027 - most may be anywhere
        """Refuse a place in the mapping, or an index, that this kind of field cannot be in."""

    def check_references(self, fields: Mapping[str, "FieldType"]) -> None:  # noqa: B027 - most name none
        """Refuse a definition that names other fields which are not there, or of the wrong kind."""

    # -- queries

    def queried(self) -> "FieldType":
        """Return the field that requests see under this one's name."""
        return self

    def inside(self, path: str) -> "FieldType | None":
        """Return the field at a path inside this one's values, if these are objects that it takes whole."""
        return None

    @property
    def searchable(self) -> bool:
        """Return whether queries for values can be answered."""
        return self.indexed or self.has_doc_values

    def check_searchable(self) -> None:
        """Refuse a query on a field that keeps neither an index nor doc values."""
        if not self.searchable:
            raise IllegalArgument(
                f"Cannot search on field [{self.name}] since it is both not indexed, "
                "and does not have doc_values enabled."
            )

    def exists_query(self) -> Query:
        """Return the documents that have a value."""
        if self.field is not None and (self.field.doc_values or self.field.norms):
            return ExistsQuery(self.name)
        return TermQuery("_field_names", self.name.encode())

    @abstractmethod
    def term_query(self, value: Any) -> Query:
        """Return the documents with a value; raises IllegalArgument for values of the wrong kind."""

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents with any of several values, all scored alike."""
        from lanner.engine.query.boolean import BooleanQuery
        from lanner.engine.query.constant_score import ConstantScoreQuery

        clauses = [query for query in map(self.term_query, values) if query != MatchNoneQuery()]
        if not clauses:
            return MatchNoneQuery("no term matches")
        return ConstantScoreQuery(BooleanQuery(should=tuple(clauses)))

    def range_query(self, bounds: Bounds, now: Callable[[], int]) -> Query:
        """Return the documents with a value between two bounds."""
        raise IllegalArgument(
            f"Field [{self.name}] of type [{self.type_name}] does not support range queries"
        )

    def pattern_text(self, kind: str, value: Any) -> str:
        """Return the text of a prefix, wildcard, regexp or fuzzy query in the spelling of the field's terms.

        Raises QueryShardError or IllegalArgument if the field has no text.
        """
        reason = (
            f"Can only use {kind} queries on keyword and text fields - not on [{self.name}] "
            f"which is of type [{self.type_name}]"
        )
        raise IllegalArgument(reason) if kind == "fuzzy" else QueryShardError(reason)

    def of_terms(self, query: Query) -> Query:
        """Return a query for terms of this field in a form that the field can answer."""
        return query

    def term_query_any_case(self, value: Any) -> Query:
        """Return the documents with a term whose letters may be small or capital."""
        raise QueryShardError(
            f"[{self.name}] field which is of type [{self.type_name}], does not support case insensitive "
            "term queries"
        )

    # -- analysis of query text

    def query_analyzer(self, *, quoted: bool = False) -> Any | None:
        """Return the analyzer of query text, or None if the text is one value as it stands."""
        return None

    # -- sorting and doc values

    def sort_missing(self, value: Any) -> Any:
        """Return the encoded replacement of a missing value, from a request."""
        raise IllegalArgument(
            f"Field [{self.name}] of type [{self.type_name}] takes no replacement for missing values"
        )

    def sort_value(self, encoded: Any) -> Any:
        """Return a sort value as the answer shows it."""
        return encoded

    def sort_after(self, value: Any) -> Any:
        """Return the encoded form of a search_after value."""
        return self.sort_missing(value)

    def missing_sort_value(self, *, last: bool, reverse: bool) -> Any:
        """Return what the answer shows for a document without a value."""
        return None

    def check_sortable(self) -> None:
        """Refuse sorting by a field without doc values."""
        if not self.has_doc_values or self.sort_kind is None:
            raise IllegalArgument(
                f"Can't load fielddata on [{self.name}] because fielddata is unsupported on fields of type "
                f"[{self.type_name}]. Use doc values instead."
            )

    def doc_values_format(self, pattern: str | None) -> Callable[[Any], Any]:
        """Return the function that shows one doc value."""
        if pattern is not None:
            raise IllegalArgument(
                f"Field [{self.name}] of type [{self.type_name}] does not support custom formats"
            )
        return self.sort_value

    def source_shower(self, pattern: str | None) -> Callable[[Any], list[Any]] | None:
        """Return what ``fields`` shows of a value of the source; None if that is what doc values show."""
        return None


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


def token_fault(kind: str, value: Any, expected: str) -> JsonParseError:
    """Make the cause for a JSON token of the wrong kind: ``Current token (START_OBJECT) not ...``."""
    return JsonParseError(f"Current token ({kind}) {expected}\n at {REDACTED}")


def token_of(value: Any) -> str:
    """Return the Java name of the token that a value is."""
    if isinstance(value, bool):
        return "VALUE_TRUE" if value else "VALUE_FALSE"
    if isinstance(value, dict):
        return "START_OBJECT"
    if isinstance(value, int):
        return "VALUE_NUMBER_INT"
    return "VALUE_NUMBER_FLOAT" if isinstance(value, float) else "VALUE_STRING"


def immense_term(name: str, term: bytes) -> IllegalArgument:
    """Make the error for a term that no dictionary takes."""
    prefix = ", ".join(str(byte - 256 if byte > 127 else byte) for byte in term[:30])
    length = f"bytes can be at most {MAX_TERM_BYTES} in length; got {len(term)}"
    return IllegalArgument(
        f'Document contains at least one immense term in field="{name}" (whose UTF8 encoding is longer '
        f"than the max length {MAX_TERM_BYTES}), all of which were skipped.  Please correct the analyzer "
        "to not produce such terms."
        f"  The prefix of the first immense term is: '[{prefix}]...', original message: {length}",
        caused_by=MaxBytesLengthExceeded(length),
    )
