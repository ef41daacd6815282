"""One document on its way into the write buffer."""


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
