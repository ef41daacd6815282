"""How the score of one document came about: a tree of values and descriptions, in the words of Lucene 9.

A query explains one document of one segment at a time, from statistics and stored frequencies; nothing here
is used while hits are collected. An explanation shows the tree that Lucene would run, so a query is first
rewritten by its rules (explanation_rewrite.py). ``Query.text`` gives Lucene's text of a query, which many of
the descriptions, and other answers, repeat.
"""

import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Raw
from pyroaring import BitMap

from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.ext.json.number import float32, float32_text, float64
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.doc_set import DocSetWeight
from lanner.ext.query.nested import BlockJoinWeight
from lanner.ext.query.term import TermWeight
from lanner.ext.search.top_docs import search_top

_FLOAT = struct.Struct("<f")
_BASE64 = re.compile(r"[A-Za-z0-9_-]+")
MAX_FLOAT = 3.4028234663852886e38


def single(value: float) -> float:
    """Return the nearest number of single precision, in which scores are computed."""
    rounded: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return rounded


def shown(value: float) -> str:
    """Return a number of single precision as Java prints it."""
    return float32_text(value).decode().strip('"')


class Double(float):
    """A value that keeps double precision where others have single."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """A value and what it was made of. A document that does not match has the value 0."""

    value: float
    description: str
    details: "tuple[Explanation, ...]" = ()
    matched: bool = True

    def render(self) -> dict[str, Any]:
        """Return the explanation as answers show it."""
        value: int | Raw = self.value if isinstance(self.value, int) else float32(self.value)
        if isinstance(self.value, Double):
            value = float64(self.value)
        return {
            "value": value,
            "description": self.description,
            "details": [one.render() for one in self.details],
        }


def match(value: float, description: str, *details: Explanation) -> Explanation:
    """Return the explanation of a match."""
    return Explanation(value, description, details)


def no_match(description: str, *details: Explanation) -> Explanation:
    """Return the explanation of what does not match."""
    return Explanation(0.0, description, details, matched=False)


class FieldTexts(Protocol):
    """What texts of queries need to know of a field."""

    def number(self, field: str, encoded: int) -> str:
        """Return a number as the field's points show it."""
        ...

    def cell(self, field: str, encoded: int) -> str:
        """Return a number as the field's doc values show it."""
        ...

    def indexed(self, field: str) -> bool:
        """Return whether the field is indexed."""
        ...

    def has_doc_values(self, field: str) -> bool:
        """Return whether the field has doc values."""
        ...

    def address(self, field: str, term: bytes) -> str | None:
        """Return a term as an internet address; None for a field of other terms."""
        ...


class Explainer:
    """Explains documents of one reader. query: what is explained, rewritten once. similarity: its name."""

    def __init__(
        self, context: WeightContext, fields: FieldTexts, query: Query, similarity: str = "PerFieldSimilarity"
    ) -> None:
        self.similarity = similarity
        self.context = context
        self.matching = context.matching()
        self.fields = fields
        self.query = query.rewritten(context)
        self._weights: dict[tuple[int, float, bool], tuple[Query, Any]] = {}

    def explain(self, segment: int, doc: int, boost: float = 1.0) -> Explanation:
        """Return how the score of a document came about."""
        return self.query.explain(Document(self, segment, doc), boost)

    def weight(self, query: Query, boost: float, *, scoring: bool) -> Any:
        """Return the weight of a query, made once."""
        key = (id(query), boost, scoring)
        found = self._weights.get(key)
        if found is None:
            context = self.context if scoring else self.matching
            found = self._weights[key] = (query, query.weight(context, boost))  # the query keeps its id
        return found[1]


@dataclass(frozen=True, slots=True)
class Document:
    """The document that is explained, or a row of a nested object of that path."""

    explainer: Explainer
    segment: int
    doc: int
    path: bytes | None = None

    @property
    def context(self) -> WeightContext:
        """What queries are bound to."""
        return self.explainer.context

    @property
    def fields(self) -> FieldTexts:
        """The fields of the index."""
        return self.explainer.fields

    def text(self, query: Query) -> str:
        """Return Lucene's text of a query."""
        return query.text(self.explainer.fields)

    def numbers(self, field: str) -> list[int]:
        """Return the encoded doc values of a column of numbers."""
        found: list[int] = self.context.reader.segments[self.segment].numbers(field, self.doc)
        return found

    def score(self, query: Query, boost: float = 1.0, *, scoring: bool = True) -> float | None:
        """Return the score that a search would give the document, None if the query does not match it."""
        reader = self.context.reader
        chosen = [BitMap() for _ in reader.segments]
        chosen[self.segment].add(self.doc)
        weight = self.explainer.weight(query, boost, scoring=scoring)
        only: Weight = BooleanWeight(must=[weight], filter=[DocSetWeight(reader, chosen)])
        if self.path is not None:  # searches find documents only: the one around the row, by the row alone
            only = BlockJoinWeight(only, self.path, None, "sum")
        scores = search_top(reader, only, 1, track=0).scores
        return scores[0] if scores else None

    def is_row(self, path: bytes | None) -> bool:
        """Return whether this is a row of a nested object of a path; None: a document."""
        reader = self.context.reader
        if path is None:
            return bool(reader.segments[self.segment].id(self.doc))
        return TermWeight(reader, "_nested_path", path).freq(self.segment, self.doc) > 0

    def matches(self, query: Query) -> bool:
        """Return whether a query matches the document."""
        return self.score(query, scoring=False) is not None


def constant(document: Document, query: Query, boost: float, text: str | None = None) -> Explanation:
    """Explain a query whose matches all score alike. text: of the part that decides, if it is not all."""
    about = document.text(query) if text is None else text
    if not document.matches(query):
        return no_match(f"{about} doesn't match id {document.doc}")
    return match(boost, about if boost == 1.0 else f"{about}^{shown(boost)}")


def term_text(term: bytes) -> str:
    """Return a term as text, or its bytes if they are none."""
    try:
        return term.decode()
    except UnicodeDecodeError:
        return bytes_text(term)


def bytes_text(term: bytes) -> str:
    """Return bytes as Lucene shows them: ``[ff 0 1a]``."""
    return f"[{' '.join(f'{byte:x}' for byte in term)}]"


def weight_words(document: Document, query_text: str, scored: Explanation) -> Explanation:
    """Return what a formula gave as the weight of a query for terms."""
    name = document.explainer.similarity
    return match(scored.value, f"weight({query_text} in {document.doc}) [{name}], result of:", scored)


def stored_id(text: str) -> bytes:
    """Return an id in the bytes by which the reference stores it: digits and base 64 are packed.

    Source: Uid of OpenSearch.
    """
    if text.isascii() and text.isdigit():
        digits = [int(digit) for digit in text] + [15] * (len(text) % 2)
        return bytes([0xFE, *(16 * high + low for high, low in zip(digits[::2], digits[1::2], strict=True))])
    if _is_base64(text):
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return packed if packed[0] < 0xFD else b"\xfd" + packed
    return b"\xff" + text.encode()


def _is_base64(text: str) -> bool:
    """Return whether a text is what bytes are in base 64 without padding, to the last bit."""
    if not _BASE64.fullmatch(text) or len(text) % 4 == 1:
        return False
    packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return urlsafe_b64encode(packed).decode().rstrip("=") == text
