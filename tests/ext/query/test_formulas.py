"""Scoring formulas against the published ones in plain Python, over several segments."""

import math
import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.formulas import Formula, FormulaPhraseWeight, FormulaTermWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import RawFrequency
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import BODY, document, open_files

WORDS = ["wind", "sea", "rain", "fox", "the", "of"]


class Numbers(NamedTuple):
    """What a formula knows of a term: documents and tokens of the field, documents and places of the term."""

    docs: int
    tokens: int
    df: int
    total: int

    @property
    def average(self) -> float:
        return self.tokens / self.docs


def dirichlet(n: Numbers, f: float, length: float) -> float:
    share = (n.total + 1) / (n.tokens + 1)
    return max(0.0, math.log(1 + f / (50 * share)) + math.log(50 / (length + 50)))


def jelinek_mercer(n: Numbers, f: float, length: float) -> float:
    share = (n.total + 1) / (n.tokens + 1)
    return math.log(1 + 0.75 * f / length / (0.25 * share))


def dfr_in(n: Numbers, f: float, length: float) -> float:
    tfn = f * math.log2(1 + 2 * n.average / length)
    effect = (n.total + 2) / (n.df + 1)
    return math.log2((n.docs + 1) / (n.df + 0.5)) * effect * tfn / (1 + tfn)


def dfi_chi(n: Numbers, f: float, length: float) -> float:
    expected = (n.total + 1) * length / (n.tokens + 1)
    return math.log2((f - expected) ** 2 / expected + 1) if f > expected else 0.0


def ib_ll(n: Numbers, f: float, length: float) -> float:
    share = (n.df + 1) / (n.docs + 1)
    tfn = f * 2 * n.average / length
    return math.log((tfn + share) / share)


FORMULAS: list[tuple[Formula, Callable[[Numbers, float, float], float]]] = [
    (Formula("LMDirichlet", number=50), dirichlet),
    (Formula("LMJelinekMercer", number=0.25), jelinek_mercer),
    (Formula("DFR", model="in", effect="b", normalization="h2", number=2), dfr_in),
    (Formula("DFI", model="chisquared"), dfi_chi),
    (Formula("IB", model="ll", effect="df", normalization="h1", number=2), ib_ll),
]


def texts(n: int) -> list[list[str]]:
    rnd = random.Random(11)
    return [rnd.choices(WORDS, [1, 2, 3, 5, 8, 13], k=rnd.randrange(1, 20)) for _ in range(n)]


def made(rows: list[list[str]]) -> IndexReader:
    """Rows in segments of 2,500."""
    files = []
    for start in range(0, len(rows), 2500):
        buffer = WriteBuffer()
        part = rows[start : start + 2500]
        buffer.add([document(i, [(BODY, " ".join(row))]) for i, row in enumerate(part)])
        files.append(open_files(buffer.write_segment()))
    return IndexReader(files)


def numbers(rows: list[list[str]], word: str) -> Numbers:
    return Numbers(
        len(rows),
        sum(map(len, rows)),
        sum(word in row for row in rows),
        sum(row.count(word) for row in rows),
    )


def check(reader: IndexReader, weight: Weight, expected: dict[int, float]) -> None:
    for asked, extra in ((weight, 0.0), (BooleanWeight(must=[MatchAllWeight(reader)], should=[weight]), 1.0)):
        top = search_top(reader, asked, 40, track=10**6)
        best = sorted((score for score in expected.values()), reverse=True)[:40]
        assert [score - extra for score in top.scores] == pytest.approx(best, rel=1e-4, abs=1e-5)
        for segment, doc, score in zip(top.segments, top.docs, top.scores, strict=True):
            assert score - extra == pytest.approx(expected[2500 * segment + doc], rel=1e-4, abs=1e-5)
        assert top.total == (reader.max_doc if extra else len(expected))


@pytest.mark.parametrize(("formula", "plain"), FORMULAS, ids=[formula.name for formula, _ in FORMULAS])
def test_terms(formula: Formula, plain: Callable[[Numbers, float, float], float]) -> None:
    rows = texts(6000)
    reader = made(rows)
    for word in ("wind", "of"):
        known = numbers(rows, word)
        expected = {
            i: 3 * plain(known, row.count(word), len(row)) for i, row in enumerate(rows) if word in row
        }
        check(reader, FormulaTermWeight(reader, "body", [word.encode()], formula, boost=3.0), expected)


@pytest.mark.parametrize(("formula", "plain"), FORMULAS, ids=[formula.name for formula, _ in FORMULAS])
def test_several_terms_as_one(formula: Formula, plain: Callable[[Numbers, float, float], float]) -> None:
    rows = texts(3000)
    reader = made(rows)
    one, other = numbers(rows, "sea"), numbers(rows, "fox")
    known = one._replace(df=max(one.df, other.df), total=one.total + other.total)
    expected = {
        i: plain(known, row.count("sea") + row.count("fox"), len(row))
        for i, row in enumerate(rows)
        if "sea" in row or "fox" in row
    }
    check(reader, FormulaTermWeight(reader, "body", [b"sea", b"fox"], formula), expected)


@pytest.mark.parametrize(("formula", "plain"), FORMULAS, ids=[formula.name for formula, _ in FORMULAS])
def test_phrases(formula: Formula, plain: Callable[[Numbers, float, float], float]) -> None:
    rows = texts(3000)
    reader = made(rows)
    pairs = [sum(a == "rain" and b == "of" for a, b in zip(row, row[1:], strict=False)) for row in rows]
    known = [numbers(rows, "rain"), numbers(rows, "of")]
    expected = {
        i: sum(plain(one, pairs[i], len(row)) for one in known) for i, row in enumerate(rows) if pairs[i]
    }
    child = PhraseWeight(reader, "body", [[b"rain"], [b"of"]], [0, 1], similarity=RawFrequency())
    check(reader, FormulaPhraseWeight(child, "body", [b"rain", b"of"], formula), expected)


def test_a_word_that_is_not_there() -> None:
    reader = made(texts(10))
    weight = FormulaTermWeight(reader, "body", [b"none"], FORMULAS[0][0])
    assert search_top(reader, weight, 10).total == 0
    assert search_top(reader, FormulaTermWeight(reader, "nofield", [b"x"], FORMULAS[0][0]), 10).total == 0
