from collections.abc import Callable, Iterable
from typing import TypeAlias

from lanner.ext.analysis.chain import CharFilter, TokenFilter, Tokenizer

# first character, character after the last, what stands there instead
_Replacement: TypeAlias = tuple[int, int, str]

class Token:
    term: str
    start: int
    end: int
    increment: int
    position_length: int
    frequency: int
    type: str
    keyword: bool
    payload: bytes | None
    def __init__(
        self,
        term: str,
        start: int,
        end: int,
        *,
        increment: int = 1,
        position_length: int = 1,
        type: str = "word",
        keyword: bool = False,
    ) -> None: ...
    def copy(self, term: str) -> Token: ...

class TokenList:
    tokens: list[Token]
    trailing_increment: int
    end_offset: int

class StreamFilter(TokenFilter):
    def __init__(
        self,
        function: Callable[[TokenList], None],
        *,
        marks_keywords: bool = False,
        has_payloads: bool = False,
        disables_graph: bool = False,
        refuses: bool = False,
    ) -> None: ...
    @property
    def function(self) -> Callable[[TokenList], None]: ...

class TermFilter(TokenFilter):
    def __init__(
        self, function: Callable[[str], str], *, spare_keywords: bool = False, refuses: bool = False
    ) -> None: ...
    @property
    def function(self) -> Callable[[str], str]: ...
    @property
    def spare_keywords(self) -> bool: ...

class FunctionTokenizer(Tokenizer):
    def __init__(self, function: Callable[[str], Iterable[Token]], *, refuses: bool = False) -> None: ...
    @property
    def function(self) -> Callable[[str], Iterable[Token]]: ...

class FunctionCharFilter(CharFilter):
    def __init__(
        self, function: Callable[[str], Iterable[_Replacement]], *, refuses: bool = False
    ) -> None: ...
    @property
    def function(self) -> Callable[[str], Iterable[_Replacement]]: ...

def filter_token(filters: tuple[TokenFilter, ...], token: Token) -> list[Token]: ...
