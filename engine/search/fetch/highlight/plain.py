"""The plain highlighter: fragments of about one size, the best ones first.

Source: Highlighter, QueryScorer and the fragmenters of Lucene 9.
"""

from dataclasses import dataclass, field

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.fetch.highlight.encoders import ENCODERS
from lanner.engine.search.fetch.highlight.request import Options
from lanner.engine.search.fetch.highlight.text import FieldText
from lanner.engine.search.fetch.highlight.wanted import Wanted, marked, occurrences
from lanner.ext.highlight.marks import PlacedToken

MAX_GROUP = 50  # tokens at one place that count


@dataclass(slots=True)
class _Fragment:
    number: int
    parts: list[str] = field(default_factory=list)
    score: float = 0.0
    found: set[bytes] = field(default_factory=set)


@dataclass(slots=True)
class _Group:
    """Tokens whose offsets overlap. start, end: of those that are marked, or of the first ones."""

    start: int = 0
    end: int = 0
    first: int = 0
    last: int = 0
    score: float = 0.0
    size: int = 0

    def add(self, token: PlacedToken, score: float) -> None:
        """Take one more token in."""
        if self.size >= MAX_GROUP:
            return
        if self.size == 0:
            self.first = self.start = token.start
            self.last = self.end = token.end
            self.score = score
        else:
            self.first, self.last = min(self.first, token.start), max(self.last, token.end)
            if score > 0:
                if self.score == 0:
                    self.start, self.end = token.start, token.end
                else:
                    self.start, self.end = min(self.start, token.start), max(self.end, token.end)
                self.score += score
        self.size += 1


def highlight_plain(text: FieldText, wanted: Wanted, options: Options) -> list[str]:
    """Return the fragments of a field, none if nothing is marked and nothing else asked for."""
    fragmenter = options.fragmenter or "span"
    if options.number_of_fragments and fragmenter not in ("span", "simple"):
        raise IllegalArgument(f"unknown fragmenter option [{fragmenter}]")
    most = options.number_of_fragments or 1
    scores: list[dict[int, float]] = [{} for _ in text.values]
    tokens = text.tokens
    weights = dict(marked(wanted, tokens))
    values: list[list[PlacedToken]] = [[] for _ in text.values]
    for i, token in enumerate(tokens):
        value = text.value_at(token.start)
        score = weights.get(i)
        if score is not None:
            scores[value][len(values[value])] = score
        values[value].append(token)
    spans: dict[tuple[bytes, int], int] = {}  # (a term of a phrase, where the phrase begins) -> its end
    for phrase in wanted.phrases:
        for found in occurrences(phrase, tokens):
            for i in found.tokens:
                spans.setdefault((tokens[i].term, found.first), found.last)
    chosen: list[_Fragment] = []
    for value, base in enumerate(text.bases):
        fragments = _fragments(text.values[value], values[value], base, scores[value], spans, options)
        fragments.sort(key=lambda one: (-one.score, one.number))
        chosen += [one for one in fragments[:most] if one.score > 0]
    if options.order == "score":
        chosen.sort(key=lambda one: -one.score)
    if options.number_of_fragments or len(text.values) == 1:
        chosen = chosen[:most]
    if chosen:
        return ["".join(one.parts) for one in chosen]
    size = options.no_match_size
    if size > 0 and text.values:
        end = _good_end(size, values[0])
        if end > 0:
            return [text.values[0][:end]]
    return []


def _fragments(
    value: str,
    tokens: list[PlacedToken],
    base: int,
    scores: dict[int, float],
    spans: dict[tuple[bytes, int], int],
    options: Options,
) -> list[_Fragment]:
    encode = ENCODERS.get(options.encoder or "", str)
    before, behind = (options.pre_tags or ("",))[0], (options.post_tags or ("",))[0]
    size = options.fragment_size
    current = _Fragment(0)
    fragments = [current]
    group = _Group()
    at = 0

    def flush() -> int:
        if group.start > at:
            current.parts.append(encode(value[at : group.start]))
        shown = encode(value[group.start : group.end])
        current.parts.append(f"{before}{shown}{behind}" if group.score > 0 else shown)
        return max(group.end, at)

    waits = -1
    for i, token in enumerate(tokens):
        start, end = token.start - base, token.end - base
        if group.size and start >= group.last:
            at = flush()
            group = _Group()
            if options.number_of_fragments:
                new = end >= size * len(fragments)
                if options.fragmenter != "simple":
                    position = token.position - 1  # as the reference counts, which leaves out the first
                    if waits > position:
                        new = False
                    else:
                        waits = spans.get((token.term, position), -2) + 1
                        new = new and len(value) - end >= size // 2
                if new:
                    current = _Fragment(len(fragments))
                    fragments.append(current)
        score = scores.get(i, 0.0)
        if score and token.term not in current.found:
            current.found.add(token.term)
            current.score += score
        group.add(PlacedToken(token.term, start, end, token.position), score)
    if group.size:
        at = flush()
    if at < len(value):
        current.parts.append(encode(value[at:]))
    return fragments


def _good_end(size: int, tokens: list[PlacedToken]) -> int:
    """Return the end of the last token that fits into a size."""
    end = -1
    for token in tokens:
        if token.end >= size:
            return size if token.end == size else end
        end = token.end
    return end
