"""Asks the searches of a ``_rank_eval`` request and judges their hits."""

from collections.abc import Callable
from typing import Any

from lanner.engine.search.rank_eval.request import Evaluation, RatedSearch
from lanner.engine.search.request import SearchRequest


def evaluate(
    asked: Evaluation, ask: Callable[[SearchRequest], dict[str, Any]], fault: Callable[[Exception], Any]
) -> dict[str, Any]:
    """Return the answer. ask: does one search. fault: shows why one went wrong."""
    details: dict[str, Any] = {}
    failures: dict[str, Any] = {}
    for one in asked.searches:
        try:
            hits = ask(one.request)["hits"]["hits"]
        except Exception as error:  # every search has an answer of its own
            failures[one.id] = fault(error)
        else:
            details[one.id] = _judge(asked, one, hits)
    scores = [one["metric_score"] for one in details.values()]
    return {
        "metric_score": sum(scores) / len(scores) if scores else "NaN",
        "details": details,
        "failures": failures,
    }


def _judge(asked: Evaluation, one: RatedSearch, hits: list[dict[str, Any]]) -> dict[str, Any]:
    ratings = [one.ratings.get((hit["_index"], hit["_id"])) for hit in hits]
    judged = asked.metric.judge(ratings, list(one.ratings.values()))
    return {
        "metric_score": judged.score,
        "unrated_docs": [
            {"_index": hit["_index"], "_id": hit["_id"]}
            for hit, rating in zip(hits, ratings, strict=True)
            if rating is None
        ],
        "hits": [{"hit": hit, "rating": rating} for hit, rating in zip(hits, ratings, strict=True)],
        "metric_details": {asked.metric.name: judged.details},
    }
