"""The write path of a shard: from parsed operations to buffer and translog. Runs under the shard's lock.

Operations of a batch are worked off in runs in which no id comes twice. A run is planned (versions,
conditions, sequence numbers), inverted by one call, logged by one write, and only then made known. When the
log does not take it, the run leaves no trace: its documents are deleted from the buffer and its sequence
numbers are used again.
"""

from collections.abc import Callable, Sequence
from typing import Any

from lanner.engine.common.errors import IllegalArgument, LannerError, VersionConflict
from lanner.engine.index.operation import Current, Operation, OperationResult, check
from lanner.engine.index.segment import Segment
from lanner.engine.index.sequence_numbers import UNASSIGNED, SequenceNumbers
from lanner.engine.index.translog import INDEX, Translog
from lanner.engine.index.version_map import LiveBuffer, VersionMap
from lanner.ext.index.document import Document
from lanner.ext.index.log_records import pack_records


class Writer:
    """Applies operations to the state that it shares with its shard."""

    def __init__(
        self,
        place: dict[str, Any],
        versions: VersionMap,
        segments: list[Segment],
        numbers: SequenceNumbers,
        translog: Translog,
        primary_term: int,
        monotonic: Callable[[], float],
    ) -> None:
        self._place = place  # index, index_uuid and shard, for version conflicts
        self._versions = versions
        self._segments = segments  # the shard's own list, which changes
        self._numbers = numbers
        self._translog = translog
        self._primary_term = primary_term
        self._monotonic = monotonic

    def apply(self, operations: Sequence[Operation]) -> list[OperationResult]:
        """Apply operations in order.

        One result each. An error that is not of one operation breaks the shard.
        """
        results: list[OperationResult] = []
        while len(results) < len(operations):
            self._apply_run(operations, results, len(operations))
        return results

    def buffer(self) -> LiveBuffer:
        """The buffer that takes documents now."""
        buffers = self._versions.buffers
        if not buffers or buffers[-1].frozen:
            self._versions.start_buffer(self._translog.generation, self._primary_term)
        return buffers[-1]

    def lookup(self, id_: bytes) -> Current | None:
        """The newest state of an id anywhere in the shard."""
        current = self._versions.lookup(id_)
        if current is not None:
            return current
        for segment in reversed(self._segments):
            doc = segment.lookup(id_)
            if doc >= 0:
                seq_no, primary_term, version = segment.reader.versions(doc)
                return Current(seq_no, primary_term, version, segment, doc)
        return None

    def _lookup_all(self, ids: list[bytes]) -> dict[bytes, Current]:
        """The newest states of different ids, as far as there are any."""
        found = self._versions.lookup_all(ids)
        if found:
            ids = [id_ for id_ in ids if id_ not in found]
        for segment in reversed(self._segments):
            hits = segment.lookup_all(ids)
            for id_, doc in hits:
                seq_no, primary_term, version = segment.reader.versions(doc)
                found[id_] = Current(seq_no, primary_term, version, segment, doc)
            if hits:
                ids = [id_ for id_ in ids if id_ not in found]
        return found

    # ---- one run

    def _apply_run(self, operations: Sequence[Operation], results: list[OperationResult], stop: int) -> None:
        """Work off operations from `len(results)` to `stop`, or to the first repeated id."""
        start = len(results)
        buffer = self.buffer()
        before = buffer.writer.max_doc
        first_seq_no = self._numbers.max_seq_no + 1
        run = Run()
        self._plan(_before_repetition(operations[start:stop]), first_seq_no, run)
        if not run.operations:
            results.extend(run.results)
            return
        self._numbers.reserve(len(run.operations))
        error: LannerError
        try:
            body, starts = pack_records(run.operations)
            first = buffer.add(run.documents) if run.documents else before
            offset = self._translog.append(body, len(run.operations), first_seq_no, self._primary_term)
        except (ValueError, TypeError, OverflowError) as refusal:  # of the buffer
            self._numbers.give_back(first_seq_no)
            buffer.take_back(before)
            if len(run.results) > 1:
                for at in range(start, start + len(run.results)):
                    self._apply_run(operations, results, at + 1)
                return
            error = IllegalArgument(str(refusal))
        except LannerError as failure:  # of the log: a full disk, or the end of this shard
            self._numbers.give_back(first_seq_no)
            buffer.take_back(before)
            error = failure
        else:
            if run.documents:
                buffer.versions.note(first, run.operations, INDEX, offset, starts)
            self._publish(run)
            results.extend(run.results)
            return
        for result in run.results:
            result.error = result.error or error
        results.extend(run.results)

    def _plan(self, operations: Sequence[Operation], seq_no: int, run: "Run") -> None:
        """Fill a run: check conditions, give out versions and sequence numbers."""
        term = self._primary_term
        documents, logged, results = run.documents, run.operations, run.results
        newest = self._lookup_all([operation.id for operation in operations if not operation.auto_id])
        for operation in operations:
            version = 1
            found = False
            current = newest.get(operation.id) if newest else None
            condition = operation.condition
            if condition is not None:
                try:
                    version = check(condition, operation.id, current, self._place)
                except VersionConflict as conflict:
                    results.append(OperationResult(UNASSIGNED, term, -1, current is not None, conflict))
                    continue
            elif current is not None:
                version = current.version + 1
            if current is not None and current.holder is not None:
                found = True
                run.superseded.append((current.holder, current.doc))
            operation.place(seq_no, term, version)
            if operation.kind == INDEX:
                documents.append(operation)
            else:
                run.buried.append((operation.id, seq_no, version))
            logged.append(operation)
            results.append(OperationResult(seq_no, term, version, found))
            seq_no += 1

    def _publish(self, run: "Run") -> None:
        """Make a logged run the newest state of its ids."""
        for holder, doc in run.superseded:
            holder.delete(doc)
        buffers, tombstones = self._versions.buffers, self._versions.tombstones
        if run.superseded:
            for older in buffers[:-1]:
                for document in run.documents:
                    older.versions.forget(document.id)
        if tombstones:
            for document in run.documents:
                tombstones.pop(document.id, None)
        if run.buried:
            now = self._monotonic()
            for id_, seq_no, version in run.buried:
                self._versions.bury(id_, seq_no, self._primary_term, version, now)


def _before_repetition(operations: Sequence[Operation]) -> Sequence[Operation]:
    """The operations before the first one whose id came before."""
    if len({operation.id for operation in operations}) == len(operations):
        return operations
    seen: set[bytes] = set()
    for at, operation in enumerate(operations):
        if operation.id in seen:
            return operations[:at]
        seen.add(operation.id)
    return operations


class Run:
    """What becomes of one run."""

    __slots__ = ("buried", "documents", "operations", "results", "superseded")

    def __init__(self) -> None:
        self.operations: list[Operation] = []  # those that go through, in the order of their sequence numbers
        self.documents: list[Document] = []  # those of them that write one
        self.results: list[OperationResult] = []
        self.superseded: list[tuple[Any, int]] = []  # holder, doc
        self.buried: list[tuple[bytes, int, int]] = []  # id, seq_no, version
