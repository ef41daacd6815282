from pyroaring import BitMap

from lanner.ext.index.document import Document
from lanner.ext.index.schema import Field

ID: Field
SEQ_NO: Field
PRIMARY_TERM: Field
VERSION: Field
NESTED_PATH: Field
METADATA: tuple[Field, ...]
FIRST_FREE_NUMBER: int

class WriteBuffer:
    max_doc: int
    def add(self, documents: list[Document]) -> int: ...
    def block_start(self, doc: int) -> int: ...
    def delete(self, doc: int) -> None: ...
    def deleted(self) -> BitMap: ...
    @property
    def num_docs(self) -> int: ...
    @property
    def ram_bytes(self) -> int: ...
    def write_segment(self) -> dict[str, list[bytes | memoryview]]: ...
