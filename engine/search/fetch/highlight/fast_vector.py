"""The fast vector highlighter: fragments around phrases, widened to boundaries.

The vectors that it reads are made anew from the text. Source: FastVectorHighlighter of Lucene 9.
"""

from dataclasses import dataclass
from typing import Protocol

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.fetch.highlight.encoders import ENCODERS
from lanner.engine.search.fetch.highlight.request import UNSET, Options
from lanner.engine.search.fetch.highlight.text import FieldText
from lanner.engine.search.fetch.highlight.wanted import Phrase, Wanted
from lanner.ext.highlight.breaks import Breaks, SentenceBreaks, WordBreaks
from lanner.ext.highlight.marks import PlacedToken

_MARGIN = 6


@dataclass(slots=True)
class _Occurrence:
    """What is marked together. offsets: (start, end) pairs. number: which of the tags are used."""

    offsets: list[tuple[int, int]]
    boost: float
    number: int

    @property
    def start(self) -> int:
        return self.offsets[0][0]

    @property
    def end(self) -> int:
        return self.offsets[-1][1]


@dataclass(slots=True)
class _Fragment:
    start: int
    end: int
    occurrences: list[_Occurrence]

    @property
    def boost(self) -> float:
        return sum(one.boost for one in self.occurrences)


class _Scanner(Protocol):
    def start(self, text: str, offset: int) -> int: ...
    def end(self, text: str, offset: int) -> int: ...


class _CharScanner:
    """Looks for certain characters, not too far away."""

    def __init__(self, chars: str, most: int) -> None:
        self._chars = chars
        self._most = most

    def start(self, text: str, offset: int) -> int:
        if offset > len(text) or offset < 1:
            return offset
        for at in range(offset, max(offset - self._most, 0), -1):
            if text[at - 1] in self._chars:
                return at
        return 0 if offset <= self._most else offset

    def end(self, text: str, offset: int) -> int:
        if offset > len(text) or offset < 0:
            return offset
        for at in range(offset, min(offset + self._most, len(text))):
            if text[at] in self._chars:
                return at
        return offset


