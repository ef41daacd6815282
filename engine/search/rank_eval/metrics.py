"""Measures of a list of hits whose documents were rated: one class each, and their table.

Sources of the formulas: Manning, Raghavan, Schuetze, Introduction to Information Retrieval (2008), chapter
8, for precision, recall and the reciprocal rank; Jaervelin, Kekaelaeinen, Cumulated gain-based evaluation of
IR techniques (2002) with the gain 2^rating - 1 of Burges et al. (2005); Chapelle et al., Expected reciprocal
rank for graded relevance (2009).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any, ClassVar

from lanner.engine.common.errors import IllegalArgument
from lanner.engine.common.object_parser import FLAG, SHORT, Field

DEFAULT_SIZE = 10  # hits that are judged


@dataclass(frozen=True, slots=True)
class Judged:
    """What a measure says of one search: the score, and how it came about."""

    score: float
    details: dict[str, Any]


class Metric:
    """A measure. ratings: of the hits in order, None for those without; rated: all ratings of the search."""

    name: ClassVar[str]
    parser: ClassVar[str]  # what complaints about its parameters call it
    fields: ClassVar[dict[str, Field]]
    k: int

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return what the measure says."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class RelevanceMetric(Metric):
    """A measure that only asks whether a document is relevant: its rating reaches a threshold."""

    fields: ClassVar[dict[str, Field]] = {"relevant_rating_threshold": SHORT, "k": SHORT}
    complaint: ClassVar[str] = "precision"  # what complaints about the threshold call it
    k: int = DEFAULT_SIZE
    relevant_rating_threshold: int = 1

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.relevant_rating_threshold < 0:
            raise IllegalArgument(f"Relevant rating threshold for {self.complaint} must be positive integer.")
        if self.k <= 0:
            raise IllegalArgument("Window size k must be positive.")

    def relevant(self, rating: int | None) -> bool:
        """Return whether a document is relevant."""
        return rating is not None and rating >= self.relevant_rating_threshold


@dataclass(frozen=True, slots=True)
class Precision(RelevanceMetric):
    """How many of the hits are relevant."""

    name: ClassVar[str] = "precision"
    parser: ClassVar[str] = "precision"
    fields: ClassVar[dict[str, Field]] = {**RelevanceMetric.fields, "ignore_unlabeled": FLAG}
    ignore_unlabeled: bool = False

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return relevant hits over hits."""
        relevant = sum(map(self.relevant, ratings))
        total = sum(rating is not None for rating in ratings) if self.ignore_unlabeled else len(ratings)
        return Judged(
            relevant / total if total else 0.0,
            {"relevant_docs_retrieved": relevant, "docs_retrieved": total},
        )


@dataclass(frozen=True, slots=True)
class Recall(RelevanceMetric):
    """How many of the relevant documents are hits."""

    name: ClassVar[str] = "recall"
    parser: ClassVar[str] = "recall"
    complaint: ClassVar[str] = "recall"

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return relevant hits over relevant documents."""
        found, relevant = sum(map(self.relevant, ratings)), sum(map(self.relevant, rated))
        return Judged(
            found / relevant if relevant else 0.0,
            {"relevant_docs_retrieved": found, "relevant_docs": relevant},
        )


@dataclass(frozen=True, slots=True)
class MeanReciprocalRank(RelevanceMetric):
    """How far up the first relevant hit is."""

    name: ClassVar[str] = "mean_reciprocal_rank"
    parser: ClassVar[str] = "reciprocal_rank"

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return one over the place of the first relevant hit."""
        for rank, rating in enumerate(ratings, 1):
            if self.relevant(rating):
                return Judged(1 / rank, {"first_relevant": rank})
        return Judged(0.0, {"first_relevant": -1})


@dataclass(frozen=True, slots=True)
class DiscountedCumulativeGain(Metric):
    """What hits are worth, less the further down they are."""

    name: ClassVar[str] = "dcg"
    parser: ClassVar[str] = "dcg_at"
    fields: ClassVar[dict[str, Field]] = {"k": SHORT, "normalize": FLAG, "unknown_doc_rating": SHORT}
    k: int = DEFAULT_SIZE
    normalize: bool = False
    unknown_doc_rating: int | None = None

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return the sum of the gains, or that over the best one that the ratings allow."""
        unrated = sum(rating is None for rating in ratings)
        score = gain = _gain([self.unknown_doc_rating if one is None else one for one in ratings])
        details: dict[str, Any] = {"dcg": gain}
        if self.normalize:
            ideal = _gain(sorted(rated, reverse=True)[: len(ratings)])
            score = gain / ideal if ideal > 0 else 0.0
            if ideal:
                details |= {"ideal_dcg": ideal, "normalized_dcg": score}
        return Judged(score, {**details, "unrated_docs": unrated})


def _gain(ratings: Sequence[int | None]) -> float:
    gain = 0.0
    for rank, rating in enumerate(ratings, 1):
        if rating is not None:
            gain += (_power(rating) - 1) / (log(rank + 1) / log(2))
    return gain


@dataclass(frozen=True, slots=True)
class ExpectedReciprocalRank(Metric):
    """How far down a reader goes who stops at a hit the likelier the better it is."""

    name: ClassVar[str] = "expected_reciprocal_rank"
    parser: ClassVar[str] = "expected_reciprocal_rank"
    fields: ClassVar[dict[str, Field]] = {
        "maximum_relevance": Field(SHORT.kinds, SHORT.read, required=True),
        "unknown_doc_rating": SHORT,
        "k": SHORT,
    }
    maximum_relevance: int
    k: int = DEFAULT_SIZE
    unknown_doc_rating: int | None = None

    def judge(self, ratings: Sequence[int | None], rated: Sequence[int]) -> Judged:
        """Return the sum over the hits of the chance to stop there over its place."""
        unrated = sum(rating is None for rating in ratings)
        reached, score = 1.0, 0.0
        for rank, given in enumerate(ratings, 1):
            rating = self.unknown_doc_rating if given is None else given
            if rating is not None:
                stops = (_power(rating) - 1) / _power(self.maximum_relevance)
                score += reached * stops / rank
                reached *= 1 - stops
        return Judged(score, {"unrated_docs": unrated})


def _power(rating: int) -> float:
    try:
        return 2.0**rating
    except OverflowError:
        return float("inf")


METRICS: dict[str, type[Metric]] = {
    "precision": Precision,
    "recall": Recall,
    "mean_reciprocal_rank": MeanReciprocalRank,
    "dcg": DiscountedCumulativeGain,
    "expected_reciprocal_rank": ExpectedReciprocalRank,
}
