"""Sequence numbers of one shard: handed out by its single writer, in order, without gaps."""

NO_OPS = -1  # max_seq_no of an empty shard
UNASSIGNED = -2  # "no sequence number asked for"


class SequenceNumbers:
    """The next number and the checkpoints. The writer's lock guards it.

    Operations are applied in the order of their numbers under one lock, so the local checkpoint is always the
    highest number; what the disk has confirmed is the persisted checkpoint.
    """

    __slots__ = ("max_seq_no", "persisted")

    def __init__(self, max_seq_no: int = NO_OPS) -> None:
        self.max_seq_no = max_seq_no
        self.persisted = max_seq_no

    @property
    def local_checkpoint(self) -> int:
        """All operations up to this number are applied."""
        return self.max_seq_no

    def reserve(self, count: int) -> int:
        """The first of `count` consecutive numbers."""
        first = self.max_seq_no + 1
        self.max_seq_no += count
        return first

    def give_back(self, first: int) -> None:
        """Undo the reservation of `first` and all after it: nothing that carries them has been written."""
        self.max_seq_no = first - 1

    def advance(self, seq_no: int) -> None:
        """Note an operation that was replayed."""
        self.max_seq_no = max(self.max_seq_no, seq_no)

    def confirm(self, seq_no: int) -> None:
        """Note that everything up to `seq_no` is on disk."""
        self.persisted = max(self.persisted, seq_no)
