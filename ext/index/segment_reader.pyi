from typing import Any, NamedTuple

from pyroaring import BitMap

from lanner.ext.codec.column_reader import ColumnReader, PointsReader
from lanner.ext.codec.stored_fields import BlockCache, StoredFieldsReader
from lanner.ext.codec.terms import TermsReader
from lanner.ext.codec.unpacked_postings import UnpackedCache

CACHE: BlockCache

class FieldInfo(NamedTuple):
    name: str
    kind: int
    postings: int
    norms: bool
    doc_values: bool
    points: bool
    doc_count: int
    sum_total_term_freq: int
    sum_doc_freq: int

class FieldReader:
    name: str
    number: int
    kind: int
    postings: int
    about: dict[str, Any]
    max_doc: int
    doc_count: int
    sum_total_term_freq: int
    sum_doc_freq: int
    terms: TermsReader | None
    column: ColumnReader | None
    points: PointsReader | None

class SegmentReader:
    name: str
    max_doc: int
    num_deleted: int
    fields_by_name: dict[str, FieldReader]
    stored: StoredFieldsReader
    deleted: BitMap
    bitmap_cache: dict[int, BitMap]
    unpacked: UnpackedCache
    row_sets: dict[bytes | None, Any]
    whole: SegmentReader | None
    def __init__(
        self, index: Any, source: Any, *, name: str = "", verify: bool = True, deleted: BitMap | None = None
    ) -> None: ...
    def bind(self, deleted: BitMap) -> None: ...
    def with_deleted(self, deleted: BitMap) -> SegmentReader: ...
    def searchable(self) -> SegmentReader: ...
    @property
    def has_nested(self) -> bool: ...
    def block_start(self, doc: int) -> int: ...
    def document_of(self, doc: int) -> int: ...
    @property
    def num_docs(self) -> int: ...
    def lookup(self, id: bytes) -> int: ...
    def lookup_all(self, ids: list[bytes]) -> list[tuple[bytes, int]]: ...
    def versions(self, doc: int) -> tuple[int, int, int]: ...
    def stored_row(self, doc: int) -> tuple[bytes, bytes | None, bytes]: ...
    def source(self, doc: int) -> bytes: ...
    def id(self, doc: int) -> bytes: ...
    def routing(self, doc: int) -> bytes | None: ...
    def numbers(self, field: str, doc: int) -> list[int]: ...
    def terms(self, field: str, doc: int) -> list[bytes]: ...
    @property
    def fields(self) -> dict[str, FieldInfo]: ...
    def sizes(self) -> dict[str, int]: ...
    def check(self) -> None: ...
