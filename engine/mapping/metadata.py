"""The fields that every index has: how queries and sorts see them."""

from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, QueryShardError, UnsupportedOperation
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler
from lanner.engine.mapping.parameters import Parameter, boolean, number
from lanner.engine.mapping.types.integer import LongFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.match_all import MatchAllQuery, MatchNoneQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.terms import ids_query
from lanner.ext.index.schema import DOCS, TERM, Field

FIELD_NAMES = Field("_field_names", 8, TERM, postings=DOCS)
IGNORED = Field("_ignored", 9, TERM, postings=DOCS)
ROUTING = Field("_routing", 10, TERM, postings=DOCS)
METADATA_COLUMNS = (FIELD_NAMES, IGNORED, ROUTING)

_PARAMETERS = (
    Parameter("index", True, boolean),
    Parameter("doc_values", False, boolean),
    Parameter("boost", 1.0, number),
)


class MetadataFieldType(FieldType):
    """A field that documents cannot set."""

    parameters = _PARAMETERS

    def make_field(self, build: BuildContext) -> Field | None:
        """Return no column: the index writes these by itself."""
        return None

    def handler(self) -> Handler:
        """Refuse to be part of a document."""
        raise NotImplementedError

    def check_sortable(self) -> None:
        """Refuse."""
        raise IllegalArgument(f"Fielddata is not supported on field [{self.name}] of type [{self.type_name}]")

    def term_query(self, value: Any) -> Query:
        """Return the documents with a term."""
        return TermQuery(self.name, java_text(value).encode("utf-8", "replace"))


class IdFieldType(MetadataFieldType):
    """The user's key of a document."""

    type_name = "_id"
    sort_kind = "name"

    def exists_query(self) -> Query:
        """Return every document."""
        return MatchAllQuery()

    def term_query(self, value: Any) -> Query:
        """Return the document of an id."""
        return ids_query([java_text(value)])

    def terms_query(self, values: list[Any]) -> Query:
        """Return the documents of some ids."""
        return ids_query([java_text(value) for value in values]) if values else MatchNoneQuery()

    def check_sortable(self) -> None:
        """Take it: ids have no column, but an order."""


class IndexFieldType(MetadataFieldType):
    """The name of the index; the DSL answers queries on it, which need the name."""

    type_name = "_index"
    sort_kind = "name"

    def exists_query(self) -> Query:
        """Return every document."""
        return MatchAllQuery()

    def check_sortable(self) -> None:
        """Take it: all documents of a shard have the same."""


class RoutingFieldType(MetadataFieldType):
    """The routing value of a document."""

    type_name = "_routing"

    def exists_query(self) -> Query:
        """Return the documents that were routed by a value of their own."""
        return TermQuery("_field_names", b"_routing")


class IgnoredFieldType(MetadataFieldType):
    """The names of fields whose values were malformed."""

    type_name = "_ignored"

    def exists_query(self) -> Query:
        """Return the documents with malformed values."""
        return TermQuery("_field_names", b"_ignored")


class NestedPathFieldType(MetadataFieldType):
    """The path of a nested object, which is a row of its own."""

    type_name = "_nested_path"

    def exists_query(self) -> Query:
        """Refuse."""
        raise UnsupportedOperation("Cannot run exists() query against the nested field path")


class FieldNamesFieldType(MetadataFieldType):
    """The names of fields that no column tells of."""

    type_name = "_field_names"

    def exists_query(self) -> Query:
        """Refuse."""
        raise UnsupportedOperation("Cannot run exists query on _field_names")


class SourceFieldType(MetadataFieldType):
    """The document as it was sent."""

    type_name = "_source"

    def exists_query(self) -> Query:
        """Refuse."""
        raise QueryShardError("The _source field is not searchable")

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise QueryShardError("The _source field is not searchable")


class SeqNoFieldType(LongFieldType):
    """The order of operations in a shard."""

    type_name = "_seq_no"

    def make_field(self, build: BuildContext) -> Field | None:
        """Return no column of the mapping: the buffer writes it."""
        return None

    def exists_query(self) -> Query:
        """Return every document."""
        return MatchAllQuery()


class VersionFieldType(MetadataFieldType):
    """How often a document was written."""

    type_name = "_version"

    def exists_query(self) -> Query:
        """Return every document."""
        return MatchAllQuery()


METADATA_TYPES: tuple[type[FieldType], ...] = (
    IdFieldType,
    IndexFieldType,
    RoutingFieldType,
    IgnoredFieldType,
    FieldNamesFieldType,
    NestedPathFieldType,
    SourceFieldType,
    SeqNoFieldType,
    VersionFieldType,
)
METADATA_NAMES = frozenset(
    (
        "_id",
        "_index",
        "_source",
        "_routing",
        "_ignored",
        "_field_names",
        "_seq_no",
        "_version",
        "_primary_term",
        "_nested_path",
    )
)
