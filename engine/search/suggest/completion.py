"""completion: texts of documents that begin like what somebody types, the heaviest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from lanner.engine.common.errors import IllegalArgument, ParseError
from lanner.engine.common.fuzziness import parse_fuzziness
from lanner.engine.common.object_parser import FLAG, SHORT, TEXT, Field, parse_object
from lanner.engine.mapping.types.completion import CONTEXT_END, CompletionFieldType
from lanner.engine.query.regexp_syntax import ALL, read_flags, regexp_automaton
from lanner.engine.search.fetch.doc_values import bind_doc_values
from lanner.engine.search.fetch.stored import stored_names
from lanner.engine.search.fetch_phase import fetch
from lanner.engine.search.query_phase import ShardResult, ShardTarget
from lanner.engine.search.request import SearchRequest
from lanner.engine.search.suggest.base import Entry, SuggestContext, Suggestion
from lanner.engine.search.suggest.contexts import AskedContext, asked_contexts
from lanner.ext.automaton.completions import Completions, completions_of
from lanner.ext.automaton.machine import AutomatonMachine, Machine, SpellingMachine
from lanner.ext.search.reader import IndexReader

_F = np.float32
MAX_DOC_VALUES = 100
_WORK_LIMIT = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzy:
    """What is allowed in the spelling. by_characters: edits count characters, not the bytes of UTF-8."""

    edits: int = 1
    min_length: int = 3
    prefix_length: int = 1
    transpositions: bool = True
    by_characters: bool = False
    limit: int = _WORK_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """How a regular expression is read."""

    flags: int = ALL
    limit: int = _WORK_LIMIT


class Option(NamedTuple):
    """A proposal of a document. contexts: those it was found by, by name."""

    text: bytes
    score: float
    target: ShardTarget
    reader: IndexReader
    segment: int
    doc: int
    contexts: dict[str, list[str]]


class Beginning(NamedTuple):
    """A stretch of proposals that begin alike, and what their weights are multiplied by, 0 for nothing."""

    lo: int
    hi: int
    boost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionSuggestion(Suggestion):
    """Texts that begin so."""

    kind = "completion"
    fuzzy: Fuzzy | None = None
    pattern: Pattern | None = None
    contexts: dict[str, Any] | None = None
    skip_duplicates: bool = False

    def suggest(self, context: SuggestContext, text: str) -> list[Entry]:
        """Look for the proposals with the greatest weights."""
        field = context.field_type(self.field)
        if not isinstance(field, CompletionFieldType):
            raise IllegalArgument(f"Field [{self.field}] is not a completion suggest field")
        context.analyzer(field, self.analyzer)  # it must exist, but the field's own is used
        asked = asked_contexts(self.contexts, field)
        entry = Entry(text, 0, len(text.encode("utf-16-le", "surrogatepass")) // 2)
        search = _Search(self, field, asked, self._typed(text))
        entry.options = search.options(context, self.shard_count())[: self.size]
        return [entry]

    def _typed(self, text: str) -> str | None:
        """Return what somebody typed; None if a regular expression is asked for."""
        if self.prefix is not None:
            return self.prefix
        if self.regex is None or self.text is not None:
            return text
        if self.fuzzy is not None:
            raise IllegalArgument("can not use 'fuzzy' options with 'regex")
        return None

    def merge(self, entries: list[Entry]) -> list[Option]:
        """Return the best of all shards."""
        found = [option for entry in entries for option in entry.options]
        found.sort(key=lambda option: (-option.score, option.text))
        if not self.skip_duplicates:
            return found
        first: dict[bytes, Option] = {}
        for option in found:
            first.setdefault(option.text, option)
        return list(first.values())

    def render(self, options: list[Option], request: SearchRequest, now_millis: int) -> list[dict[str, Any]]:
        """Show the documents that propose the texts, as hits."""
        shards: dict[int, ShardResult] = {}
        hits = []
        for option in options:
            shard = shards.get(id(option.target))
            if shard is None:
                shard = _shown_by(option, request)
                shards[id(option.target)] = shard
            hits.append((shard, len(shard.docs)))
            shard.segments.append(option.segment)
            shard.docs.append(option.doc)
            shard.scores.append(option.score)
        shown = []
        for option, hit in zip(options, fetch(hits, request, now_millis), strict=True):
            one = {"text": option.text.decode("utf-8", "replace"), **hit}
            if option.contexts:
                one["contexts"] = option.contexts
            shown.append(one)
        return shown


def _shown_by(option: Option, request: SearchRequest) -> ShardResult:
    """Return the result of a shard without hits, with what is to be shown of them."""
    target = option.target
    doc_values: list[Any] = []
    if request.doc_value_fields:
        doc_values = bind_doc_values(
            request.doc_value_fields, target.mapping, target.index, most=MAX_DOC_VALUES
        )
    stored = stored_names(request.stored_fields, target.mapping) if request.stored_fields else []
    return ShardResult(
        target, option.reader, 0, "eq", [], [], [], None, None, [], doc_values, stored, False, False
    )


class _Search:
    """The search for proposals on one shard."""

    def __init__(
        self,
        asked: CompletionSuggestion,
        field: CompletionFieldType,
        contexts: list[AskedContext],
        typed: str | None,
    ) -> None:
        self.asked = asked
        self.field = field
        self.contexts = contexts
        self.machines: list[Machine] = []
        self.keys: list[bytes] = []
        self.by_bytes = False
        if typed is not None:
            self.keys = field.keys(field.search_analyzer, typed)
            if asked.fuzzy is not None:
                self.by_bytes = not asked.fuzzy.by_characters
                self.machines = [_spelling(key, asked.fuzzy) for key in self.keys]
        elif asked.regex:
            pattern = asked.pattern or Pattern()
            automaton = regexp_automaton(asked.regex, flags=pattern.flags, limit=pattern.limit)
            self.machines = [AutomatonMachine(automaton)]

    def options(self, context: SuggestContext, count: int) -> list[Option]:
        """Return the best proposals, one of each document, at most so many."""
        found: list[Option] = []
        for number, segment in enumerate(context.reader.segments):
            completions = completions_of(segment, self.field.name)
            if completions is not None:
                found += self._of_segment(context, number, completions, count)
        found.sort(key=lambda option: (-option.score, option.text, option.segment, option.doc))
        if self.asked.skip_duplicates:
            first: dict[bytes, Option] = {}
            for option in found:
                first.setdefault(option.text, option)
            found = list(first.values())
        return found[:count]

    def _of_segment(
        self, context: SuggestContext, number: int, completions: Completions, count: int
    ) -> list[Option]:
        """Return the best proposals of a segment."""
        segment = context.reader.segments[number]
        deleted = segment.deleted
        found: dict[int, Option] = {}
        texts: set[bytes] = set()
        beginnings = self._beginnings(completions)
        # how many proposals are looked at, those of deleted documents and further ones of a document
        # included: as the queue of the reference, which may end before so many documents are found
        budget = count * len(beginnings) * segment.max_doc // max(segment.num_docs, 1)
        for score, ord_ in _best_first(completions, beginnings):
            key, text = completions.proposal(ord_)
            for doc in completions.docs(ord_):
                if budget == 0:
                    return list(found.values())
                budget -= 1
                if doc in deleted or (self.asked.skip_duplicates and text in texts):
                    continue
                texts.add(text)
                option = found.get(doc)
                if option is None:
                    option = Option(text, score, context.target, context.reader, number, doc, {})
                    found[doc] = option
                self._note_context(key, option)
                if len(found) >= count:
                    return list(found.values())
        return list(found.values())

    def _note_context(self, key: bytes, option: Option) -> None:
        if not self.field.contexts:
            return
        kind = self.field.contexts[key[0] - 1]
        name = key[1 : key.index(CONTEXT_END)].decode("utf-8", "replace")
        names = option.contexts.setdefault(kind.name, [])
        if name not in names:
            names.append(name)

    def _beginnings(self, completions: Completions) -> list[Beginning]:
        """Return the stretches of a segment that are asked for; none overlap."""
        boosts: dict[bytes, float] = {}
        for asked in self.contexts:
            starts = [asked.start]
            if not asked.whole:
                starts = completions.contexts(asked.start, CONTEXT_END[0])
            for start in starts:
                boosts[start] = max(asked.boost, boosts.get(start, 0.0))
        found = []
        for start, boost in boosts.items():
            for lo, hi, own in self._stretches(completions, start):
                if lo < hi:
                    found.append(Beginning(lo, hi, boost + own))
        return found

    def _stretches(self, completions: Completions, start: bytes) -> list[tuple[int, int, float]]:
        found: list[tuple[int, int, float]] = []
        if not self.machines:
            found = [(*completions.stretch(start + key), 0.0) for key in self.keys]
        for machine in self.machines:
            for lo, hi, begins in completions.stretches(machine, start, by_bytes=self.by_bytes):
                found.append((lo, hi, self._likeness(begins)))
        if len(self.keys) < 2:
            return found
        found.sort(key=lambda one: (one[0], -one[1]))
        outer: list[tuple[int, int, float]] = []
        for one in found:
            if not outer or one[1] > outer[-1][1]:
                outer.append(one)
        return outer

    def _likeness(self, begins: bytes) -> float:
        """Return how many first characters are those that were typed: nearer spellings count more."""
        fuzzy = self.asked.fuzzy
        if fuzzy is None:
            return 0.0
        most = 0
        for key in self.keys:
            typed: Any = key.decode("utf-8", "replace") if fuzzy.by_characters else key
            units = [ord(char) for char in typed] if fuzzy.by_characters else typed
            same = 0
            while same < min(len(units), len(begins)) and units[same] == begins[same]:
                same += 1
            most = max(most, same)
        return float(most)


def _spelling(key: bytes, fuzzy: Fuzzy) -> Machine:
    """Return the machine for what is spelled almost like a key."""
    word = key.decode("utf-8", "replace") if fuzzy.by_characters else key.decode("latin-1")
    if len(word) <= fuzzy.prefix_length or len(word) < fuzzy.min_length:
        return SpellingMachine(word, 0)
    return SpellingMachine(word, fuzzy.edits, prefix=fuzzy.prefix_length, swaps=fuzzy.transpositions)


def _best_first(completions: Completions, beginnings: list[Beginning]) -> Iterator[tuple[float, int]]:
    """Yield (score, ord) of proposals, the best first, equal ones in the order of their keys."""
    heap = []
    for lo, hi, boost in beginnings:
        ord_, weight = completions.best(lo, hi)
        heap.append((-_score(weight, boost), ord_, lo, hi, boost))
    heapify(heap)
    while heap:
        score, ord_, lo, hi, boost = heappop(heap)
        for low, high in ((lo, ord_), (ord_ + 1, hi)):
            if low < high:
                best, weight = completions.best(low, high)
                heappush(heap, (-_score(weight, boost), best, low, high, boost))
        yield -score, ord_


def _score(weight: int, boost: float) -> float:
    """Return what a proposal counts, as 32-bit floats multiply."""
    if boost == 0:
        return float(_F(weight))
    return float(_F(weight or 1) * _F(boost))


# -- reading


def _least(least: int, message: str) -> Field:
    def read(value: Any, key: str) -> int:
        number: int = SHORT.read(value, key)  # type: ignore[misc]
        if number < least:
            raise IllegalArgument(message)
        return number

    return Field(SHORT.kinds, read)


def _fuzziness(value: Any, key: str) -> int:
    edits = parse_fuzziness(str(value)).edits
    return 1 if edits is None else edits


_FUZZY = {
    "fuzziness": Field((str, int, float), _fuzziness),
    "min_length": _least(0, "fuzzyMinLength must not be negative"),
    "prefix_length": _least(0, "fuzzyPrefixLength must not be negative"),
    "transpositions": FLAG,
    "unicode_aware": FLAG,
    "max_determinized_states": _least(0, "maxDeterminizedStates must not be negative"),
}
_FUZZY_NAMES = {"fuzziness": "edits", "unicode_aware": "by_characters", "max_determinized_states": "limit"}


def _fuzzy(value: Any, key: str) -> Fuzzy | None:
    if isinstance(value, bool):
        return Fuzzy() if value else None
    values = parse_object("fuzzy", value, _FUZZY)
    return Fuzzy(**{_FUZZY_NAMES.get(name, name): given for name, given in values.items()})


def _pattern(value: Any, key: str) -> Pattern:
    fields = {
        "flags": Field((str,), lambda given, _: read_flags(given)),
        "flags_value": SHORT,
        "max_determinized_states": _least(0, "maxDeterminizedStates must not be negative"),
    }
    values = parse_object("regex", value, fields)
    flags = values.get("flags", values.get("flags_value", ALL))
    return Pattern(flags=flags, limit=values.get("max_determinized_states", _WORK_LIMIT))


_KEYS = {
    "field": TEXT,
    "analyzer": TEXT,
    "size": _least(1, "size must be positive"),
    "shard_size": SHORT,
    "fuzzy": Field((dict, bool), _fuzzy),
    "regex": Field((dict,), _pattern),
    "contexts": Field((dict,)),
    "skip_duplicates": FLAG,
}


def parse_completion(body: dict[str, Any]) -> CompletionSuggestion:
    """Read the object of a completion suggester."""
    values = parse_object("completion", body, _KEYS)
    if "field" not in values:
        raise ParseError("the required field option [field] is missing")
    if not values["field"]:
        raise IllegalArgument("suggestion field name is empty")
    if "regex" in values:
        values["pattern"] = values.pop("regex")
    return CompletionSuggestion(**values)
