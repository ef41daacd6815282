"""Operations on a shard, their results, and the rules of version control."""

from dataclasses import dataclass
from typing import Any

import msgspec

from lanner.engine.common.errors import LannerError, VersionConflict
from lanner.engine.index.sequence_numbers import UNASSIGNED
from lanner.engine.index.translog import DELETE, INDEX
from lanner.ext.index.document import Operation

INTERNAL, EXTERNAL, EXTERNAL_GTE = "internal", "external", "external_gte"

__all__ = ["DELETE", "INDEX", "Condition", "Current", "GetResult", "Operation", "OperationResult", "check"]


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for an operation to go through."""

    create: bool = False
    version: int | None = None
    version_type: str = INTERNAL
    if_seq_no: int = UNASSIGNED
    if_primary_term: int = 0


class OperationResult(msgspec.Struct):
    """What became of an operation. `found`: a live document had this id before."""

    seq_no: int
    primary_term: int
    version: int
    found: bool
    error: LannerError | None = None


class Current:
    """The newest state of an id: a live document at (holder, doc), or a tombstone (holder None)."""

    __slots__ = ("doc", "holder", "primary_term", "seq_no", "version")

    def __init__(self, seq_no: int, primary_term: int, version: int, holder: Any, doc: int) -> None:
        self.seq_no = seq_no
        self.primary_term = primary_term
        self.version = version
        self.holder = holder
        self.doc = doc

    @property
    def live(self) -> bool:
        """Whether the document exists."""
        return self.holder is not None


@dataclass(frozen=True, slots=True)
class GetResult:
    """A document as it is now."""

    version: int
    seq_no: int
    primary_term: int
    source: bytes
    routing: bytes | None


def check(condition: Condition, id_: bytes, current: Current | None, place: dict[str, Any]) -> int:
    """The version that the operation gives the document; VersionConflict when the condition does not hold."""
    if condition.if_seq_no != UNASSIGNED:
        wanted = f"required seqNo [{condition.if_seq_no}], primary term [{condition.if_primary_term}]."
        if current is None or not current.live:
            raise _conflict(id_, f"{wanted} but no document was found", place)
        if (current.seq_no, current.primary_term) != (condition.if_seq_no, condition.if_primary_term):
            raise _conflict(
                id_,
                f"{wanted} current document has seqNo [{current.seq_no}] "
                f"and primary term [{current.primary_term}]",
                place,
            )
    if condition.create and current is not None and current.live:
        raise _conflict(id_, f"document already exists (current version [{current.version}])", place)
    if condition.version_type == INTERNAL or condition.version is None:
        return 1 if current is None else current.version + 1
    if current is not None:
        if condition.version_type == EXTERNAL and current.version >= condition.version:
            complaint = "is higher or equal to the one provided"
        elif condition.version_type == EXTERNAL_GTE and current.version > condition.version:
            complaint = "is higher than the one provided"
        else:
            return condition.version
        raise _conflict(id_, f"current version [{current.version}] {complaint} [{condition.version}]", place)
    return condition.version


def _conflict(id_: bytes, reason: str, place: dict[str, Any]) -> VersionConflict:
    return VersionConflict(f"[{id_.decode(errors='replace')}]: version conflict, {reason}", **place)
