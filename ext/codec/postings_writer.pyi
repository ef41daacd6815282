from typing import Any

from lanner.ext.codec.bytes_writer import BytesWriter

SEED_RANKS: tuple[int, ...]

class PostingsWriter:
    entries: BytesWriter
    postings: BytesWriter
    positions: BytesWriter
    bitmaps: BytesWriter
    sum_doc_freq: int
    sum_total_term_freq: int
    def __init__(
        self, max_doc: int, norms: Any, average: float, with_freqs: bool, with_positions: bool
    ) -> None: ...
