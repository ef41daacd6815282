"""Filters that make terms of pieces of terms, or of several terms."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import TypeAlias

from lanner.engine.analysis.parameters import Parameters
from lanner.engine.analysis.tokens import places_of
from lanner.engine.analysis.words import word_set
from lanner.engine.common.errors import IllegalArgument
from lanner.ext.analysis.chain import TokenFilter
from lanner.ext.analysis.ngrams import NGramFilter
from lanner.ext.analysis.python_parts import StreamFilter, Token, TokenList
from lanner.ext.analysis.word_set import WordSet

FilterMaker: TypeAlias = Callable[[], TokenFilter]


def check_grams(least: int, most: int) -> None:
    """Raise IllegalArgument for lengths that pieces cannot have."""
    if least < 1:
        raise IllegalArgument("minGram must be greater than zero")
    if least > most:
        raise IllegalArgument("minGram must not be greater than maxGram")


def gram_lengths(parameters: Parameters) -> tuple[int, int]:
    """Return the lengths of pieces; raises IllegalArgument if they differ by more than the index allows."""
    least, most = parameters.integer("min_gram", 1), parameters.integer("max_gram", 2)
    allowed = parameters.limits.ngram_diff
    if most - least > allowed:
        raise IllegalArgument(
            "The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: "
            f"[{allowed}] but was [{most - least}]. This limit can be set by changing the "
            "[index.max_ngram_diff] index level setting."
        )
    return least, most


def ngram(parameters: Parameters) -> FilterMaker:
    """All pieces of some lengths."""
    least, most = gram_lengths(parameters)
    preserve = parameters.boolean("preserve_original", False)

    def make() -> TokenFilter:
        check_grams(least, most)
        return NGramFilter(least, most, preserve_original=preserve)

    return make


def edge_ngram(parameters: Parameters) -> FilterMaker:
    """Pieces at one end."""
    least, most = parameters.integer("min_gram", 1), parameters.integer("max_gram", 2)
    preserve = parameters.boolean("preserve_original", False)
    side = parameters.string("side") or "front"
    if side not in ("front", "back"):
        raise IllegalArgument(f"invalid side: {side}")

    def make() -> TokenFilter:
        check_grams(least, most)
        return NGramFilter(
            least, most, side="back" if side == "back" else "front", preserve_original=preserve
        )

    return make


def renamed(old: str, new: str) -> Callable[[], TokenFilter]:
    """Return the function that refuses the old name of a filter."""

    def refuse() -> TokenFilter:
        raise IllegalArgument(
            f"The [{old}] token filter name was deprecated in 6.4 and cannot be used in new indices. "
            f"Please change the filter name to [{new}] instead."
        )

    return refuse


class _Shingles:
    """Several terms in a row as one; a filler stands for each position without a term."""

    def __init__(
        self, least: int, most: int, *, unigrams: bool, if_none: bool, separator: str, filler: str
    ) -> None:
        self.least = least
        self.most = most
        self.unigrams = unigrams
        self.if_none = if_none
        self.separator = separator
        self.filler = filler

    def window(self, stream: TokenList) -> "deque[tuple[Token, bool]]":
        """Return the tokens with fillers, never more in a row than a shingle has room for."""
        found: deque[tuple[Token, bool]] = deque()
        for token in stream.tokens:
            for _ in range(min(token.increment - 1, self.most - 1)):
                found.append((Token(self.filler, token.start, token.start, type=token.type), True))
            found.append((token, False))
        if stream.tokens:
            end = stream.end_offset
            for _ in range(min(stream.trailing_increment, self.most - 1)):
                found.append((Token(self.filler, end, end), True))
        return found

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens by shingles."""
        pending = list(self.window(stream))
        single = self.unigrams or (self.if_none and len(pending) < self.least)
        sizes = [*([1] if single else []), *range(max(self.least, 2 if single else 1), self.most + 1)]
        stream.tokens = []
        for at, (first, _) in enumerate(pending):
            made = list(self.starting(pending[at : at + self.most], sizes))
            if not made:
                break  # as the reference: what follows such a place is lost
            for number, (size, term) in enumerate(made):
                token = first.copy(term)
                token.increment = 0 if number else 1
                token.end = pending[at + size - 1][0].end
                if size > 1:
                    token.type = "shingle"
                token.position_length = size if self.unigrams else max(1, size - self.least + 1)
                stream.tokens.append(token)

    def starting(self, part: list[tuple[Token, bool]], sizes: list[int]) -> Iterator[tuple[int, str]]:
        """Yield the size and the term of each shingle that starts where the part does."""
        n_fillers = next((n for n, (_, is_filler) in enumerate(part) if not is_filler), len(part))
        terms = [token.term for token, _ in part]
        for size in sizes:
            if n_fillers < size <= len(part):
                yield size, self.separator.join(terms[:size])


