"""``highlight`` of hits: what a request asks for, bound to one shard."""

from collections.abc import Callable
from functools import partial
from sys import maxsize
from typing import Any

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.wildcards import is_pattern
from lanner.engine.dsl import DslContext, DslQuery
from lanner.engine.mapping.field_type import FieldType
from lanner.engine.mapping.types.keyword import KeywordFieldType
from lanner.engine.mapping.types.text import TextFieldType
from lanner.engine.query.base import WeightContext
from lanner.engine.search.fetch.highlight.fast_vector import highlight_fast_vector
from lanner.engine.search.fetch.highlight.plain import highlight_plain
from lanner.engine.search.fetch.highlight.request import Highlight, Options
from lanner.engine.search.fetch.highlight.text import FieldText, Tokenize, gap_of, tokenizer_of
from lanner.engine.search.fetch.highlight.unified import highlight_unified, marks_of
from lanner.engine.search.fetch.highlight.wanted import Wanted, wanted_of
from lanner.engine.search.fetch.source_values import decode_source, source_paths, values_at
from lanner.engine.search.query_phase import ShardTarget, resolve_query
from lanner.ext.highlight.marks import TermFinder
from lanner.ext.index.segment_reader import SegmentReader
from lanner.ext.search.reader import IndexReader

MAX_OFFSET = "index.highlight.max_analyzed_offset"
_DEFAULT_MAX_OFFSET = 1_000_000
_VECTORS = ("with_positions_offsets", "with_positions_offsets_payloads")
_KINDS = ("unified", "plain", "fvh")


class _BoundField:
    """One field of a shard and how its texts are highlighted."""

    def __init__(self, target: ShardTarget, field: FieldType, options: Options, wanted: Wanted) -> None:
        mapping = target.mapping
        self.name = field.name
        self.options = options
        self.wanted = wanted
        self.paths = [path.split(".") for path in source_paths(mapping, field.name)]
        self.tokenized = isinstance(field, TextFieldType)
        self.finder: TermFinder | None = None
        if isinstance(field, TextFieldType) and options.type == "unified" and wanted.only_terms:
            self.finder = TermFinder(field.analyzer.chain, wanted.terms)
        terms, keeps = wanted.looked_for()
        gap = gap_of(field)
        self.tokenize = tokenizer_of(field, gap, terms, _every if options.type == "plain" else keeps)
        vectors = field.get("term_vector") in _VECTORS
        self.has_offsets = vectors or field.get("index_options") == "offsets"
        self.ignore_above = field.get("ignore_above") if isinstance(field, KeywordFieldType) else None
        self.index = target.index
        limit = target.settings.get(MAX_OFFSET)
        self.limit = _DEFAULT_MAX_OFFSET if limit is None else int(limit)
        self.others: list[Tokenize] = []
        if options.type not in _KINDS:
            raise IllegalArgument(f"unknown highlighter type [{options.type}] for the field [{field.name}]")
        if options.type == "fvh":
            if not vectors:
                raise IllegalArgument(
                    f"the field [{field.name}] should be indexed with term vector with position offsets to "
                    "be used with fast vector highlighter"
                )
            for name in options.matched_fields:
                other = mapping.field_type(name)
                if other is not None and name != field.name:
                    self.others.append(tokenizer_of(other, gap, terms, keeps))
        self._check_options()

    def _check_options(self) -> None:
        most = self.options.max_analyzer_offset
        if self.options.type == "fvh" or most is None:
            return
        if most <= 0:
            raise IllegalArgument(f"the value [{most}] of max_analyzer_offset is invalid")
        if most > self.limit:
            raise IllegalArgument(
                f"max_analyzer_offset has exceeded [{self.limit}] - maximum allowed to be analyzed for "
                f"highlighting. This maximum can be set by changing the [{MAX_OFFSET}] index level setting. "
                "For large texts, indexing with offsets or term vectors is recommended!"
            )

    def fragments(self, document: dict[str, Any], hit_id: str) -> list[str]:
        """Return the highlighted fragments of a document."""
        values = [java_text(value) for path in self.paths for value in values_at(document, path)]
        if self.ignore_above is not None:
            values = [value for value in values if len(value) <= self.ignore_above]
        if not values:
            return []
        options = self.options
        self._check_length(values, hit_id)
        most = options.max_analyzer_offset
        if options.type == "plain":
            if most is not None:  # what is behind is not even shown
                values = [value[:most] for value in values]
            text = FieldText(values, self.tokenize(values, maxsize))
            try:
                return highlight_plain(text, self.wanted, options)
            except IllegalArgument as error:
                raise IllegalArgument(f"{error.reason} for the field [{self.name}]") from None
        if most is None:
            most = maxsize
        if self.finder is not None:
            return highlight_unified(values, self.finder.find(values, most), options, tokenized=True)
        tokens = self.tokenize(values, most)
        if options.type == "unified":
            return highlight_unified(values, marks_of(self.wanted, tokens), options, tokenized=self.tokenized)
        for tokenize in self.others:
            tokens += tokenize(values, most)
        return highlight_fast_vector(FieldText(values, tokens), self.wanted, options)

    def _check_length(self, values: list[str], hit_id: str) -> None:
        options = self.options
        if options.max_analyzer_offset is not None or options.type == "fvh":
            return
        if options.type == "unified":
            if self.has_offsets or sum(map(len, values)) + len(values) - 1 <= self.limit:
                return
            advice = "indexing with offsets or term vectors is recommended!"
        else:
            if max(map(len, values)) <= self.limit:
                return
            advice = (
                "indexing with offsets or term vectors, and highlighting with unified or fvh highlighter is "
                "recommended!"
            )
        raise IllegalArgument(
            f"The length of [{self.name}] field of [{hit_id}] doc of [{self.index}] index has exceeded "
            f"[{self.limit}] - maximum allowed to be analyzed for highlighting. This maximum can be set by "
            f"changing the [{MAX_OFFSET}] index level setting. For large texts, {advice}"
        )


def highlightable(field: FieldType) -> bool:
    """Return whether texts of a field can be highlighted; of others nothing is ever marked."""
    return isinstance(field, TextFieldType | KeywordFieldType)


def bind_highlight(
    asked: Highlight,
    query: DslQuery | None,
    target: ShardTarget,
    context: DslContext,
    reader: IndexReader,
) -> Callable[[dict[str, Any], SegmentReader, int, int], None]:
    """Return what adds ``highlight`` to the hits of a shard."""
    mapping = target.mapping
    weights = WeightContext(reader, mapping.similarity, scoring=False)
    bound: list[_BoundField] = []
    for pattern, options in asked.fields:
        names = mapping.match_fields(pattern) if is_pattern(pattern) else [pattern]
        resolved = resolve_query(options.highlight_query or query, context, target.index_uuid)
        for name in names:
            field = mapping.field_type(name)
            if field is None or not highlightable(field):
                continue
            matched = {name, *options.matched_fields} if options.type == "fvh" else {name}
            takes = matched.__contains__ if options.require_field_match else _every
            bound.append(
                _BoundField(
                    target, field, options, wanted_of(resolved, takes, options.type or "unified", weights)
                )
            )
    return partial(_add, bound)


def _every(name: Any) -> bool:
    return True


def _add(
    bound: list[_BoundField], hit: dict[str, Any], segment: SegmentReader, segment_index: int, doc: int
) -> None:
    document = decode_source(segment.source(doc))
    shown: dict[str, list[str]] = {}
    for field in bound:
        fragments = field.fragments(document, hit.get("_id", ""))
        if fragments:
            shown[field.name] = fragments
    if shown:
        hit["highlight"] = shown
