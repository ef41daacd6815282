from collections.abc import Iterable
from typing import Literal

from lanner.ext.analysis.chain import TokenFilter, Tokenizer

class NGramFilter(TokenFilter):
    def __init__(
        self,
        least: int,
        most: int,
        *,
        side: Literal["front", "back"] | None = None,
        preserve_original: bool = False,
    ) -> None: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def preserve_original(self) -> bool: ...

class NGramTokenizer(Tokenizer):
    def __init__(
        self, least: int, most: int, *, edges: bool = False, kind_bits: int = 0, others: Iterable[int] = ()
    ) -> None: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def edges(self) -> bool: ...
