"""Filters that split terms at changes of case, between letters and digits, and at anything else.

Source: WordDelimiterFilter and WordDelimiterGraphFilter of Lucene 9.12 for the rules, order, positions and
offsets.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.tokens import places_of
from lanner.engine.analysis.words import word_list, word_set
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]

# kinds of characters, as bits
LOWER, UPPER, DIGIT, DELIMITER = 1, 2, 4, 8
ALPHA, ALPHANUM = LOWER | UPPER, LOWER | UPPER | DIGIT
_NAMES = {
    "LOWER": LOWER, "UPPER": UPPER, "ALPHA": ALPHA, "DIGIT": DIGIT, "ALPHANUM": ALPHANUM,
    "SUBWORD_DELIM": DELIMITER,
}  # fmt: skip
_CATEGORIES = {
    "Lu": UPPER, "Ll": LOWER, "Lt": ALPHA, "Lm": ALPHA, "Lo": ALPHA, "Mn": ALPHA, "Me": ALPHA, "Mc": ALPHA,
    "Nd": DIGIT, "Nl": DIGIT, "No": DIGIT, "Cs": ALPHANUM,
}  # fmt: skip


def _by_category(char: str) -> int:
    # halves of surrogate pairs, which Java sees, are never split
    return ALPHANUM if char > "\uffff" else _CATEGORIES.get(unicodedata.category(char), DELIMITER)


def _default_kind(char: str) -> int:
    if char >= "\u0100":
        return _by_category(char)
    if char.islower():
        return LOWER
    if char.isupper():
        return UPPER
    return DIGIT if char.isdecimal() else DELIMITER


_DEFAULT_KINDS = {chr(point): _default_kind(chr(point)) for point in range(256)}


def _read_kinds(rules: Sequence[str]) -> dict[str, int]:
    """Return the kinds of a table like ``$ => DIGIT``; with one, the others follow their categories."""
    kinds = {chr(point): _by_category(chr(point)) for point in range(256)}
    for rule in rules:
        match = re.match(r"(.*)\s*=>\s*(.*)\s*$", rule)
        if match is None:
            raise IllegalArgument(f"Invalid Mapping Rule : [{rule}]")
        char = _unescape(match[1].strip())
        if len(char) != 1:
            raise IllegalArgument(f"Invalid Mapping Rule : [{rule}]. Only a single character is allowed.")
        kind = _NAMES.get(match[2].strip())
        if kind is None:
            raise IllegalArgument(f"Invalid Mapping Rule : [{rule}]. Illegal type.")
        kinds[char] = kind
    return kinds


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _unescape(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        if not match[2] or match[2] == "u":
            raise IllegalArgument(f"Invalid escaped char in [{text}]")
        return _ESCAPED.get(match[2], match[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.)|$)", replace, text)


@dataclass(frozen=True, slots=True)
class _Rules:
    """What is split and what comes out."""

    kinds: Mapping[str, int]
    word_parts: bool = True
    number_parts: bool = True
    catenate_words: bool = False
    catenate_numbers: bool = False
    catenate_all: bool = False
    preserve_original: bool = False
    case_change: bool = True
    numerics: bool = True
    possessive: bool = True
    ignore_keywords: bool = False
    protected: WordSet | None = None

    def kind(self, char: str) -> int:
        """Return the kind of a character."""
        found = self.kinds.get(char)
        return _by_category(char) if found is None else found

    def breaks(self, last: int, kind: int) -> bool:
        """Return whether a part ends between two kinds."""
        if last & kind:
            return False
        if last & ALPHA and kind & ALPHA:
            return self.case_change and not last & UPPER
        if last & UPPER and kind & ALPHA:
            return False
        mixed = (last & ALPHA and kind & DIGIT) or (last & DIGIT and kind & ALPHA)
        return self.numerics or not mixed

    def generates(self, kind: int) -> bool:
        """Return whether parts of a kind come out."""
        return bool((self.word_parts and kind & ALPHA) or (self.number_parts and kind & DIGIT))

    def catenates(self, kind: int) -> bool:
        """Return whether parts of a kind come out joined."""
        return bool((self.catenate_words and kind & ALPHA) or (self.catenate_numbers and kind & DIGIT))

    def passes(self, token: Token, parts: "_Parts") -> bool:
        """Return whether a term stays as it is."""
        whole = parts.items == [(0, len(token.term))]
        return whole or (self.protected is not None and token.term in self.protected)


class _Parts:
    """The parts of one term: places of characters, first and last."""

    def __init__(self, term: str, rules: _Rules) -> None:
        self.term = term
        self.kinds = [rules.kind(char) for char in term]
        self.first, self.last = 0, len(term)
        while self.first < self.last and self.kinds[self.first] & DELIMITER:
            self.first += 1
        while self.last > self.first and self.kinds[self.last - 1] & DELIMITER:
            self.last -= 1
        self.items = list(self._split(rules))

    def kind(self, start: int) -> int:
        """Return the kind of the part that begins there."""
        kind = self.kinds[start]
        return ALPHA if kind in (LOWER, UPPER) else kind

    def is_single(self, rules: _Rules) -> bool:
        """Return whether there is one part, but for delimiters around it and a possessive."""
        end = self.last - 2 if self._possessive(self.last, rules) else self.last
        return self.items[0] == (self.first, end)

    def _possessive(self, at: int, rules: _Rules) -> bool:
        return (
            rules.possessive
            and at > 2
            and self.term[at - 2] == "'"
            and self.term[at - 1] in "sS"
            and bool(self.kinds[at - 3] & ALPHA)
            and (at == self.last or bool(self.kinds[at] & DELIMITER))
        )

    def _split(self, rules: _Rules) -> Iterator[tuple[int, int]]:
        kinds, end = self.kinds, self.first
        skip = False
        while True:
            start = end + 2 if skip else end
            while start < self.last and kinds[start] & DELIMITER:
                start += 1
            if start >= self.last:
                return
            end = start + 1
            while end < self.last and not rules.breaks(kinds[end - 1], kinds[end]):
                end += 1
            skip = end < self.last - 1 and self._possessive(end + 2, rules)
            yield start, end


class _Run:
    """Parts to be joined."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget the parts."""
        self.text = ""
        self.start = self.end = self.kind = self.count = self.position = 0

    def add(self, parts: _Parts, start: int, end: int, position: int) -> None:
        """Join one more part."""
        if not self.text:
            self.start, self.position, self.kind = start, position, parts.kind(start)
        self.text += parts.term[start:end]
        self.end = end
        self.count += 1


