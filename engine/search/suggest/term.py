"""term: for each word of a text, words of a field that are spelled almost like it."""

from dataclasses import dataclass, fields
from typing import Any

from lanner.engine.search.request import SearchRequest
from lanner.engine.search.suggest.base import Entry, SuggestContext, Suggestion
from lanner.engine.search.suggest.options import COMMON, read_options
from lanner.engine.search.suggest.spelling import SPELLING, Spelling, Word
from lanner.ext.json.number import float32


@dataclass(frozen=True, slots=True, kw_only=True)
class TermSuggestion(Suggestion):
    """Words for each token of the text."""

    kind = "term"
    spelling: Spelling = Spelling()

    def suggest(self, context: SuggestContext, text: str) -> list[Entry]:
        """Look for words like each token."""
        field = context.field_type(self.field)
        analyzer = context.analyzer(field, self.analyzer)
        count = self.shard_count()
        reader = context.reader
        entries = []
        for term, start, end in tokens_of(analyzer, text):
            entry = Entry(term.decode("utf-8", "replace"), start, end - start)
            if reader.max_doc:
                entry.options = self.spelling.similar(reader, field.name, term, count)
            entries.append(entry)
        return entries

    def merge(self, entries: list[Entry]) -> list[Word]:
        """Add up what shards know of the same words."""
        found: dict[bytes, Word] = {}
        for entry in entries:
            for word in entry.options:
                known = found.get(word.term)
                if known is not None:
                    word = Word(word.term, max(word.score, known.score), word.freq + known.freq)
                found[word.term] = word
        return sorted(found.values(), key=self.spelling.order)

    def render(self, options: list[Word], request: SearchRequest, now_millis: int) -> list[dict[str, Any]]:
        """Show words with their scores and frequencies."""
        return [
            {"text": word.term.decode("utf-8", "replace"), "score": float32(word.score), "freq": word.freq}
            for word in options
        ]


def tokens_of(analyzer: Any | None, text: str) -> list[tuple[bytes, int, int]]:
    """Return (term, start, end) of the tokens of a text, which is one token without an analyzer."""
    if analyzer is None:
        units = len(text.encode("utf-16-le", "surrogatepass")) // 2
        return [(text.encode("utf-8", "replace"), 0, units)]
    return [(token.term, token.start_offset, token.end_offset) for token in analyzer.query_tokens(text)]


_SPELLING_FIELDS = frozenset(one.name for one in fields(Spelling))


def parse_term(body: dict[str, Any]) -> TermSuggestion:
    """Read the object of a term suggester."""
    values = read_options("term", body, {**COMMON, **SPELLING})
    spelling = {name: values.pop(name) for name in list(values) if name in _SPELLING_FIELDS}
    return TermSuggestion(spelling=Spelling(**spelling), **values)
