"""more_like_this: documents that share the telling words of texts or other documents."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lanner.engine.common.body import (
    Anchor,
    LocatedError,
    java_text,
    read_boolean,
    read_integer,
    read_number,
    read_text,
    unsupported_key,
)
from lanner.engine.common.errors import IllegalArgument, IndexNotFound, ParseError
from lanner.engine.common.java_hash import map_order
from lanner.engine.common.source_path import values_at
from lanner.engine.dsl.base import DslContext, DslQuery, ParseContext, RequestFaultError, check_boost
from lanner.engine.dsl.multi_match import default_fields
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType, utf16_length
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import Query
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.more_like_this import LikeTerms, MoreLikeThisQuery
from lanner.engine.query.terms import ids_query

_MAX_INT = 2**31 - 1
_ITEM_KEYS = ("_index", "_id", "_routing", "routing", "doc", "fields", "_version", "_version_type")


@dataclass(frozen=True, slots=True)
class Item:
    """A document of an index, or one that is given."""

    index: str | None = None
    id: str | None = None
    routing: str | None = None
    doc: Any = None
    fields: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoreLikeThisDsl(DslQuery):
    """Texts and documents, and how words are chosen out of them."""

    like: tuple[str | Item, ...]
    unlike: tuple[str | Item, ...] = ()
    fields: tuple[str, ...] | None = None
    max_query_terms: int = 25
    min_term_freq: int = 2
    min_doc_freq: int = 5
    max_doc_freq: int = _MAX_INT
    min_word_length: int = 0
    max_word_length: int = 0
    stop_words: frozenset[str] = frozenset()
    analyzer: str | None = None
    minimum_should_match: str = "30%"
    boost_terms: float = 0.0
    include: bool = False
    fail_on_unsupported_field: bool = True

    def build(self, context: DslContext) -> Query:
        """Read the words over the fields of the index."""
        texts = [one for one in self.like if isinstance(one, str)]
        items = [one for one in self.like if isinstance(one, Item)]
        names = self._names(context, with_text=bool(texts))
        if names is not None and not names:
            return MatchNoneQuery("no fields")
        skipped = self._skipped(names or [], context, with_items=bool(items))
        groups: list[tuple[LikeTerms, ...]] = []
        if items:
            groups.append(self._of_items(items, names, skipped, context))
        if texts and names:
            first = names[0]
            words: Counter[bytes] = Counter()
            for text in texts:
                words.update(self._words(context.mapping.field_type(first), text, context))
            groups.append((self._kept(tuple(names), words, skipped, first),))
        context.count(1)
        query: Query = MoreLikeThisQuery(
            tuple(groups),
            self.max_query_terms,
            self.min_term_freq,
            self.min_doc_freq,
            self.max_doc_freq,
            self.minimum_should_match,
            self.boost_terms,
            tuple(texts),
        )
        ids = [item.id for item in items if item.id is not None]
        if ids and not self.include:
            return BooleanQuery(should=(query,), must_not=(ids_query(ids),))
        return query

    def _names(self, context: DslContext, *, with_text: bool) -> list[str] | None:
        """Return the names of the fields that are asked; None for all fields of the documents."""
        names = list(self.fields) if self.fields is not None else default_fields(context)
        if self.fields is None and names == ["*"]:
            if with_text:
                raise IllegalArgument(
                    "[more_like_this] query cannot infer the field to analyze the free text, you should "
                    "update the [index.query.default_field] index setting to a field that exists in the "
                    "mapping or set the [fields] option in the query."
                )
            return None
        found = []
        for name in names:
            field = context.mapping.field_type(name)
            if field is None or isinstance(field, TextFieldType | KeywordFieldType):
                found.append(name if field is None else field.name)
            elif self.fail_on_unsupported_field:
                raise IllegalArgument(f"more_like_this only supports text/keyword fields: [{name}]")
        return found

    # -- words

    def _words(self, field: FieldType | None, text: str, context: DslContext) -> list[bytes]:
        """Return the terms of free text."""
        if field is None:
            return []
        analyzer = field.query_analyzer()
        if self.analyzer is not None:
            analyzer = context.mapping.registry.find_analyzer(self.analyzer) or analyzer
        return _terms(field, analyzer, text)

    def _kept(
        self, fields: tuple[str, ...], words: Counter[bytes], skipped: set[tuple[str, bytes]], name: str
    ) -> LikeTerms:
        return LikeTerms(
            fields,
            tuple(
                (term, words[term])
                for word in map_order(term.decode("utf-8", "replace") for term in words)
                if (term := word.encode()) in words
                and (name, term) not in skipped
                and not self._is_noise(word)
            ),
        )

    def _is_noise(self, word: str) -> bool:
        length = utf16_length(word)
        return length < self.min_word_length or (0 < self.max_word_length < length) or word in self.stop_words

    def _skipped(self, names: list[str], context: DslContext, *, with_items: bool) -> set[tuple[str, bytes]]:
        """Return the words of what the documents should not be like; documents only count beside others."""
        found: set[tuple[str, bytes]] = set()
        for one in self.unlike:
            if isinstance(one, str):
                for name in names:
                    field = context.mapping.field_type(name)
                    found |= {(name, term) for term in self._words(field, one, context)}
            elif with_items:
                for name, words in self._words_of(one, names or None, context).items():
                    found |= {(name, term) for term in words}
        return found

    def _of_items(
        self, items: list[Item], names: list[str] | None, skipped: set[tuple[str, bytes]], context: DslContext
    ) -> tuple[LikeTerms, ...]:
        freqs: dict[str, Counter[bytes]] = {}
        for item in items:
            for name, words in self._words_of(item, names, context).items():
                freqs.setdefault(name, Counter()).update(words)
        return tuple(self._kept((name,), words, skipped, name) for name, words in freqs.items())

    def _words_of(
        self, item: Item, names: list[str] | None, context: DslContext
    ) -> dict[str, Counter[bytes]]:
        """Return the words of a document by field."""
        source = item.doc
        if source is None:
            source = _source_of(item, context)
        if not isinstance(source, dict):
            return {}
        wanted: Iterable[str] = item.fields or names or context.mapping.fields
        found: dict[str, Counter[bytes]] = {}
        for name in wanted:
            field = context.mapping.field_type(name)
            if not isinstance(field, TextFieldType | KeywordFieldType) or not field.searchable:
                continue
            values = values_at(source, name) or values_at(source, name.rpartition(".")[0])
            words: Counter[bytes] = Counter()
            for value in values:
                if value is not None and not isinstance(value, dict):
                    analyzer = field.analyzer if isinstance(field, TextFieldType) else None
                    words.update(_terms(field, analyzer, java_text(value)))
            if words:
                found[field.name] = words
        return found


def _terms(field: FieldType, analyzer: Any, text: str) -> list[bytes]:
    if analyzer is None:
        return [field.pattern_text("term", text).encode("utf-8", "replace")]
    return [token.term for token in analyzer.query_tokens(text)]


def _source_of(item: Item, context: DslContext) -> dict[str, Any] | None:
    """Return the source of a document; like the API, nothing where there is no such index."""
    try:
        return context.source_of(item.index or context.index, item.id or "", item.routing)
    except RequestFaultError as fault:
        if isinstance(fault.error, IndexNotFound):
            return None
        raise


# -- reading


def parse_more_like_this(body: dict[str, Any], context: ParseContext) -> MoreLikeThisDsl:
    """Read the body of a more_like_this query."""
    kind = "mlt"
    values: dict[str, Any] = {}
    for key, value in body.items():
        match key:
            case "like" | "unlike":
                given = value if isinstance(value, list) else [value]
                values[key] = tuple(_like(one, body, key) for one in given)
            case "fields" if isinstance(value, list):
                values[key] = tuple(java_text(one) for one in value)
            case "stop_words" if isinstance(value, list):
                values[key] = frozenset(java_text(one) for one in value)
            case _ if isinstance(value, dict | list):
                raise unsupported_key(kind, body, key)
            case (
                "max_query_terms"
                | "min_term_freq"
                | "min_doc_freq"
                | "max_doc_freq"
                | "min_word_length"
                | "max_word_length"
            ):
                values[key] = read_integer(kind, body, key)
            case "analyzer" | "minimum_should_match":
                values[key] = read_text(kind, body, key)
            case "boost_terms":
                values[key] = read_number(kind, body, key)
            case "include" | "fail_on_unsupported_field":
                values[key] = read_boolean(value)
            case "boost":
                values[key] = check_boost(kind, read_number(kind, body, key))
            case "_name":
                values["name"] = read_text(kind, body, key)
            case _:
                raise unsupported_key(kind, body, key)
    end = Anchor(body, None, "close")
    if not values.get("like"):
        raise LocatedError("more_like_this requires 'like' to be specified", end)
    if values.get("fields", True) == ():
        raise LocatedError("more_like_this requires 'fields' to be non-empty", end)
    if values.get("max_query_terms", 1) <= 0:
        raise IllegalArgument("requires 'maxQueryTerms' to be greater than 0")
    return MoreLikeThisDsl(**values)


def _like(given: Any, body: dict[str, Any], key: str) -> str | Item:
    if not isinstance(given, dict):
        if given is None or isinstance(given, list):
            raise IllegalArgument("content of 'like' parameter should either be a string or an object")
        return java_text(given)
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _ITEM_KEYS:
            raise ParseError(f"failed to parse More Like This item. unknown field [{name}]")
        if name == "doc":
            values[name] = value
        elif name == "fields":
            values[name] = tuple(map(java_text, value)) if isinstance(value, list) else (java_text(value),)
        elif not name.startswith("_version"):
            values[name.removeprefix("_")] = None if value is None else java_text(value)
    if values.get("id") is not None and values.get("doc") is not None:
        raise ParseError(
            "failed to parse More Like This item. either [id] or [doc] can be specified, but not both!"
        )
    if values.get("id") is None and values.get("doc") is None:
        raise ParseError("failed to parse More Like This item. neither [id] nor [doc] is specified!")
    return Item(**values)
