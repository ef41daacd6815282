"""percolate: documents whose own query matches documents that are given or looked up."""

from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.common.body import Anchor, LocatedXContentError, java_float, scalar_text
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    IllegalStateError,
    LannerError,
    QueryShardError,
    ResourceNotFound,
    XContentParseError,
)
from lanner.engine.common.object_parser import TEXT, WHOLE, Field, parse_object
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, RequestFaultError, check_boost
from lanner.engine.dsl.percolation import DocumentsInMemory
from lanner.engine.dsl.unknown import did_you_mean
from lanner.engine.mapping.types.percolator import PercolatorFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.percolate import PercolateQuery

_SOURCES = ("document", "documents", "id")  # of which there is to be one


@dataclass(frozen=True, slots=True)
class PlaceOfDocument:
    """A document that is looked up."""

    index: str
    id: str
    routing: str | None = None
    version: int | None = None

    def source(self, context: DslContext) -> bytes:
        """Return its source; what goes wrong is a fault of the whole request."""
        source = context.raw_source_of(self.index, self.id, self.routing, self.version)
        if source is None:
            reason = f"indexed document [{self.index}/{self.id}] couldn't be found"
            raise RequestFaultError(ResourceNotFound(reason))
        if not source:
            reason = f"indexed document [{self.index}/{self.id}] source disabled"
            raise RequestFaultError(IllegalArgument(reason))
        return source


@dataclass(frozen=True, slots=True)
class PercolateDsl(DslQuery):
    """A field that holds queries, and documents as JSON. own_name: what its parts of hits are called by."""

    percolates = True
    field: str
    documents: tuple[bytes, ...] = ()
    place: PlaceOfDocument | None = None
    own_name: str | None = None

    @property
    def label(self) -> str:
        """Return what its parts of hits are called by where there are several such queries."""
        return self.own_name or self.field

    def build(self, context: DslContext) -> Query:
        """Put the documents into memory."""
        return PercolateQuery(self.field, self.percolation(context))

    def percolation(self, context: DslContext) -> DocumentsInMemory:
        """Return the documents, ready to be asked; raises what a shard answers."""
        if not context.allow_expensive:
            raise LannerError(
                "[percolate] queries cannot be executed when 'search.allow_expensive_queries' is set to "
                "false."
            )
        documents = self.documents if self.place is None else (self.place.source(context),)
        field = context.mapping.field_type(self.field)
        if field is None:
            raise QueryShardError(f"field [{self.field}] does not exist")
        if not isinstance(field, PercolatorFieldType):
            raise QueryShardError(
                f"expected field [{self.field}] to be of type [percolator], but is of type "
                f"[{field.type_name}]"
            )
        context.count(1)
        return DocumentsInMemory(field, documents, context)


def _boost(value: Any, key: str) -> float:
    return check_boost("percolate", java_float(scalar_text(value)))


def _document(value: Any, key: str) -> tuple[bytes, ...]:
    return (msgspec.json.encode(value),)


def _documents(value: Any, key: str) -> tuple[bytes, ...]:
    if isinstance(value, dict):
        return _document(value, key)
    return tuple(msgspec.json.encode(one) for one in value)


_FIELDS = {
    "field": Field((str,), required=True),
    "document": Field((dict,), _document),
    "documents": Field((dict, list), _documents),
    "name": TEXT,
    "index": TEXT,
    "id": TEXT,
    "routing": TEXT,
    "preference": TEXT,
    "version": WHOLE,
    "boost": Field((int, float, str), _boost),
    "_name": TEXT,
}


def parse_percolate(body: dict[str, Any], context: ParseContext) -> PercolateDsl:
    """Read the body of a percolate query."""
    for key in body:
        if key not in _FIELDS:
            reason = f"[percolate] unknown field [{key}]{did_you_mean(key, _FIELDS)}"
            raise LocatedXContentError(reason, Anchor(body, key, "key"))
    several = body.get("documents")
    for i, one in enumerate(several if isinstance(several, list) else ()):
        if isinstance(one, list):
            raise LocatedXContentError(
                "[percolate] failed to parse field [documents]",
                Anchor(several, i),
                caused_by=IllegalStateError("expected value but got [START_ARRAY]"),
            )
    found = parse_object("percolate", body, _FIELDS)
    given = [key for key in found if key in _SOURCES]
    if not given:
        raise IllegalArgument("Required one of fields [document, documents, id], but none were specified. ")
    if len(given) > 1:
        raise IllegalArgument(f"The following fields are not allowed together: [{', '.join(given)}] ")
    values: dict[str, Any] = {key: found[key] for key in ("boost",) if key in found}
    values |= {"name": found.get("_name"), "own_name": found.get("name")}
    if "id" not in found:
        documents = found[given[0]]
        if not documents:
            raise ActionRequestValidation("Validation Failed: 1: index is missing;2: id is missing;")
        return PercolateDsl(found["field"], documents, **values)
    if "index" not in found:
        raise XContentParseError(
            "Failed to build [percolate] after last required field arrived",
            caused_by=IllegalArgument("[index] is a required argument"),
        )
    place = PlaceOfDocument(found["index"], found["id"], found.get("routing"), found.get("version"))
    return PercolateDsl(found["field"], place=place, **values)
