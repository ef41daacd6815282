"""phrase: whole texts that are more probable than the given one, word for word spelled almost like it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import exp
from typing import Any, NamedTuple

import numpy as np

from lanner.engine.common.body import Anchor, LocatedError, token_name
from lanner.engine.common.errors import IllegalArgument, IllegalStateError
from lanner.engine.common.object_parser import Field, parse_object
from lanner.engine.search.query_phase import bind
from lanner.engine.search.request import SearchRequest
from lanner.engine.search.suggest.base import Entry, SuggestContext, Suggestion
from lanner.engine.search.suggest.candidates import (
    BoundGenerator,
    Candidate,
    Choice,
    Generator,
    Phrase,
    best_phrases,
    draw_candidates,
)
from lanner.engine.search.suggest.collate import Collate, parse_collate
from lanner.engine.search.suggest.options import (
    COMMON,
    at_least,
    double,
    flag,
    is_scalar,
    read_options,
    single,
    text,
    whole,
)
from lanner.engine.search.suggest.smoothing import (
    Counts,
    Laplace,
    LinearInterpolation,
    Smoothing,
    StupidBackoff,
    word_score,
)
from lanner.engine.search.suggest.spelling import SPELLING, Spelling
from lanner.ext.json.number import float32
from lanner.ext.search.count import count
from lanner.ext.search.reader import IndexReader

_NOTHING = 5e-324  # Double.MIN_VALUE: what scores no more is no phrase
_SHINGLE, _SYNONYM = "shingle", "SYNONYM"


class Option(NamedTuple):
    """A phrase. match: whether a document has it in the way that collate asks, None if that is not shown."""

    text: bytes
    score: float
    highlighted: bytes | None
    match: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseSuggestion(Suggestion):
    """Phrases for the whole text. Terms of the field that are several words are joined by the separator."""

    kind = "phrase"
    generators: tuple[Generator, ...] = ()
    gram_size: int | None = None
    likelihood: float = float.fromhex("0x1.e66666p-1")  # 0.95 in 32 bits
    confidence: float = 1.0
    max_errors: float = 0.5
    separator: str = " "
    force_unigrams: bool = True
    token_limit: int = 10
    smoothing: Smoothing = field(default_factory=StupidBackoff)
    tags: tuple[str, str] | None = None
    collate: Collate | None = None

    def suggest(self, context: SuggestContext, text: str) -> list[Entry]:
        """Look for phrases that are more probable than the text."""
        name = context.field_type(self.field).name
        analyzer = context.analyzer(context.field_type(self.field), self.analyzer)
        gram_size, generators = self._resolved(analyzer)
        reader = context.reader
        entry = Entry(text, 0, len(text.encode("utf-16-le", "surrogatepass")) // 2, cutoff=_NOTHING)
        bound = [_bound(one, context, self.likelihood) for one in generators if _has_terms(reader, one.field)]
        if not bound or not _has_terms(reader, name):
            return [entry]
        choices = self._choices(analyzer, text, bound)
        if not choices or len(choices) >= self.token_limit:
            return [entry]
        most = self.shard_count()
        for choice in choices:
            draw_candidates(choice, bound, most)
        counts = self._counts(reader, name)

        def scored(words: tuple[Candidate, ...], original: Candidate) -> float:
            return word_score(self.smoothing, counts, words, gram_size, self.likelihood)

        if self.confidence > 0:
            given = tuple(choice.original for choice in choices)
            total = sum(scored(given[: i + 1], given[i]) for i in range(len(given)))
            entry.cutoff = exp(total) * self.confidence
        errors = int(self.max_errors)
        if self.max_errors < 1:
            errors = int(np.floor(np.float32(self.max_errors) * np.float32(len(choices)) + np.float32(0.5)))
        found = best_phrases(choices, scored, errors=max(1, errors), most=most, gram_size=gram_size)
        entry.options = list(self._options(context, found, entry.cutoff))
        return [entry]

    def _resolved(self, analyzer: Any) -> tuple[int, tuple[Generator, ...]]:
        """Return the words in a row that count, and the generators: by default what the analyzer makes."""
        shingles = None if analyzer is None else analyzer.shingle_sizes
        gram_size = self.gram_size
        if gram_size is None:
            gram_size = 1 if shingles is None else shingles.most
        generators = self.generators
        if not generators:
            if shingles is not None and shingles.least > 1 and not shingles.unigrams and self.force_unigrams:
                raise IllegalArgument(
                    f"The default candidate generator for phrase suggest can't operate on field: "
                    f"[{self.field}] since it doesn't emit unigrams. If this is intentional try to set the "
                    "candidate generator field explicitly"
                )
            generators = (Generator(field=self.field),)
        return gram_size, generators

    def _choices(self, analyzer: Any, text: str, bound: list[BoundGenerator]) -> list[Choice]:
        """Return the words of the text."""
        choices: list[Choice] = []
        tokens = [(text.encode("utf-8", "replace"), 0, "word")]
        if analyzer is not None:
            tokens = [(term, at, kind) for term, _, _, at, kind, *_ in analyzer.chain.tokens(text)]
        last = None
        skipped = 0
        for term, at, kind in tokens:
            if self.force_unigrams and kind == _SHINGLE:
                skipped += 1
                last = at
                continue
            if kind == _SYNONYM and at == last and choices:
                made = bound[0].candidate(term, self.likelihood, own=False)
                if made.freq:
                    choices[-1].others.append(made)
            else:
                choices.append(Choice(bound[0].candidate(term, 1.0, own=True)))
            last = at
        if skipped and not choices:
            raise IllegalStateError("At least one unigram is required but all tokens were ngrams")
        return choices

    def _counts(self, reader: IndexReader, name: str) -> Counts:
        _, size, _ = reader.field_statistics(name)
        terms = reader.max_doc  # as the reference, which only knows how many words one segment has
        if len(reader.segments) == 1:
            dictionary = reader.segments[0].fields_by_name[name].terms
            terms = 0 if dictionary is None else dictionary.size
        return Counts(lambda term: reader.total_term_freq(name, term), size, terms, self.separator.encode())

    def _options(self, context: SuggestContext, found: list[Phrase], cutoff: float) -> Iterable[Option]:
        for phrase in found:
            if not phrase.score > cutoff:
                continue
            shown = b" ".join(word.term for word in phrase.words)
            match = None
            if self.collate is not None:
                match = self._matches(context, self.collate, shown)
                if not match and not self.collate.prune:
                    continue
            score = float(np.float32(phrase.score))
            if score > cutoff:
                prune = self.collate is not None and self.collate.prune
                yield Option(shown, score, self._highlighted(phrase), match if prune else None)

    def _matches(self, context: SuggestContext, collate: Collate, shown: bytes) -> bool:
        """Return whether a document has a phrase in the way that collate asks."""
        query = collate.query(shown.decode("utf-8", "replace"))
        weight = bind(context.target, context.reader, query, None, context.now_millis, scoring=False)
        return count(context.reader, weight) > 0

    def _highlighted(self, phrase: Phrase) -> bytes | None:
        """Return the phrase with tags around the words that are others."""
        if self.tags is None:
            return None
        pre, post = (tag.encode("utf-8", "replace") for tag in self.tags)
        words = []
        for i, word in enumerate(phrase.words):
            shown = word.term
            if not word.own:
                if i == 0 or phrase.words[i - 1].own:
                    shown = pre + shown
                if i + 1 == len(phrase.words) or phrase.words[i + 1].own:
                    shown += post
            words.append(shown)
        return b" ".join(words)

    def merge(self, entries: list[Entry]) -> list[Option]:
        """Return the best of all shards that compete with the text on each of them."""
        cutoff = max(entry.cutoff for entry in entries)
        found: dict[bytes, Option] = {}
        for entry in entries:
            for option in entry.options:
                known = found.get(option.text)
                if known is None:
                    found[option.text] = option
                elif option.score > known.score:
                    found[option.text] = known._replace(score=option.score)
        options = [option for option in found.values() if option.score > cutoff]
        return sorted(options, key=lambda option: (-option.score, option.text))

    def render(self, options: list[Option], request: SearchRequest, now_millis: int) -> list[dict[str, Any]]:
        """Show phrases with their scores."""
        shown = []
        for option in options:
            one: dict[str, Any] = {"text": option.text.decode("utf-8", "replace")}
            if option.highlighted is not None:
                one["highlighted"] = option.highlighted.decode("utf-8", "replace")
            one["score"] = float32(option.score)
            if option.match is not None:
                one["collate_match"] = option.match
            shown.append(one)
        return shown


def _has_terms(reader: IndexReader, name: str) -> bool:
    parts = (segment.fields_by_name.get(name) for segment in reader.segments)
    return any(part is not None and part.postings for part in parts)


def _bound(generator: Generator, context: SuggestContext, likelihood: float) -> BoundGenerator:
    analyzers: list[Any] = []
    for name in (generator.pre_filter, generator.post_filter):
        try:
            analyzers.append(None if name is None else context.target.mapping.registry.analyzer(name))
        except IllegalArgument:
            raise IllegalArgument(f"Analyzer [{name}] doesn't exists") from None
    _, size, _ = context.reader.field_statistics(generator.field)
    return BoundGenerator(generator, context.reader, analyzers[0], analyzers[1], size, likelihood)


# -- reading


def _above(read: Any, message: str) -> Any:
    def bounded(value: Any) -> Any:
        number = read(value)
        if not number > 0:
            raise IllegalArgument(message)
        return number

    return bounded


def _edits(value: Any) -> int:
    edits = whole(value)
    if not 1 <= edits <= 2:
        raise IllegalArgument(f"Illegal max_edits value {edits}")
    return edits


_OPTIONS = {
    **COMMON,
    "real_word_error_likelihood": (
        "likelihood",
        _above(single, "real_word_error_likelihood must be > 0.0"),
    ),
    "confidence": ("confidence", at_least(single, 0, "confidence must be >= 0.0")),
    "separator": ("separator", text),
    "max_errors": ("max_errors", _above(single, "max_error must be > 0.0")),
    "gram_size": ("gram_size", at_least(whole, 1, "gramSize must be >= 1")),
    "force_unigrams": ("force_unigrams", flag),
    "token_limit": ("token_limit", at_least(whole, 1, "token_limit must be >= 1")),
}
_GENERATOR_OPTIONS = {
    **SPELLING,
    "field": ("field", text),
    "size": ("size", at_least(whole, 1, "size must be positive")),
    "pre_filter": ("pre_filter", text),
    "post_filter": ("post_filter", text),
    "max_edits": ("max_edits", _edits),
}
_GENERATOR_FIELDS = ("field", "size", "pre_filter", "post_filter")


def _generator_field(key: str) -> Field:
    read = _GENERATOR_OPTIONS[key][1]
    return Field((str, int, float), lambda value, _: read(value), required=key == "field")


_GENERATOR = {key: _generator_field(key) for key in _GENERATOR_OPTIONS}


def _generators(value: Any) -> tuple[Generator, ...]:
    found = []
    for one in value:
        if not isinstance(one, dict):
            break
        given = parse_object("direct_generator", one, _GENERATOR)
        values = {_GENERATOR_OPTIONS[key][0]: value for key, value in given.items()}
        own = {name: values.pop(name) for name in _GENERATOR_FIELDS if name in values}
        found.append(Generator(**own, spelling=Spelling(**values)))
    return tuple(found)


_MODELS = {
    "laplace": (Laplace, {"alpha": "alpha"}),
    "stupid_backoff": (StupidBackoff, {"discount": "discount"}),
    "linear": (
        LinearInterpolation,
        {
            "trigram_lambda": "trigram_weight",
            "bigram_lambda": "bigram_weight",
            "unigram_lambda": "unigram_weight",
        },
    ),
}


def _smoothing(given: dict[str, Any]) -> Smoothing:
    made: Smoothing = StupidBackoff()
    for name, body in given.items():
        if not isinstance(body, dict):
            raise LocatedError(
                f"[smoothing] unknown token [{token_name(body)}] after [{name}]", Anchor(given, name)
            )
        if name not in _MODELS:
            raise IllegalArgument(f"suggester[phrase] doesn't support object field [{name}]")
        model, keys = _MODELS[name]
        values = {keys[key]: double(value) for key, value in body.items() if key in keys and is_scalar(value)}
        if name == "linear":
            if len(values) < len(body):
                unknown = next(key for key in body if key not in keys or not is_scalar(body[key]))
                raise IllegalArgument(
                    f"suggester[phrase][smoothing][linear] doesn't support field [{unknown}]"
                )
            _check_weights(values)
        made = model(**values)
    return made


def _check_weights(values: dict[str, float]) -> None:
    for key in ("trigram", "bigram", "unigram"):
        if values.setdefault(f"{key}_weight", 0.0) < 0:
            raise IllegalArgument(f"{key}Lambda must be positive")
    if abs(sum(values.values()) - 1) > 0.001:
        raise IllegalArgument("linear smoothing lambdas must sum to 1")


def _tags(given: dict[str, Any]) -> tuple[str, str] | None:
    tags = {}
    for key, value in given.items():
        if key not in ("pre_tag", "post_tag") or not is_scalar(value):
            raise LocatedError(
                f"suggester[phrase][highlight] doesn't support field [{key}]", Anchor(given, key)
            )
        tags[key] = text(value)
    if len(tags) == 1:
        raise IllegalArgument("Pre and post tag must both be null or both not be null.")
    return (tags["pre_tag"], tags["post_tag"]) if tags else None


_OBJECTS = {"smoothing": _smoothing, "highlight": _tags, "collate": parse_collate}


def parse_phrase(body: dict[str, Any]) -> PhraseSuggestion:
    """Read the object of a phrase suggester."""
    for key, value in body.items():
        known = (isinstance(value, dict) and key in _OBJECTS) or (
            isinstance(value, list) and key == "direct_generator"
        )
        if isinstance(value, dict | list) and not known:
            raise LocatedError(f"suggester[phrase]  doesn't support array field [{key}]", Anchor(body, key))
        if value is None:
            raise LocatedError(f"suggester[phrase] doesn't support field [{key}]", Anchor(body, key))
    values = read_options("phrase", body, _OPTIONS, {**_OBJECTS, "direct_generator": _generators})
    for key, name in (("direct_generator", "generators"), ("highlight", "tags")):
        if key in values:
            values[name] = values.pop(key)
    return PhraseSuggestion(**values)
