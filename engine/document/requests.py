"""What document operations are asked to do, typed."""

from dataclasses import dataclass

import msgspec

from lanner.engine.common.errors import ActionRequestValidation, IllegalArgument
from lanner.engine.common.source_filter import SourceFilter
from lanner.engine.index.operation import INTERNAL, Condition
from lanner.engine.index.sequence_numbers import UNASSIGNED

MAX_ID_BYTES = 512
SHORT_ID = MAX_ID_BYTES // 4  # characters, which are not too many bytes whatever they are


class IndexRequest(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Write one document. Not a dataclass, like all that is made once a document: they are slow to make."""

    index: str
    source: bytes
    id: str | None = None
    routing: str | None = None
    op_type: str = "index"  # or create
    version: int | None = None
    version_type: str = INTERNAL
    if_seq_no: int = UNASSIGNED
    if_primary_term: int = 0
    refresh: str = "false"
    pipeline: str | None = None
    require_alias: bool = False
    timeout: float | None = None
    wait_for_active_shards: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteRequest:
    """Delete one document."""

    index: str
    id: str
    routing: str | None = None
    version: int | None = None
    version_type: str = INTERNAL
    if_seq_no: int = UNASSIGNED
    if_primary_term: int = 0
    refresh: str = "false"
    timeout: float | None = None
    wait_for_active_shards: str | None = None


class BulkOperation(msgspec.Struct, gc=False):
    """One operation of a bulk request."""

    action: str
    index: str
    id: str | None = None
    source: bytes = b""
    routing: str | None = None
    version: int | None = None
    version_type: str = INTERNAL
    if_seq_no: int = UNASSIGNED
    if_primary_term: int = 0
    require_alias: bool | None = None
    pipeline: str | None = None
    retry_on_conflict: int = 0
    fetch_source: SourceFilter | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRequest:
    """Many operations, applied in order."""

    operations: list[BulkOperation]
    refresh: str = "false"
    pipeline: str | None = None
    require_alias: bool = False
    timeout: float | None = None
    wait_for_active_shards: str | None = None


def condition_of(request: IndexRequest | DeleteRequest | BulkOperation, *, create: bool) -> Condition | None:
    """What the operation requires, or None when nothing."""
    if not create and request.version is None and request.if_seq_no == UNASSIGNED:
        return None
    return Condition(
        create=create,
        version=request.version,
        version_type=request.version_type,
        if_seq_no=request.if_seq_no,
        if_primary_term=request.if_primary_term,
    )


def check_request(request: IndexRequest | DeleteRequest | BulkOperation, *, create: bool) -> None:
    """Refuse contradictory conditions and impossible ids."""
    plain = request.version is None and request.if_seq_no == UNASSIGNED and not request.if_primary_term
    if plain and request.version_type == INTERNAL and (request.id is None or 0 < len(request.id) <= SHORT_ID):
        return  # as nearly all are
    if request.id == "":
        raise IllegalArgument("if _id is specified it must not be empty")
    complaints: list[str] = []
    if create and request.version_type != INTERNAL:
        complaints.append("create operations only support internal versioning. use index instead")
    elif create and request.version is not None:
        complaints.append("create operations do not support explicit versions. use index instead")
    elif create and request.if_seq_no != UNASSIGNED:
        complaints.append("create operations do not support compare and set. use index instead")
    else:
        if request.id is None and (request.version is not None or request.version_type != INTERNAL):
            complaints.append("an id must be provided if version type or value are set")
        if request.version is not None:
            kind = request.version_type
            if kind == INTERNAL:
                complaints.append(
                    "internal versioning can not be used for optimistic concurrency control. "
                    "Please use `if_seq_no` and `if_primary_term` instead"
                )
            elif request.if_seq_no != UNASSIGNED:
                complaints.append("compare and write operations can not use versioning")
            elif request.version < 0:
                complaints.append(
                    f"illegal version value [{request.version}] for version type [{kind.upper()}]"
                )
        elif request.version_type != INTERNAL:
            complaints.append(f"illegal version value [-3] for version type [{request.version_type.upper()}]")
        if request.if_primary_term and request.if_seq_no == UNASSIGNED:
            complaints.append(f"ifSeqNo is unassigned, but primary term is [{request.if_primary_term}]")
        if not request.if_primary_term and request.if_seq_no != UNASSIGNED:
            complaints.append("ifSeqNo is set, but primary term is [0]")
    if request.id is not None and len(request.id) > SHORT_ID:
        size = len(request.id.encode())
        if size > MAX_ID_BYTES:
            complaints.append(
                f"id [{request.id}] is too long, must be no longer than {MAX_ID_BYTES} bytes but was: {size}"
            )
    if complaints:
        raise validation(complaints)


def validation(complaints: list[str]) -> ActionRequestValidation:
    """Numbered complaints as one error."""
    text = "".join(f"{number}: {complaint};" for number, complaint in enumerate(complaints, 1))
    return ActionRequestValidation(f"Validation Failed: {text}")
