"""What a suggester is: the extension point of suggestions."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

from lanner.engine.common.errors import IllegalArgument, IllegalStateError
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.search.query_phase import ShardTarget
from lanner.engine.search.request import SearchRequest
from lanner.ext.search.reader import IndexReader

DEFAULT_SIZE = 5


@dataclass(frozen=True, slots=True)
class SuggestContext:
    """One shard that is asked. texts: of the suggestion, see Texts; now_millis: for date math of filters."""

    target: ShardTarget
    reader: IndexReader
    now_millis: int

    def field_type(self, name: str) -> FieldType:
        """Return the field that a suggestion is about; raises IllegalArgument."""
        found = self.target.mapping.field_type(name)
        if found is None:
            raise IllegalArgument(f"no mapping found for field [{name}]")
        return found

    def analyzer(self, field_type: FieldType, given: str | None) -> Any | None:
        """Return the analyzer that a suggestion names, or the field's own; None if a text is one value."""
        if given is None:
            return field_type.query_analyzer()
        try:
            return self.target.mapping.registry.analyzer(given)
        except IllegalArgument:
            raise IllegalArgument(f"analyzer [{given}] doesn't exists") from None


@dataclass(slots=True)
class Entry:
    """What is proposed for one part of a text. offset and length: in UTF-16 units. options: best first."""

    text: str
    offset: int
    length: int
    options: list[Any] = field(default_factory=list)
    cutoff: float = float("-inf")  # options that score no more do not count, on any shard


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion(ABC):
    """One suggestion as asked. text: what it is about, None for the text that all share."""

    kind: ClassVar[str]
    name: str = ""
    text: str | None = None
    prefix: str | None = None
    regex: str | None = None
    field: str
    analyzer: str | None = None
    size: int = DEFAULT_SIZE
    shard_size: int | None = None

    def shared_text(self, global_text: str | None) -> str:
        """Return the text; raises IllegalArgument if there is none."""
        for given in (self.text, self.prefix, self.regex, global_text):
            if given is not None:
                return given
        raise IllegalArgument("The required text option is missing")

    def shard_count(self) -> int:
        """Return how many options a shard gives; raises IllegalArgument."""
        if self.shard_size is None:
            return max(self.size, DEFAULT_SIZE)
        if self.shard_size <= 0:
            raise IllegalArgument(f"ShardSize must be positive but was: {self.shard_size}")
        return self.shard_size

    @abstractmethod
    def suggest(self, context: SuggestContext, text: str) -> list[Entry]:
        """Return what one shard proposes; raises what a shard answers."""

    @abstractmethod
    def merge(self, entries: list[Entry]) -> list[Any]:
        """Return the options of one part of the text over several shards, best first."""

    @abstractmethod
    def render(self, options: list[Any], request: SearchRequest, now_millis: int) -> list[dict[str, Any]]:
        """Return options as the answer shows them."""

    def reduce(self, shards: list[list[Entry]]) -> list[Entry]:
        """Return what all shards propose, of each part of the text as many as were asked for."""
        first = shards[0]
        if any(len(entries) != len(first) for entries in shards):
            raise IllegalStateError(
                "Can't merge suggest result, this might be caused by suggest calls across multiple indices "
                f"with different analysis chains. Suggest entries have different sizes actual "
                f"[{[len(entries) for entries in shards if len(entries) != len(first)][0]}] expected "
                f"[{len(first)}]"
            )
        reduced = []
        for i, entry in enumerate(first):
            options = entry.options
            if len(shards) > 1:
                options = self.merge([entries[i] for entries in shards])
            reduced.append(Entry(entry.text, entry.offset, entry.length, options[: self.size]))
        return reduced


@dataclass(frozen=True, slots=True)
class Suggest:
    """All suggestions of a search, sorted by name. text: what those are about that have none of their own."""

    suggestions: tuple[Suggestion, ...]
    text: str | None = None
