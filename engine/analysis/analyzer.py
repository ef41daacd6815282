"""Analyzers and normalizers: named parts, and the compiled chain that is made of them on first use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

from lanner.engine.analysis.parameters import Limits, Parameters
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import Chain, CharFilter, TokenFilter, Tokenizer

Part = TypeVar("Part", CharFilter, Tokenizer, TokenFilter)

POSITION_INCREMENT_GAP = 100  # positions between two values of a field


@dataclass(frozen=True, slots=True)
class Component(Generic[Part]):
    """One part of an analyzer under its name; made late, because some parameters are refused only on use."""

    name: str
    make: Callable[[], Part]
    normalizing: bool = False  # may be part of a normalizer
    bind: "Callable[[Surroundings], Callable[[], Part]] | None" = (
        None  # for filters that look around themselves
    )
    in_synonyms: "Callable[[], Part] | None" = (
        None  # what it is where rules of synonyms are read; None: the same
    )
    parses_synonyms: bool = True  # rules of synonyms may be read after it

    def bound(self, around: "Surroundings") -> "Component[Part]":
        """Return the part for its place in a chain."""
        return self if self.bind is None else replace(self, make=self.bind(around), bind=None)

    def for_synonyms(self) -> "Component[Part]":
        """Return the part as the reader of synonyms uses it; raises IllegalArgument."""
        if not self.parses_synonyms:
            raise IllegalArgument(f"Token filter [{self.name}] cannot be used to parse synonyms")
        return self if self.in_synonyms is None else replace(self, make=self.in_synonyms)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands before a token filter in its chain, and the filters that it may name."""

    tokenizer: Component[Tokenizer]
    char_filters: Sequence[Component[CharFilter]]
    token_filters: Sequence[Component[TokenFilter]]
    find: Callable[[str], Component[TokenFilter] | None]


@dataclass(frozen=True, slots=True)
class PartType(Generic[Part]):
    """One kind of char filter or token filter.

    create checks parameters as OpenSearch's factories do when settings are read; the function that it returns
    makes the part and checks what OpenSearch checks only on use. With looks_around that function is given the
    Surroundings and returns one that makes the part.
    """

    create: Callable[[Parameters], Callable[..., Any]]
    normalizing: bool = False  # allowed in normalizers
    # parameters of the bare name, or the function that makes the part that goes by it; None: not usable so
    bare: Mapping[str, str] | Callable[[], Part] | None = field(default_factory=dict)
    bare_normalizing: bool | None = None  # None: as normalizing
    looks_around: bool = False
    parses_synonyms: bool = True
    in_synonyms: Callable[[Parameters], Callable[[], Part]] | None = None

    def component(self, name: str, parameters: Parameters) -> Component[Part]:
        """Return the part for parameters; raises IllegalArgument."""
        made = self.create(parameters)
        other = None if self.in_synonyms is None else self.in_synonyms(parameters)
        if self.looks_around:
            return Component(name, _unbound, self.normalizing, made, other, self.parses_synonyms)
        return Component(name, made, self.normalizing, None, other, self.parses_synonyms)

    def bare_component(self, name: str, limits: Limits) -> Component[Part] | None:
        """Return the part that goes by the bare name of the type, None if it needs parameters."""
        if self.bare is None:
            return None
        if isinstance(self.bare, Mapping):
            made = self.component(name, Parameters(self.bare, limits))
        else:
            made = Component(name, self.bare, self.normalizing, parses_synonyms=self.parses_synonyms)
        return made if self.bare_normalizing is None else replace(made, normalizing=self.bare_normalizing)


def _unbound() -> Any:
    raise TypeError("a part that looks around itself was not bound")


def bind_filters(
    tokenizer: Component[Tokenizer],
    char_filters: Sequence[Component[CharFilter]],
    token_filters: Sequence[Component[TokenFilter]],
    find: Callable[[str], Component[TokenFilter] | None],
) -> list[Component[TokenFilter]]:
    """Return the token filters of a chain, each bound to what stands before it; raises IllegalArgument."""
    bound: list[Component[TokenFilter]] = []
    for part in token_filters:
        bound.append(part.bound(Surroundings(tokenizer, char_filters, tuple(bound), find)))
    return bound


