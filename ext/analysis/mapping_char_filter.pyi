from collections.abc import Iterable

from lanner.ext.analysis.chain import CharFilter

class MappingCharFilter(CharFilter):
    def __init__(self, rules: Iterable[tuple[str, str]]) -> None: ...
    @property
    def rules(self) -> tuple[tuple[str, str], ...]: ...
