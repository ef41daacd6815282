"""Features scored by functions of their values, against the formulas of FeatureField in plain Python."""

import math
import random
import struct
from collections.abc import Callable

import pytest

from lanner.ext.index.schema import DOCS, TERM, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.constant import MatchAllWeight
from lanner.ext.query.features import FeatureWeight, mean_value
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import document, open_files

FEATURES = Field("features", 12, TERM, postings=DOCS)


def kept(value: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return bits >> 15


def value_of(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits << 15))[0]
    return value


def made(rows: list[dict[str, float]]) -> IndexReader:
    """Rows in two segments."""
    files = []
    for part in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
        buffer = WriteBuffer()
        buffer.add(
            [
                document(
                    i,
                    [
                        (FEATURES, name.encode() + b"\0" + kept(value).to_bytes(2, "big"))
                        for name, value in row.items()
                    ],
                )
                for i, row in enumerate(part)
            ]
        )
        files.append(open_files(buffer.write_segment()))
    return IndexReader(files)


def rows(n: int) -> list[dict[str, float]]:
    rnd = random.Random(7)
    names = ["a", "ab", "b"]
    return [
        {name: math.exp(rnd.uniform(-8, 8)) for name in rnd.sample(names, rnd.randrange(3))} for _ in range(n)
    ]


FORMULAS: dict[str, Callable[[float, float, float], float]] = {
    "linear": lambda v, p, e: v,
    "log": lambda v, p, e: math.log(p + v),
    "saturation": lambda v, p, e: v / (v + p),
    "sigmoid": lambda v, p, e: v**e / (v**e + p**e),
}


@pytest.mark.parametrize("function", FORMULAS)
def test_scores(function: str) -> None:
    data = rows(5000)
    reader = made(data)
    weight = FeatureWeight(reader, "features", b"a\0", function, boost=2.0, first=3.0, second=0.7)
    expected = {
        i: 2 * FORMULAS[function](value_of(kept(row["a"])), 3.0, 0.7)
        for i, row in enumerate(data)
        if "a" in row
    }
    for asked, extra in ((weight, 0.0), (BooleanWeight(must=[MatchAllWeight(reader)], should=[weight]), 1.0)):
        top = search_top(reader, asked, 50, track=10_000)
        got = {
            seg * 2500 + doc: score
            for seg, doc, score in zip(top.segments, top.docs, top.scores, strict=True)
        }
        best = sorted(expected.values(), reverse=True)[:50]
        assert [score - extra for score in top.scores] == pytest.approx(best, rel=1e-4)
        assert {doc: score - extra for doc, score in got.items()} == pytest.approx(
            {doc: expected[doc] for doc in got}, rel=1e-4
        )
        assert top.total == (len(expected) if extra == 0 else len(data))


def test_the_mean_is_one_of_the_kept_bits() -> None:
    data = rows(300)
    bits = [kept(row["ab"]) for row in data if "ab" in row]
    assert mean_value(made(data), "features", b"ab\0") == value_of(int(sum(bits) / len(bits)))
    assert mean_value(made(data), "features", b"none\0") == 1.0
