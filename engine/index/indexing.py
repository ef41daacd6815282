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
from lanner.engine.index.translog import DELETE, INDEX, Translog, encode
from lanner.engine.index.version_map import LiveBuffer, VersionMap
from lanner.ext.index.document import Document


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
            buffers.append(LiveBuffer(self._translog.generation, self._primary_term))
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

    # ---- one run

    def _apply_run(self, operations: Sequence[Operation], results: list[OperationResult], stop: int) -> None:
        """Work off operations from `len(results)` to `stop`, or to the first repeated id."""
        start = len(results)
        buffer = self.buffer()
        before = buffer.writer.max_doc
        first_seq_no = self._numbers.max_seq_no + 1
        run = Run()
        self._plan(operations, start, stop, first_seq_no, run)
        if not run.payload:
            results.extend(run.results)
            return
        self._numbers.reserve(len(run.payload))
        error: LannerError
        try:
            first = buffer.add(run.documents, run.seq_nos, run.versions) if run.documents else before
            offset = self._translog.append(run.payload, first_seq_no, self._primary_term)
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
                buffer.commit(first, run.ids, [offset + at for at in run.offsets], run.lengths)
            self._publish(run)
            results.extend(run.results)
            return
        for result in run.results:
            result.error = result.error or error
        results.extend(run.results)

    def _plan(self, operations: Sequence[Operation], start: int, stop: int, seq_no: int, run: "Run") -> None:
        """Fill the columns of a run: check conditions, give out versions and sequence numbers."""
        term = self._primary_term
        documents, ids, seq_nos, versions = run.documents, run.ids, run.seq_nos, run.versions
        offsets, lengths, payload, results = run.offsets, run.lengths, run.payload, run.results
        seen: set[bytes] = set()
        position = 0
        for at in range(start, stop):
            operation = operations[at]
            id_ = operation.id
            version = 1
            found = False
            if not operation.auto_id:
                if id_ in seen:
                    return
                seen.add(id_)
                current = self.lookup(id_)
                if operation.condition is not None:
                    try:
                        version = check(operation.condition, id_, current, self._place)
                    except VersionConflict as conflict:
                        results.append(OperationResult(UNASSIGNED, term, -1, current is not None, conflict))
                        continue
                elif current is not None:
                    version = current.version + 1
                if current is not None and current.holder is not None:
                    found = True
                    run.superseded.append((current.holder, current.doc))
            if operation.kind == INDEX:
                source, routing = operation.source, operation.routing
                record = encode(INDEX, id_, routing, source, version)
                documents.append(Document(id_, source, routing, seq_no, term, version, operation.values))
                ids.append(id_)
                seq_nos.append(seq_no)
                versions.append(version)
                offsets.append(position)
                lengths.append(len(record))
            else:
                record = encode(DELETE, id_, None, b"", version)
                run.buried.append((id_, seq_no, version))
            payload.append(record)
            position += len(record)
            results.append(OperationResult(seq_no, term, version, found))
            seq_no += 1

    def _publish(self, run: "Run") -> None:
        """Make a logged run the newest state of its ids."""
        for holder, doc in run.superseded:
            holder.delete(doc)
        buffers, tombstones = self._versions.buffers, self._versions.tombstones
        if run.superseded:
            for older in buffers[:-1]:
                for id_ in run.ids:
                    older.documents.pop(id_, None)
        if tombstones:
            for id_ in run.ids:
                tombstones.pop(id_, None)
        if run.buried:
            now = self._monotonic()
            for id_, seq_no, version in run.buried:
                self._versions.bury(id_, seq_no, self._primary_term, version, now)


class Run:
    """The columns of one run."""

    __slots__ = (
        "buried",
        "documents",
        "ids",
        "lengths",
        "offsets",
        "payload",
        "results",
        "seq_nos",
        "superseded",
        "versions",
    )

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.ids: list[bytes] = []
        self.seq_nos: list[int] = []
        self.versions: list[int] = []
        self.offsets: list[int] = []  # of the documents' records inside the payload
        self.lengths: list[int] = []
        self.payload: list[bytes] = []
        self.results: list[OperationResult] = []
        self.superseded: list[tuple[Any, int]] = []  # holder, doc
        self.buried: list[tuple[bytes, int, int]] = []  # id, seq_no, version