def fixed_shingles(size: int, *, beyond: int = 0) -> FilterMaker:
    """So many terms in a row, on every way through them, and nothing else.

    A position without a term counts as an empty one. beyond: so many such positions follow the last term.
    Source: Lucene's FixedShingleFilter.
    """

    def rewrite(stream: TokenList) -> None:
        places = list(accumulate((token.increment for token in stream.tokens), initial=-1))[1:]
        following: dict[int, list[int]] = {}
        for i, place in enumerate(places):
            following.setdefault(place, []).append(i)
        starts = sorted(following)
        end = (starts[-1] + 1 if starts else 0) + stream.trailing_increment + beyond
        made = []
        for i, token in enumerate(stream.tokens):
            increment = token.increment
            for terms, last in _rows(stream.tokens, places, following, starts, i, size, end):
                shingle = token.copy(" ".join(terms))
                shingle.increment = increment
                shingle.end = last.end
                shingle.type = "shingle"
                shingle.position_length = 1
                made.append(shingle)
                increment = 0
                if len(made) > _MOST_ROWS * (len(places) + 1):
                    raise IllegalArgument(f"Too many shingles (> {_MOST_ROWS}) at one position")
        stream.tokens = made

    return lambda: StreamFilter(rewrite)


_MOST_ROWS = 1000  # of one term


def _rows(
    tokens: list[Token],
    places: list[int],
    following: dict[int, list[int]],
    starts: list[int],
    first: int,
    size: int,
    end: int,
) -> Iterator[tuple[list[str], Token]]:
    """Yield the terms of each row of a size that begins with a token, and its last token."""
    pending: list[tuple[int, list[str]]] = [(first, [tokens[first].term])]
    while pending:
        i, terms = pending.pop()
        missing = size - len(terms)
        if missing == 0:
            yield terms, tokens[i]
            continue
        behind = places[i] + tokens[i].position_length
        at = bisect_left(starts, behind)
        gap = (starts[at] if at < len(starts) else end) - behind
        if gap >= missing:
            yield [*terms, *[""] * missing], tokens[i]
        elif at < len(starts):
            row = [*terms, *[""] * gap]
            pending += [(j, [*row, tokens[j].term]) for j in reversed(following[starts[at]])]


def beginnings(least: int, most: int, *, preserve: bool = False) -> FilterMaker:
    """The beginnings of terms. preserve: longer terms are kept whole as well."""
    return lambda: NGramFilter(least, most, side="front", preserve_original=preserve)


def shingle(parameters: Parameters) -> FilterMaker:
    """Terms of several words."""
    most = parameters.integer("max_shingle_size", 2)
    least = parameters.integer("min_shingle_size", 2)
    unigrams = parameters.boolean("output_unigrams", True)
    allowed, difference = parameters.limits.shingle_diff, most - least + unigrams
    if difference > allowed:
        raise IllegalArgument(
            "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if "
            f"outputting unigrams) must be less than or equal to: [{allowed}] but was [{difference}]. This "
            "limit can be set by changing the [index.max_shingle_diff] index level setting."
        )
    if_none = parameters.boolean("output_unigrams_if_no_shingles", False)
    separator = parameters.string("token_separator")
    filler = parameters.string("filler_token")

    def make() -> TokenFilter:
        if most < 2:
            raise IllegalArgument("Max shingle size must be >= 2")
        if least < 2:
            raise IllegalArgument("Min shingle size must be >= 2")
        if least > most:
            raise IllegalArgument("Min shingle size must be <= max shingle size")
        shingles = _Shingles(
            least,
            most,
            unigrams=unigrams,
            if_none=if_none,
            separator=" " if separator is None else separator,
            filler="_" if filler is None else filler,
        )
        return StreamFilter(shingles, disables_graph=unigrams or most != least)

    return make


