from typing import Final

from lanner.ext.analysis.chain import Chain

TEXT: Final = 0
TERM: Final = 1
NUMBER: Final = 2
NONE: Final = 0
DOCS: Final = 1
FREQS: Final = 2
POSITIONS: Final = 3
OFFSETS: Final = 4

class Field:
    name: str
    number: int
    kind: int
    postings: int
    norms: bool
    doc_values: bool
    points: bool
    chain: Chain | None
    position_gap: int
    def __init__(
        self,
        name: str,
        number: int,
        kind: int,
        *,
        postings: int = 0,
        norms: bool = False,
        doc_values: bool = False,
        points: bool = False,
        chain: Chain | None = None,
        position_gap: int = 100,
    ) -> None: ...