class _BreakScanner:
    """Looks for boundaries of words or sentences."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._text = ""
        self._breaks: Breaks | None = None

    def _of(self, text: str) -> Breaks:
        if self._breaks is None or text != self._text:
            self._breaks = WordBreaks(text) if self._kind == "word" else SentenceBreaks(text)
            self._text = text
        return self._breaks

    def start(self, text: str, offset: int) -> int:
        if offset > len(text) or offset < 1:
            return offset
        return max(self._of(text).preceding(offset), 0)

    def end(self, text: str, offset: int) -> int:
        if offset > len(text) or offset < 0:
            return offset
        found = self._of(text).following(offset)
        return len(text) if found < 0 else found


def highlight_fast_vector(text: FieldText, wanted: Wanted, options: Options) -> list[str]:
    """Return the fragments of a field; its tokens may come from several ways of analysing it."""
    tokens = sorted(set(text.tokens), key=lambda token: (token.position, token.start, token.end))
    found = _occurrences(wanted, tokens, options.phrase_limit)
    if options.number_of_fragments == 0:
        fragments = [_Fragment(0, 2**31 - 1, found)] if found else []
    else:
        fragments = _fragments(found, options)
    scanner: _Scanner
    if (options.boundary_scanner or "chars") == "chars":
        scanner = _CharScanner(options.boundary_chars or "", options.boundary_max_scan)
    else:
        scanner = _BreakScanner(options.boundary_scanner or "")
    if len(text.values) > 1:
        fragments = _per_value(fragments, text)
    if options.order == "score":
        fragments.sort(key=lambda one: (-one.boost, one.start))
    most = options.number_of_fragments or 2**31 - 1
    source = _Source(text.values)
    shown = [_show(source, fragment, options, scanner) for fragment in fragments[:most]]
    if not shown and options.no_match_size > 0 and text.values:
        shown = [_show(source, _Fragment(0, options.no_match_size, []), options, scanner)]
    return shown


def _occurrences(wanted: Wanted, tokens: list[PlacedToken], most: int) -> list[_Occurrence]:
    """Return what is marked, in order: the longest phrase that begins at each token, or the token alone."""
    numbers: dict[bytes, int] = {}
    kept = [
        token
        for token in tokens
        if wanted.weight(token.term) is not None or any(one.places(token.term) for one in wanted.phrases)
    ]
    found: list[_Occurrence] = []
    last = -1
    i = 0
    while i < len(kept) and len(found) < most:
        run, boost, number = 1, wanted.weight(kept[i].term), 0
        for n, phrase in enumerate(wanted.phrases):
            length = _begins(phrase, kept, i)
            if length > run:
                run, boost, number = length, phrase.boost, n + 1
        if boost is None:
            i += 1
            continue
        if run == 1:
            number = len(wanted.phrases) + numbers.setdefault(kept[i].term, len(numbers))
        elif number:
            number -= 1
        offsets: list[tuple[int, int]] = []
        before: PlacedToken | None = None
        for token in kept[i : i + run]:
            if before is not None and token.position - before.position == 1:
                offsets[-1] = (offsets[-1][0], token.end)
            else:
                offsets.append((token.start, token.end))
            before = token
        one = _Occurrence(offsets, boost, number)
        if one.start >= last:
            found.append(one)
            last = one.end
        i += run
    return found


def _begins(phrase: Phrase, tokens: list[PlacedToken], i: int) -> int:
    """Return how many tokens from one on are an occurrence of a phrase, 0 if they are none."""
    n = len(phrase.terms)
    if i + n > len(tokens):
        return 0
    for place in range(n):
        token = tokens[i + place]
        if place not in phrase.places(token.term):
            return 0
        if place:
            step = phrase.positions[place] - phrase.positions[place - 1]
            if abs(token.position - tokens[i + place - 1].position - step) > phrase.slop:
                return 0
    return n


def _fragments(found: list[_Occurrence], options: Options) -> list[_Fragment]:
    size = options.fragment_size
    margin = _MARGIN if options.fragment_offset == UNSET else options.fragment_offset
    least = max(1, margin * 3)
    if size < least:
        raise IllegalArgument(f"fragCharSize({size}) is too small. It must be {least} or higher.")
    fragments: list[_Fragment] = []
    border = 0
    i = 0
    while i < len(found):
        first = found[i]
        if first.start < border:
            i += 1
            continue
        until = max(first.end, max(first.start - margin, border) + size)
        end = first.end
        taken: list[_Occurrence] = []
        while i < len(found) and (not taken or found[i].end <= until):
            if found[i] is not first and found[i].end > until:
                break
            end = found[i].end
            if len(found[i].offsets) <= 1 or end - first.start <= size:
                taken.append(found[i])
            i += 1
        if not taken:
            continue
        length = end - first.start
        start = max(first.start - max(0, (size - length) // 2), border)
        border = start + max(length, size)
        fragments.append(_Fragment(start, border, taken))
    return fragments


def _per_value(fragments: list[_Fragment], text: FieldText) -> list[_Fragment]:
    """Cut fragments where values end; each part keeps what is marked in it."""
    found = []
    for value, base in enumerate(text.bases):
        end = base + len(text.values[value]) + 1
        for fragment in fragments:
            inside = [one for one in fragment.occurrences if base <= one.start and one.end <= end]
            if inside:
                found.append(_Fragment(max(fragment.start, base), min(fragment.end, end), inside))
    return found


class _Source:
    """As much of the values as the fragments so far needed, each followed by a blank."""

    def __init__(self, values: list[str]) -> None:
        self._values = values
        self._loaded = 0
        self.text = ""

    def reach(self, end: int) -> int:
        """Load values up to an offset; return the length of what is there."""
        parts = [self.text]
        size = len(self.text)
        while size < end and self._loaded < len(self._values):
            value = self._values[self._loaded]
            parts.append(f"{value} ")
            size += len(value) + 1
            self._loaded += 1
        self.text = "".join(parts)
        return size - 1


def _show(source: _Source, fragment: _Fragment, options: Options, scanner: _Scanner) -> str:
    encode = ENCODERS.get(options.encoder or "", str)
    before, behind = options.pre_tags or ("",), options.post_tags or ("",)
    length = source.reach(fragment.end)
    joined = source.text
    end = length if length < fragment.end else scanner.end(joined, fragment.end)
    at = scanner.start(joined, fragment.start)
    shown: list[str] = []
    for one in fragment.occurrences:
        for first, last in one.offsets:
            tags = before[one.number % len(before)], behind[one.number % len(behind)]
            shown += (encode(joined[at:first]), tags[0], encode(joined[first:last]), tags[1])
            at = last
    shown.append(encode(joined[at:end]))
    return "".join(shown)
