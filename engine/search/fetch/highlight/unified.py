"""The unified highlighter: passages between the boundaries of sentences, the best ones by BM25.

Source: UnifiedHighlighter of Lucene 9 and the boundaries that OpenSearch gives it.
"""

from collections.abc import Callable
from functools import partial

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.search.fetch.highlight.encoders import ENCODERS
from lanner.engine.search.fetch.highlight.request import Options
from lanner.engine.search.fetch.highlight.wanted import Wanted, marked
from lanner.ext.highlight.breaks import BoundedSentences, Breaks, SentenceBreaks, WholeText, WordBreaks
from lanner.ext.highlight.marks import Marks, PlacedToken
from lanner.ext.highlight.passages import fragments

_BLANKS = "".join(map(chr, range(33)))


def marks_of(wanted: Wanted, tokens: list[PlacedToken]) -> Marks:
    """Return what is marked: terms, and for each set that a token belongs to the token under its name."""
    found = Marks()
    for i, _ in marked(Wanted(wanted.terms, [], wanted.phrases, wanted.spans), tokens):
        found.add(*tokens[i][:3])
    for name, fits, _ in wanted.sets:
        term = name.encode()
        for token in tokens:
            if fits(token.term):
                found.add(term, token.start, token.end)
    return found


def highlight_unified(values: list[str], marks: Marks, options: Options, *, tokenized: bool) -> list[str]:
    """Return the fragments of a field, none if nothing is marked and nothing else asked for.

    tokenized: whether a value may have several tokens.
    """
    breaks_of = _breaks_of(options, tokenized=tokenized)
    if not marks:
        return _without_marks(values, options)
    return fragments(
        values,
        marks,
        breaks_of,
        options.number_of_fragments or 2**31 - 2,
        (options.pre_tags or ("",))[0],
        (options.post_tags or ("",))[0],
        encode=ENCODERS.get(options.encoder or ""),
        by_score=options.order == "score",
    )


def _breaks_of(options: Options, *, tokenized: bool) -> Callable[[str], Breaks]:
    if options.number_of_fragments == 0 or not tokenized:
        return WholeText
    scanner = options.boundary_scanner or "sentence"
    if scanner == "word":
        return WordBreaks
    if scanner != "sentence":
        raise IllegalArgument(f"Invalid boundary scanner type: {scanner}")
    size = options.fragment_size
    return partial(BoundedSentences, most=size) if size > 0 else SentenceBreaks


def _without_marks(values: list[str], options: Options) -> list[str]:
    """Return the beginning of a text of which nothing is marked, if it is asked for."""
    size = options.no_match_size
    given = next((value for value in values if value), None)
    if size <= 0 or given is None:
        return []
    end = len(given)
    if size < end:
        end = WordBreaks(given).following(size)
    return [ENCODERS.get(options.encoder or "", str)(given[: len(given) if end < 0 else end]).strip(_BLANKS)]