class _Delimiter:
    """The filter without graphs; one call handles one text."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens by their parts."""
        state = _Flat(self.rules)
        for token in stream.tokens:
            state.take(token)
        stream.tokens = state.found


class _Flat:
    """How far a text is done."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.found: list[Token] = []
        self.pending = 0  # increments not given to a token yet
        self.first = True
        self.has_output = False
        self.follows_original = False
        self.buffered: list[Token] = []

    def take(self, token: Token) -> None:
        """Split one token."""
        rules = self.rules
        if rules.ignore_keywords and token.keyword:
            self.found.append(token)
            return
        self.pending += token.increment
        parts = _Parts(token.term, rules)
        if rules.passes(token, parts):
            token.increment, self.pending, self.first = self.pending, 0, False
            self.found.append(token)
            return
        if not parts.items and not rules.preserve_original:
            if token.increment == 1 and not self.first:
                self.pending -= 1
            return
        self.has_output = False
        self.follows_original = not rules.preserve_original
        if rules.preserve_original:
            original = token.copy(token.term)
            original.increment, self.pending, self.first = self.pending, 0, False
            self.found.append(original)
        if parts.items:
            self.split(token, parts)

    def split(self, token: Token, parts: _Parts) -> None:
        """Put out the parts of a token, and what they make together."""
        rules = self.rules
        start, end = parts.items[0]
        if parts.is_single(rules):
            self.found.append(self.part(token, start, end, single=True))
            self.first = False
            return
        run, everything = _Run(), _Run()
        self.buffered = []
        last_count = 0
        for start, end in parts.items:
            kind = parts.kind(start)
            if run.text and not run.kind & kind:
                last_count = run.count
                self.flush(token, run)
                self.has_output = False
            if rules.catenates(kind):
                run.add(parts, start, end, 0)
            if rules.catenate_all:
                everything.add(parts, start, end, 0)
            if rules.generates(kind):
                self.buffered.append(self.part(token, start, end, single=False))
        if run.text:
            last_count = run.count
            self.flush(token, run)
        if everything.text and everything.count > last_count:
            self.buffered.append(self.joined(token, everything))
        self.buffered.sort(key=lambda one: (one.start, -one.increment))
        for one in self.buffered:
            if self.first and one.increment == 0:
                one.increment = 1
            self.first = False
            self.found.append(one)

    def flush(self, token: Token, run: _Run) -> None:
        """Put out joined parts unless they are one part that came out already."""
        if run.count != 1 or not self.rules.generates(run.kind):
            self.buffered.append(self.joined(token, run))
        run.clear()

    def increment(self, *, inject: bool) -> int:
        """Return the increment of the next part."""
        pending = self.pending
        if self.has_output:
            self.pending = 0
            return 0 if inject else max(1, pending)
        self.has_output = True
        if not self.follows_original:
            self.follows_original = True
            return 0
        self.pending = 0
        return max(1, pending)

    def part(self, token: Token, start: int, end: int, *, single: bool) -> Token:
        """Return a part as a token."""
        places = places_of(token.term)
        made = Token(token.term[start:end], token.start, token.end, type=token.type)
        if token.end - token.start == places[-1]:
            made.start, made.end = token.start + places[start], token.start + places[end]
        elif single and token.start + places[start] <= token.end:
            made.start = token.start + places[start]
        made.increment = self.increment(inject=False)
        return made

    def joined(self, token: Token, run: _Run) -> Token:
        """Return joined parts as a token."""
        places = places_of(token.term)
        made = Token(run.text, token.start, token.end, type=token.type)
        if token.end - token.start == places[-1]:
            made.start, made.end = token.start + places[run.start], token.start + places[run.end]
        made.increment = self.increment(inject=True)
        self.pending = 0
        return made


class _GraphDelimiter:
    """The filter whose tokens are a graph: joined parts span the positions of the parts."""

    def __init__(self, rules: _Rules, *, adjust_offsets: bool) -> None:
        self.rules = rules
        self.adjust_offsets = adjust_offsets

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens by their parts."""
        rules = self.rules
        found: list[Token] = []
        pending = last_start = 0
        for token in stream.tokens:
            if rules.ignore_keywords and token.keyword:
                found.append(token)
                continue
            pending += token.increment
            parts = _Parts(token.term, rules)
            if rules.passes(token, parts):
                token.increment, pending = pending, 0
                found.append(token)
                continue
            if not parts.items:
                if rules.preserve_original:
                    pending = 0
                    found.append(token)
                continue
            places = places_of(token.term)
            adjusting = self.adjust_offsets and token.end - token.start == places[-1]
            position = 0
            for term, first, last, start, end in self.split(token.term, parts):
                made = token.copy(term)
                if adjusting:
                    made.start, made.end = token.start + places[start], token.start + places[end]
                made.start, made.end = max(made.start, last_start), max(made.end, last_start)
                last_start = made.start
                made.increment, made.position_length = pending + first - position, last - first
                pending, position = 0, first
                found.append(made)
        stream.tokens = found

    def split(self, term: str, parts: _Parts) -> list[tuple[str, int, int, int, int]]:
        """Return what comes out of a term: text, first and last position, first and last character."""
        rules = self.rules
        found: list[tuple[str, int, int, int, int]] = []
        position = 0
        if parts.is_single(rules):
            start, end = parts.items[0]
            found.append((term[start:end], 0, 1, start, end))
            position = 1
        else:
            position = self._pieces(parts, found)
        found.sort(key=lambda piece: (piece[3], -piece[4]))
        if rules.preserve_original:
            found.insert(0, (term, 0, max(position, 1), 0, len(term)))
        return found

    def _pieces(self, parts: _Parts, found: list[tuple[str, int, int, int, int]]) -> int:
        rules = self.rules
        run, everything = _Run(), _Run()
        position = last_count = 0

        def flush() -> None:
            nonlocal position, last_count
            if position == run.position:
                position += 1
            last_count = run.count
            if run.count != 1 or not rules.generates(run.kind):
                found.append((run.text, run.position, position, run.start, run.end))
            run.clear()

        for start, end in parts.items:
            kind = parts.kind(start)
            if run.text and not run.kind & kind:
                flush()
            if rules.catenates(kind):
                run.add(parts, start, end, position)
            if rules.catenate_all:
                everything.add(parts, start, end, position)
            if rules.generates(kind):
                found.append((parts.term[start:end], position, position + 1, start, end))
                position += 1
        if run.text:
            flush()
        if everything.text and everything.count > last_count:
            if position == everything.position:
                position += 1
            found.append((everything.text, everything.position, position, everything.start, everything.end))
        return position