def _common_grams(words: WordSet, stream: TokenList) -> None:
    """Add a gram of two terms wherever one of them is common."""
    found: list[Token] = []
    before: Token | None = None
    before_common = False
    for token in stream.tokens:
        common = token.term in words
        if before is not None and (before_common or common):
            gram = Token(
                f"{before.term}_{token.term}",
                before.start,
                token.end,
                increment=0,
                position_length=2,
                type="gram",
            )
            found.append(gram)
        found.append(token)
        before, before_common = token, common
    stream.tokens = found


def _grams_alone(stream: TokenList) -> None:
    """Drop the terms that a gram follows; the grams take their places."""
    found: list[Token] = []
    previous: Token | None = None
    previous_type = ""
    for token in stream.tokens:
        if previous is not None and token.type != "gram":
            found.append(previous)
            previous_type = previous.type
        previous = token
    if previous is not None and previous_type != "gram":
        found.append(previous)
    for token in found:
        if token.type == "gram":
            token.increment = token.position_length = 1
    stream.tokens = found


def _common(words: WordSet, *, query_mode: bool) -> TokenFilter:
    def change(stream: TokenList) -> None:
        _common_grams(words, stream)
        if query_mode:
            _grams_alone(stream)

    return StreamFilter(change)


def common_grams(parameters: Parameters) -> FilterMaker:
    """Pairs of words of which one is common."""
    words = word_set(parameters, "common_words", ignore_case_key="ignore_case")
    if words is None:
        raise IllegalArgument(
            "missing or empty [common_words] or [common_words_path] configuration for common_grams token "
            "filter"
        )
    query_mode = parameters.boolean("query_mode", False)
    return lambda: _common(words, query_mode=query_mode)


def no_common_grams() -> TokenFilter:
    """Return the filter that goes by the bare name: it has no words."""
    return _common(WordSet(()), query_mode=False)


_SCRIPTS = {"han": "<IDEOGRAPHIC>", "hiragana": "<HIRAGANA>", "katakana": "<KATAKANA>", "hangul": "<HANGUL>"}


class _CjkBigrams:
    """Pairs of adjacent characters of some scripts; with unigrams the characters too."""

    def __init__(self, types: frozenset[str], *, unigrams: bool) -> None:
        self.types = types
        self.unigrams = unigrams

    def __call__(self, stream: TokenList) -> None:
        """Replace the tokens of the scripts by pairs."""
        found: list[Token] = []
        run: list[Token] = []
        last_end = -1
        for token in stream.tokens:
            wanted = token.type in self.types
            if run and (not wanted or token.start != last_end):
                self.add(run, found)
                run = []
            if wanted:
                run += _characters(token)
                last_end = token.end
            else:
                found.append(token)
        self.add(run, found)
        stream.tokens = found

    def add(self, run: list[Token], found: list[Token]) -> None:
        """Add the pairs of a run of characters."""
        if self.unigrams or len(run) == 1:
            for at, one in enumerate(run):
                found.append(Token(one.term, one.start, one.end, type="<SINGLE>"))
                if at + 1 < len(run):
                    found.append(_pair(one, run[at + 1], increment=0, position_length=2))
            return
        found += [
            _pair(one, other, increment=1, position_length=1)
            for one, other in zip(run, run[1:], strict=False)
        ]


def _pair(one: Token, other: Token, *, increment: int, position_length: int) -> Token:
    return Token(
        one.term + other.term, one.start, other.end, increment=increment, position_length=position_length,
        type="<DOUBLE>",
    )  # fmt: skip


def _characters(token: Token) -> list[Token]:
    """Return the characters of a term, with places of their own unless those do not add up."""
    places = places_of(token.term)
    if token.end - token.start != places[-1]:
        return [Token(char, token.start, token.end) for char in token.term]
    start = token.start
    return [Token(char, start + places[at], start + places[at + 1]) for at, char in enumerate(token.term)]


def cjk_bigram(parameters: Parameters) -> FilterMaker:
    """Pairs of Chinese, Japanese and Korean characters."""
    ignored = {name.strip().lower() for name in parameters.strings("ignored_scripts") or ()}
    types = frozenset(kind for script, kind in _SCRIPTS.items() if script not in ignored)
    unigrams = parameters.boolean("output_unigrams", False)
    return lambda: StreamFilter(_CjkBigrams(types, unigrams=unigrams), disables_graph=unigrams)
