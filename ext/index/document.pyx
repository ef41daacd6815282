"""One document on its way into the write buffer, and one operation on its way into a shard."""


cdef class Document:
    """A parsed document with its place in the history of the shard.

    values: FieldValues, or a list of (Field, str | bytes | int) pairs; a field with several values comes several times.
    """

    def __init__(
        self, bytes id not None, bytes source not None, bytes routing, long long seq_no, long long primary_term,
        long long version, values not None
    ):
        self.id = id
        self.source = source
        self.routing = routing
        self.seq_no = seq_no
        self.primary_term = primary_term
        self.version = version
        self.values = values


cdef class Operation(Document):
    """One write, parsed: a document that has no place in the history yet, or the id of one to delete.

    kind: of the translog's records. condition: what must hold, if anything; of the caller's own kind. auto_id promises that
    no document has this id yet, so nothing is looked up.
    """

    def __init__(
        self, int kind, bytes id not None, bytes source not None=b"", bytes routing=None, values=None, condition=None, *,
        bint auto_id=False
    ):
        self.kind = kind
        self.id = id
        self.source = source
        self.routing = routing
        self.values = [] if values is None else values
        self.condition = condition
        self.auto_id = auto_id
        self.seq_no = -2  # unassigned
        self.primary_term = 0
        self.version = -1

    def place(self, long long seq_no, long long primary_term, long long version) -> None:
        """Give the operation its place in the history; again if the one before was not used."""
        self.seq_no = seq_no
        self.primary_term = primary_term
        self.version = version
