"""Documents in which terms stand in certain places: spans and intervals, as trees that become programs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.query.base import Query, Weight, WeightContext
from lanner.engine.query.boolean import BooleanQuery
from lanner.engine.query.match_all import MatchNoneQuery
from lanner.engine.query.multi_term import MultiTermQuery
from lanner.engine.query.term import TermQuery
from lanner.engine.query.term_set import TermSet
from lanner.ext.automaton.term_walk import matching_terms
from lanner.ext.query.constant import MatchNoneWeight
from lanner.ext.query.positions import PositionsWeight
from lanner.ext.query.similarity import RawFrequency, Similarity
from lanner.ext.query.term import TermWeight

if TYPE_CHECKING:
    from lanner.engine.query.explanation import Document, Explanation, FieldTexts

MOST_TERMS = 1024
MOST_STEPS = 4096
#: operations whose every part a document must have
_ALL = frozenset(
    (
        "ordered_near",
        "unordered_near",
        "span_containing",
        "span_within",
        "block",
        "ordered",
        "unordered",
        "containing",
        "contained_by",
        "overlapping",
        "before",
        "after",
    )
)
_ANY = frozenset(("span_or", "any"))
#: by operation, the name of Lucene's class
_KINDS = {
    "term": "SpanTermQuery",
    "span_or": "SpanOrQuery",
    "ordered_near": "SpanNearQuery",
    "unordered_near": "SpanNearQuery",
    "span_not": "SpanNotQuery",
    "span_first": "SpanFirstQuery",
    "span_containing": "SpanContainingQuery",
    "span_within": "SpanWithinQuery",
}


@dataclass(frozen=True, slots=True)
class TermsOf:
    """Terms that are only known once there is a reader. about: the pattern, for errors."""

    field: str
    terms: TermSet
    most: int
    about: str


@dataclass(frozen=True, slots=True)
class Place:
    """A node: an operation over other places, or a leaf.

    term: (field, term) of a leaf. several: a leaf of many terms; a query of terms for spans.
    """

    operation: str
    a: int = 0
    b: int = 0
    parts: "tuple[Place, ...]" = ()
    term: tuple[str, bytes] | None = None
    several: TermsOf | MultiTermQuery | None = None

    def extent(self) -> int:
        """Return the length of the shortest interval that it can give."""
        if not self.parts:
            return 1
        if self.operation in ("ordered", "unordered", "block"):
            return sum(part.extent() for part in self.parts)
        if self.operation == "any":
            return min(part.extent() for part in self.parts)
        return self.parts[0].extent() + (self.a if self.operation == "extend" else 0)


def term_place(field: str, term: bytes) -> Place:
    """Return the places of a term."""
    return Place("term", term=(field, term))


# -- intervals, as Lucene rewrites them


def _alternatives(place: Place) -> list[Place]:
    """Return what a disjunction is made of: those of one position together, the others each by itself."""
    if place.operation != "any" or not place.parts:
        return [place]
    every: list[Place] = []
    for part in place.parts:
        every += _alternatives(part)
    single = [part for part in every if part.extent() == 1]
    longer = [part for part in every if part.extent() > 1]
    if single:
        longer.insert(0, single[0] if len(single) == 1 else Place("any", parts=tuple(single)))
    return longer


def combined(operation: str, parts: list[Place], a: int = 0) -> Place:
    """Return a combination of intervals; disjunctions inside become disjunctions of combinations."""
    choices = [_alternatives(part) for part in parts]
    n = 1
    for choice in choices:
        n *= len(choice)
    if n > MOST_TERMS:
        raise IllegalArgument(f"[intervals] would be a choice of more than [{MOST_TERMS}] combinations")
    made = [_plain(operation, list(chosen), a) for chosen in product(*choices)]
    return made[0] if len(made) == 1 else Place("any", parts=tuple(made))


def _plain(operation: str, parts: list[Place], a: int) -> Place:
    if operation == "ordered":
        parts = _runs(parts)
    elif operation == "unordered":
        counts: dict[Place, int] = {}
        for part in parts:
            counts[part] = counts.get(part, 0) + 1
        parts = [_repeat(part, count) for part, count in counts.items()]
    if operation in ("ordered", "unordered") and len(parts) == 1:
        return parts[0]
    return Place(operation, a, parts=tuple(parts))


def _runs(parts: list[Place]) -> list[Place]:
    found: list[list[Place]] = []
    for part in parts:
        if found and found[-1][0] == part:
            found[-1].append(part)
        else:
            found.append([part])
    return [_repeat(run[0], len(run)) for run in found]


def _repeat(part: Place, times: int) -> Place:
    return part if times == 1 else Place("repeat", times, parts=(part,))


# -- queries


@dataclass(frozen=True, slots=True)
class SpanQuery(Query):
    """Documents with spans, scored by how many there are and how narrow. field: whose lengths count."""

    field: str
    place: Place

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the terms, and sum their weights."""
        similarity = context.similarity(self.field) if context.scoring else None
        if similarity is not None and not similarity.by_block:
            from lanner.ext.query.formulas import FormulaPhraseWeight  # few indices have one

            counted = self.bind(context, 1.0, RawFrequency())
            if counted is None:
                return MatchNoneWeight(context.reader)
            terms = sorted({term for _, term in _scored(expand(self.place, context))})
            return FormulaPhraseWeight(counted, self.field, terms, similarity, boost=boost)
        return self.bind(context, boost, similarity) or MatchNoneWeight(context.reader)

    def bind(
        self, context: WeightContext, boost: float, similarity: Similarity | None
    ) -> PositionsWeight | None:
        """Return what finds the spans; None if no document has any of the terms."""
        place = expand(self.place, context)
        program = _Program(context)
        program.add(place)
        if program.is_empty():
            return None
        approximation = approximate(place).weight(context.matching())
        scored = {program.numbers[term]: None for term in _scored(place) if term in program.numbers}
        return PositionsWeight(
            approximation,
            program.terms,
            program.steps,
            boost=boost,
            scored=[program.terms[number] for number in scored],
            field=self.field,
            similarity=similarity,
        )

    @property
    def kind(self) -> str:
        """The name of Lucene's class."""
        return _KINDS.get(self.place.operation, "SpanQuery")

    def text(self, fields: "FieldTexts") -> str:
        """Return the spans as Lucene writes them."""
        from lanner.engine.query.explanation_positions import span_text

        return span_text(self.place, fields)

    def rewritten(self, context: WeightContext) -> Query:
        """Return the spans of the terms that patterns find."""
        from lanner.engine.query.explanation_positions import spelled_out

        return SpanQuery(self.field, spelled_out(self.place, context))

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return the score of all spans."""
        from lanner.engine.query.explanation import match, no_match, shown, weight_words
        from lanner.engine.query.explanation_similarity import explain_score

        weight = self.bind(document.context, boost, None)
        freq = 0.0 if weight is None else weight.freq(document.segment, document.doc)
        if not freq:
            return no_match("no matching term")
        terms = sorted(set(_scored(expand(self.place, document.context))))
        explained = match(freq, f"phraseFreq={shown(freq)}")
        return weight_words(
            document, document.text(self), explain_score(document, self.field, terms, boost, explained)
        )


@dataclass(frozen=True, slots=True)
class IntervalQuery(Query):
    """Documents with intervals, scored by how many there are and how short."""

    place: Place

    def weight(self, context: WeightContext, boost: float = 1.0) -> Weight:
        """Bind the terms."""
        return self.bind(context, boost) or MatchNoneWeight(context.reader)

    def text(self, fields: "FieldTexts") -> str:
        """Return the field and the intervals as Lucene writes them."""
        from lanner.engine.query.explanation_positions import interval_text

        return interval_text(self.place)

    def explain(self, document: "Document", boost: float = 1.0) -> "Explanation":
        """Return how often and how near."""
        from lanner.engine.query.explanation import match, no_match, single

        weight = self.bind(document.context, boost)
        freq = 0.0 if weight is None else weight.freq(document.segment, document.doc)
        if not freq:
            return no_match("no matching intervals")
        return match(
            single(boost * single(1.0 - single(1.0 / single(1.0 + freq)))),
            "Saturation function on interval frequency, computed as w * S / (S + k) from:",
            match(boost, "w, weight of this function"),
            match(1.0, "k, pivot feature value that would give a score contribution equal to w/2"),
            match(freq, f"S, the sloppy frequency of the interval query {document.text(self)}"),
        )

    def bind(self, context: WeightContext, boost: float) -> PositionsWeight | None:
        """Return the weight; None if no document has any of the terms."""
        place = expand(self.place, context)
        program = _Program(context)
        program.add(place)
        if program.is_empty():
            return None
        return PositionsWeight(
            approximate(place).weight(context.matching()),
            program.terms,
            program.steps,
            boost=boost,
            least=self.place.extent(),
        )


def expand(place: Place, context: WeightContext) -> Place:
    """Return a tree in which every leaf is a term; raises IllegalArgument if a leaf has too many."""
    given = place.several
    if given is None:
        return (
            replace(place, parts=tuple(expand(part, context) for part in place.parts))
            if place.parts
            else place
        )
    if isinstance(given, MultiTermQuery):
        chosen = [term for term, _ in given.choose(context)]
        if len(chosen) > MOST_TERMS:
            raise IllegalArgument(f"maxClauseCount is set to {MOST_TERMS}")
        return Place("span_or", parts=tuple(term_place(given.field, term) for term in chosen))
    found = matching_terms(context.reader, given.field, given.terms.machine(), given.most + 1)
    if len(found) > given.most:
        raise IllegalArgument(f"Automaton [{given.about}] expanded to too many terms (limit {given.most})")
    return Place("any", parts=tuple(term_place(given.field, term) for term in sorted(found)))


def approximate(place: Place) -> Query:
    """Return a query that matches at least the documents that the places are in."""
    if place.term is not None:
        return TermQuery(*place.term)
    if place.operation in _ANY:
        if not place.parts:
            return MatchNoneQuery("no terms")
        return BooleanQuery(should=tuple(approximate(part) for part in place.parts))
    if place.operation in _ALL:
        parts = [part for part in place.parts if part.operation != "gap"]
        return BooleanQuery(must=tuple(approximate(part) for part in parts))
    if place.operation == "gap":
        return MatchNoneQuery("a gap by itself")
    return approximate(place.parts[0])


def _scored(place: Place) -> Iterator[tuple[str, bytes]]:
    """Yield the terms whose weights count: all but those that are excluded."""
    if place.term is not None:
        yield place.term
    for part in place.parts[: 1 if place.operation == "span_not" else None]:
        yield from _scored(part)


class _Program:
    """The steps of a tree, and the weights of its terms."""

    def __init__(self, context: WeightContext) -> None:
        self.reader = context.reader
        self.terms: list[TermWeight] = []
        self.numbers: dict[tuple[str, bytes], int] = {}
        self.leaves: dict[tuple[str, bytes], int] = {}
        self.steps: list[tuple[str, int, int, tuple[int, ...]]] = []

    def add(self, place: Place) -> int:
        """Add the steps of a tree; return the number of the last one."""
        if place.term is not None:
            if place.term not in self.numbers:
                self.numbers[place.term] = len(self.terms)
                self.terms.append(TermWeight(self.reader, *place.term))
                self.leaves[place.term] = self.step("term", self.numbers[place.term], 0, ())
            return self.leaves[place.term]
        children = tuple([self.add(part) for part in place.parts])
        return self.step(place.operation, place.a, place.b, children)

    def step(self, operation: str, a: int, b: int, children: tuple[int, ...]) -> int:
        if len(self.steps) >= MOST_STEPS:
            raise IllegalArgument(f"a query of positions takes at most [{MOST_STEPS}] parts")
        self.steps.append((operation, a, b, children))
        return len(self.steps) - 1

    def is_empty(self) -> bool:
        """Return whether no document can match."""
        return all(term.doc_freq == 0 for term in self.terms)
