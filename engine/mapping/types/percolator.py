"""Queries as values of documents: what the percolate query looks for."""

from collections.abc import Mapping
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import (
    IllegalArgument,
    LannerError,
    MapperParsingError,
    ParsingError,
    QueryShardError,
)
from lanner.engine.mapping.document_faults import DocumentFaultError
from lanner.engine.mapping.field_type import BuildContext, FieldType, Handler, ValueFaultError, Values, each
from lanner.engine.mapping.types.binary import BinaryFieldType
from lanner.engine.mapping.types.integer import Integer32FieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType
from lanner.engine.mapping.types.ranges import IpRangeFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.exists import ExistsQuery
from lanner.engine.query.term import TermQuery
from lanner.ext.index.schema import TERM, Field
from lanner.ext.index.segment_reader import SegmentReader

FAILED, PARTIAL, COMPLETE = "failed", "partial", "complete"  # how far the terms of a query are known
_PIECE = 32_000  # bytes of one piece of a query: a term takes hardly more


class StoredQueryFieldType(BinaryFieldType):
    """The text of a query, in numbered pieces."""

    def __init__(self, name: str, build: BuildContext) -> None:
        super().__init__(name, {"doc_values": True}, build)

    def make_field(self, build: BuildContext) -> Field | None:
        """Return a column of values."""
        return Field(self.name, build.number(self.name), TERM, doc_values=True)

    def exists_query(self) -> Query:
        """Return the documents with a query."""
        return ExistsQuery(self.name)


class PercolatorFieldType(FieldType):
    """One query, as JSON.

    Beside its text are kept, in columns of their own, terms of which a document that it matches must have one
    (`lanner.engine.query.required_terms`). Two columns that the reference has stay empty.
    """

    type_name = "percolator"
    parameters = ()
    takes_lists = True  # to see that there are not several
    sees_mapping = True
    stands_alone = True

    def __init__(self, name: str, given: Any, build: BuildContext) -> None:
        super().__init__(name, given, build)
        self.mapping = build.mapping
        self.stored = StoredQueryFieldType(f"{name}.query_builder_field", build)
        self.terms = KeywordFieldType(f"{name}.extracted_terms", {"doc_values": False}, build)
        self.result = KeywordFieldType(f"{name}.extraction_result", {"doc_values": False}, build)
        self.parts = (
            self.terms,
            self.result,
            self.stored,
            IpRangeFieldType(f"{name}.range_field", {"doc_values": False}, build),
            Integer32FieldType(f"{name}.minimum_should_match_field", {"index": False}, build),
        )
        #: queries that were read and resolved, by their text; who adds some keeps them few
        self.resolved: dict[bytes, Any] = {}

    @classmethod
    def read(cls, name: str, given: Mapping[str, Any], build_registry: Any) -> dict[str, Any]:
        """Refuse all parameters."""
        if given:
            unknown = " ".join(f"[{key} : {java_text(value)}]" for key, value in given.items())
            own = name.rpartition(".")[2]
            raise MapperParsingError(f"Mapping definition for [{own}] has unsupported parameters:  {unknown}")
        return {}

    def make_field(self, build: BuildContext) -> Field | None:
        """Make no column of its own name."""
        return None

    # -- documents

    def handler(self) -> Handler:
        """Take a query; raises what is wrong with it."""
        stored, terms, result = self.stored.field, self.terms.field, self.result.field
        names, own_name = self.metadata.field_names, self.name.encode()
        assert stored is not None
        assert terms is not None
        assert result is not None

        def handle(value: Any, out: Values) -> None:
            if type(value) is list:
                each(value, lambda one: handle(one, out))
                return
            found = self._read(value, out)
            for i in range(0, len(found.text), _PIECE):
                number = (i // _PIECE).to_bytes(2, "big")
                out.append((stored, number + found.text[i : i + _PIECE]))
            out.extend((result, mark) for mark in found.marks)
            out.extend((terms, term) for term in found.terms)
            if found.known:
                out.append((names, own_name))

        return handle

    def _read(self, value: Any, out: Values) -> Any:
        """Return what is kept of a query (`lanner.engine.dsl.stored_query.StoredQuery`)."""
        if any(field is self.stored.field for field, _ in out):
            raise DocumentFaultError(IllegalArgument("a document can only contain one percolator query"))
        if type(value) is not dict:
            reason = "[_na] query malformed, must start with start_object"
            raise ValueFaultError(self, value, ParsingError(reason), whole=True)
        if self.mapping.read_query is None:
            raise DocumentFaultError(IllegalArgument("queries cannot be read here"))
        try:
            return self.mapping.read_query(self.mapping, value, self)
        except LannerError as error:
            raise DocumentFaultError(error) from None

    def text_of(self, segment: SegmentReader, doc: int) -> bytes | None:
        """Return the query of a document or row as it was stored, None if it has none."""
        pieces = segment.terms(self.stored.name, doc)
        return b"".join(piece[2:] for piece in sorted(pieces)) if pieces else None

    # -- queries

    @property
    def searchable(self) -> bool:
        """Return that nothing can be searched."""
        return False

    def exists_query(self) -> Query:
        """Return the documents with a query of which something is known."""
        return TermQuery("_field_names", self.name.encode())

    def term_query(self, value: Any) -> Query:
        """Refuse."""
        raise QueryShardError("Percolator fields are not searchable directly, use a percolate query instead")

    def terms_query(self, values: list[Any]) -> Query:
        """Refuse."""
        return self.term_query(None)

    def check_sortable(self) -> None:
        """Refuse."""
        raise IllegalArgument(f"Fielddata is not supported on field [{self.name}] of type [{self.type_name}]")
