"""What a scoring formula says of one document. One function a formula; its table is at the end.

Source: the explain methods of Lucene's similarities, in the arithmetic of single precision.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from lanner.engine.query.explanation import Document, Explanation, match, shown, single
from lanner.ext.query.similarity import BM25, BooleanSimilarity

_EXACT = 39  # norms up to here keep a length as it is


@dataclass(frozen=True, slots=True)
class Scored:
    """What a formula sees of a document. terms: (doc_freq, doc_count, total_term_freq) of each.

    norm: the encoded length; length: what it stands for.
    """

    boost: float
    terms: tuple[tuple[int, int, int], ...]
    doc_count: int
    sum_total_term_freq: int
    norm: int
    length: int


def explain_score(
    document: Document,
    field: str,
    terms: Sequence[tuple[str, bytes]],
    boost: float,
    freq: Explanation,
    *,
    statistics: tuple[int, int] | None = None,
    one: bool = False,
) -> Explanation:
    """Return how a formula scores terms that come together so often in a document.

    statistics: as for TermWeight. one: the terms count as one, with the greatest of their frequencies.
    """
    context = document.context
    reader = context.reader
    part = reader.segments[document.segment].fields_by_name.get(field)
    doc_count, sum_total_term_freq, _ = reader.field_statistics(field)
    stated = []
    for name, term in terms:
        doc_freq = reader.doc_freq(name, term)
        if statistics is not None:
            doc_freq, doc_count = statistics
        if doc_freq:
            stated.append((doc_freq, doc_count, reader.total_term_freq(name, term)))
    if one:
        stated = [max(stated)]
    norm = 1 if part is None else part.norm(document.doc)
    length = 1 if part is None else part.length(document.doc)
    similarity = context.similarity(field)
    explain = FORMULAS.get(type(similarity), _other)
    return explain(
        similarity, Scored(boost, tuple(stated), doc_count, sum_total_term_freq, norm, length), freq
    )


def _other(similarity: Any, scored: Scored, freq: Explanation) -> Explanation:
    from lanner.engine.query.explanation_formulas import explain_formula  # few indices have one

    return explain_formula(similarity, scored, freq)


def explain_bm25(similarity: Any, scored: Scored, freq: Explanation) -> Explanation:
    """Return BM25, times (k1 + 1) unless it is Lucene's own."""
    k1, b = similarity.k1, similarity.b
    boost = single(scored.boost)
    if not similarity.plain:
        boost = single(boost * single(1.0 + k1))
    idf = _idf(scored.terms)
    average = single(scored.sum_total_term_freq / scored.doc_count) if scored.sum_total_term_freq > 0 else 1.0
    length = float(scored.length)
    approximate = " (approximate)" if scored.norm > _EXACT else ""
    scaled = single(single(1.0 - b) + single(single(b * length) / average))
    divisor = single(k1 * scaled)
    inverse = single(1.0 / divisor) if divisor else float("inf")
    reached = single(1.0 + single(freq.value * inverse))
    tf = match(
        single(1.0 - single(1.0 / reached)),
        "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:",
        freq,
        match(k1, "k1, term saturation parameter"),
        match(b, "b, length normalization parameter"),
        match(length, f"dl, length of field{approximate}"),
        match(average, "avgdl, average length of field"),
    )
    weight = single(boost * idf.value)
    return match(
        single(weight - single(weight / reached)),
        f"score(freq={shown(freq.value)}), computed as boost * idf * tf from:",
        *([] if boost == 1.0 else [match(boost, "boost")]),
        idf,
        tf,
    )


def _idf(terms: tuple[tuple[int, int, int], ...]) -> Explanation:
    each = [
        match(
            single(log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))),
            "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:",
            match(doc_freq, "n, number of documents containing term"),
            match(doc_count, "N, total number of documents with field"),
        )
        for doc_freq, doc_count, _ in terms
    ]
    if len(each) == 1:
        return each[0]
    return match(single(sum(one.value for one in each)), "idf, sum of:", *each)


def explain_boolean(similarity: Any, scored: Scored, freq: Explanation) -> Explanation:
    """Return the boost."""
    boost = single(scored.boost)
    return match(boost, "score(BooleanWeight), computed from:", match(boost, "boost, query boost"))


FORMULAS: dict[type, Callable[[Any, Scored, Explanation], Explanation]] = {
    BM25: explain_bm25,
    BooleanSimilarity: explain_boolean,
}