class QueryToken(NamedTuple):
    """A token as queries need it."""

    term: bytes
    position: int
    start_offset: int
    end_offset: int
    position_length: int = 1


MOST_REMEMBERED = 256  # characters of a text whose tokens are kept


class Analyzer:
    """A named analyzer. Immutable but for its chain, which is made on first use."""

    def __init__(
        self,
        name: str,
        tokenizer: Component[Tokenizer],
        token_filters: Sequence[Component[TokenFilter]] = (),
        char_filters: Sequence[Component[CharFilter]] = (),
        *,
        position_increment_gap: int = POSITION_INCREMENT_GAP,
        custom: bool = False,
        explained_gap: int | None = None,
    ) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self.token_filters = tuple(token_filters)
        self.char_filters = tuple(char_filters)
        self.position_increment_gap = position_increment_gap
        # explain looks past what a field or a request put around the analyzer, at the gap that it has itself
        self.explained_gap = position_increment_gap if explained_gap is None else explained_gap
        self.custom = custom  # put together from parts that explain shows one by one
        self._chain: Chain | None = None
        self._normalizing: Chain | None = None
        #: a text and its tokens: a query is asked for them while it is judged, and when it is searched
        self._last: tuple[str | None, list[QueryToken]] = (None, [])

    @property
    def chain(self) -> Chain:
        """The compiled chain; raises IllegalArgument if a part refuses its parameters."""
        if self._chain is None:
            self._chain = Chain(
                [part.make() for part in self.char_filters],
                self.tokenizer.make(),
                [part.make() for part in self.token_filters],
            )
        return self._chain

    def renamed(self, name: str, *, position_increment_gap: int | None = None) -> "Analyzer":
        """Return the same analyzer under another name or with another gap."""
        other = type(self)(
            name,
            self.tokenizer,
            self.token_filters,
            self.char_filters,
            position_increment_gap=self.position_increment_gap
            if position_increment_gap is None
            else position_increment_gap,
            custom=self.custom,
            explained_gap=self.explained_gap,
        )
        other._chain = self._chain
        return other

    def query_tokens(self, text: str) -> list[QueryToken]:
        """Return the tokens of a text, which the caller leaves as they are; raises IllegalArgument."""
        last_text, last = self._last
        if text == last_text:
            return last
        graph = self.chain.graph  # if not, queries must not look for ways through it
        tokens = [
            QueryToken(term, at, start, end, n if graph else 1)
            for term, start, end, at, _, n, *_ in self.chain.tokens(text)
        ]
        if len(text) <= MOST_REMEMBERED:
            self._last = (text, tokens)
        return tokens

    def terms(self, text: str) -> list[list[bytes]]:
        """Return the terms of a text, those of one position together."""
        groups: list[list[bytes]] = []
        last = -1
        for token in self.query_tokens(text):
            if token.position != last or not groups:
                groups.append([])
                last = token.position
            groups[-1].append(token.term)
        return groups

    def positions(self, text: str) -> list[int]:
        """Return the positions that the groups of terms stand at."""
        return list(dict.fromkeys(token.position for token in self.query_tokens(text)))

    @property
    def shingle_sizes(self) -> "Any | None":
        """The part that makes terms of several words, with least, most and unigrams; None without one."""
        for part in self.chain.token_filters:
            made = getattr(part, "function", None)
            if hasattr(made, "unigrams") and hasattr(made, "least"):
                return made
        return None

    def normalize(self, text: str) -> str:
        """Return the text as one term, through those parts only that a normalizer may have."""
        if self._normalizing is None:
            from lanner.ext.analysis.char_tokenizers import KeywordTokenizer

            filters = [part.make() for part in self.token_filters if part.normalizing]
            chars = [part.make() for part in self.char_filters if part.normalizing]
            self._normalizing = Chain(chars, KeywordTokenizer(), filters)
        tokens = self._normalizing.tokens(text)
        return tokens[0][0].decode("utf-8", "replace") if tokens else ""


class Normalizer(Analyzer):
    """An analyzer of keyword fields: its tokenizer keeps the text whole."""