def _rules(parameters: Parameters, *, ignore_keywords: bool) -> _Rules:
    table = word_list(parameters, "type_table")
    return _Rules(
        kinds=_DEFAULT_KINDS if table is None else _read_kinds(table),
        word_parts=parameters.boolean("generate_word_parts", True),
        number_parts=parameters.boolean("generate_number_parts", True),
        catenate_words=parameters.boolean("catenate_words", False),
        catenate_numbers=parameters.boolean("catenate_numbers", False),
        catenate_all=parameters.boolean("catenate_all", False),
        preserve_original=parameters.boolean("preserve_original", False),
        case_change=parameters.boolean("split_on_case_change", True),
        numerics=parameters.boolean("split_on_numerics", True),
        possessive=parameters.boolean("stem_english_possessive", True),
        ignore_keywords=ignore_keywords,
        protected=word_set(parameters, "protected_words", ignore_case_key="protected_words_case"),
    )


def word_delimiter(parameters: Parameters) -> FilterMaker:
    """Parts of terms."""
    rules = _rules(parameters, ignore_keywords=False)
    return lambda: StreamFilter(_Delimiter(rules), marks_keywords=True)


def word_delimiter_graph(parameters: Parameters) -> FilterMaker:
    """Parts of terms as a graph."""
    rules = _rules(parameters, ignore_keywords=parameters.boolean("ignore_keywords", False))
    adjust = parameters.boolean("adjust_offsets", True)
    return lambda: StreamFilter(_GraphDelimiter(rules, adjust_offsets=adjust), marks_keywords=True)
