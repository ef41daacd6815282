from collections.abc import Iterable

from lanner.ext.automaton.machine import Machine
from lanner.ext.codec.terms import TermsReader
from lanner.ext.query.doc_set import SetWeight
from lanner.ext.search.reader import IndexReader

class TermsWeight(SetWeight):
    def __init__(self, reader: IndexReader, field: str, terms: Iterable[bytes]) -> None: ...

class MachineWeight(SetWeight):
    def __init__(self, reader: IndexReader, field: str, machine: Machine) -> None: ...

class OrdRangeWeight(SetWeight):
    def bounds(self, terms: TermsReader) -> tuple[int, int]: ...

class PrefixWeight(OrdRangeWeight):
    def __init__(self, reader: IndexReader, field: str, prefix: bytes) -> None: ...

class TermRangeWeight(OrdRangeWeight):
    def __init__(
        self,
        reader: IndexReader,
        field: str,
        lower: bytes | None,
        upper: bytes | None,
        *,
        include_lower: bool = True,
        include_upper: bool = True,
    ) -> None: ...
