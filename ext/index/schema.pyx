"""What a column of a segment is: the part of a field type that the compiled code needs."""

from lanner.ext.analysis.chain cimport Chain

# kinds
TEXT = 0  # str, analysed
TERM = 1  # bytes, as they are
NUMBER = 2  # int64, encoded so that its order is the order of the values
# how much of the postings is kept
NONE = 0
DOCS = 1
FREQS = 2
POSITIONS = 3
OFFSETS = 4


cdef class Field:
    """An immutable column description.

    number: stable for the life of an index; two columns never share one. postings: how much of the postings is kept.
    position_gap: positions between two values of one document.
    """

    def __init__(
        self,
        str name,
        int number,
        int kind,
        *,
        int postings=0,
        bint norms=False,
        bint doc_values=False,
        bint points=False,
        Chain chain=None,
        int position_gap=100,
    ):
        if kind not in (0, 1, 2) or not 0 <= postings <= 4:
            raise ValueError(f"column [{name}] has an unknown kind")
        if kind == 0 and chain is None:
            raise ValueError(f"text column [{name}] needs an analyzer")
        if kind == 2 and postings:
            raise ValueError(f"number column [{name}] has no postings")
        self.name = name
        self.number = number
        self.kind = kind
        self.postings = postings
        self.norms = norms
        self.doc_values = doc_values
        self.points = points
        self.chain = chain
        self.position_gap = position_gap

    def __repr__(self):
        return f"Field({self.name!r}, {self.number}, kind={self.kind})"
