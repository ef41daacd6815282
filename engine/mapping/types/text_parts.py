"""Fields that a text field keeps beside its own: beginnings of words, and words in a row.

They have names of their own (``t._index_prefix``), take the texts of the field that they belong to, and are
what queries ask in its place. Source: Lucene's FixedShingleFilter and EdgeNGramTokenFilter.
"""

from itertools import product
from typing import Any

from lanner.engine.analysis.analyzer import Analyzer, Component
from lanner.engine.analysis.filters.grams import FilterMaker, beginnings, fixed_shingles
from lanner.engine.mapping.field_type import BuildContext
from lanner.engine.mapping.types.keyword import utf16_length
from lanner.engine.mapping.types.text import TextFieldType

Groups = list[tuple[int, tuple[bytes, ...]]]


class PartFieldType(TextFieldType):
    """Terms made of those of a text field. parent: that field; made: filters behind its analyzers."""

    def __init__(
        self,
        suffix: str,
        parent: TextFieldType,
        build: BuildContext,
        *,
        indexing: tuple[FilterMaker, ...],
        searching: tuple[FilterMaker, ...],
        norms: bool,
    ) -> None:
        self.analyzer = _longer(parent.analyzer, indexing)
        self.search_analyzer = _longer(parent.search_analyzer, searching)
        self.search_quote_analyzer = _longer(parent.search_quote_analyzer, searching)
        given: dict[str, Any] = {"index_options": parent.get("index_options"), "norms": norms}
        super(TextFieldType, self).__init__(f"{parent.name}.{suffix}", given, build)
        self.has_doc_values = False
        self.parts = ()


def _longer(analyzer: Analyzer, filters: tuple[FilterMaker, ...]) -> Analyzer:
    """Return an analyzer that has more token filters at its end."""
    if not filters:
        return analyzer
    added = [Component(f"{analyzer.name} {i}", make) for i, make in enumerate(filters)]
    return Analyzer(
        analyzer.name,
        analyzer.tokenizer,
        (*analyzer.token_filters, *added),
        analyzer.char_filters,
        position_increment_gap=analyzer.position_increment_gap,
    )


class PrefixPart(PartFieldType):
    """Beginnings of words, of so many UTF-16 units."""

    type_name = "prefix"

    def __init__(
        self, parent: TextFieldType, build: BuildContext, least: int, most: int, **made: Any
    ) -> None:
        self.least, self.most = least, most
        super().__init__("_index_prefix", parent, build, norms=False, **made)

    def accepts(self, text: str) -> bool:
        """Return whether beginnings of the length of a text are kept."""
        return self.least <= utf16_length(text) <= self.most


class ShinglePart(PartFieldType):
    """So many words in a row as one."""

    type_name = "search_as_you_type"

    def __init__(self, suffix: str, parent: TextFieldType, build: BuildContext, size: int) -> None:
        self.size = size
        made = (fixed_shingles(size),)
        norms = parent.get("norms")
        super().__init__(suffix, parent, build, norms=norms, indexing=made, searching=made)

    def groups(self, groups: Groups) -> Groups:
        """Return (position, terms) of words in a row, given those of the words, which leave no gaps."""
        found = []
        for i in range(len(groups) - self.size + 1):
            rows = product(*(terms for _, terms in groups[i : i + self.size]))
            found.append((groups[i][0], tuple(dict.fromkeys(map(b" ".join, rows)))))
        return found


class PhrasePart(ShinglePart):
    """Two words in a row as one."""

    type_name = "phrase"


def text_parts(field: TextFieldType, build: BuildContext) -> tuple[PartFieldType, ...]:
    """Return what a text field keeps by its parameters index_prefixes and index_phrases."""
    parts: list[PartFieldType] = []
    lengths = field.get("index_prefixes")
    if lengths is not None:
        least, most = lengths
        made = (beginnings(least, most),)
        field.prefix_part = PrefixPart(field, build, least, most, indexing=made, searching=())
        parts.append(field.prefix_part)
    if field.get("index_phrases"):
        part = PhrasePart("_index_phrase", field, build, 2)
        field.phrase_parts = (part,)
        parts.append(part)
    return tuple(parts)
