"""Ranking against Lucene's on judged collections: the ten best, their scores, the totals of every query."""

import csv
import gzip
import json
import os
from pathlib import Path

import pytest

from lanner.engine.analysis.registry import AnalysisRegistry
from lanner.ext.index.document import Document
from lanner.ext.index.schema import POSITIONS, TEXT, Field
from lanner.ext.index.write_buffer import WriteBuffer
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top
from tests.ext.segments import open_files

SHARED = Path(os.environ.get("LANNER_SHARED", Path(__file__).parents[4] / "shared"))
RELEVANCE = SHARED / "data" / "relevance"
SETS = [
    (name, analyzer) for name in ("cranfield", "vaswani", "scifact") for analyzer in ("standard", "english")
]
FACTOR = 2.2  # k1 + 1: the reference figures are without it

pytestmark = pytest.mark.skipif(not RELEVANCE.exists(), reason="the judged collections are not there")


def lines(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def reference(path: Path) -> dict[str, tuple[int, list[tuple[str, float]]]]:
    """Return query -> (total, [(document, score) of the best])."""
    found: dict[str, tuple[int, list[tuple[str, float]]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            entry = found.setdefault(row["query-id"], (int(row["total-hits"]), []))
            entry[1].append((row["corpus-id"], float(row["score"])))
    return found


@pytest.mark.parametrize(("name", "analyzer_name"), SETS)
def test_the_ten_best_are_those_of_lucene(name: str, analyzer_name: str) -> None:
    folder = RELEVANCE / name
    analyzer = AnalysisRegistry({}).analyzer(analyzer_name)
    field = Field("text", 8, TEXT, postings=POSITIONS, norms=True, chain=analyzer.chain)
    buffer = WriteBuffer()
    buffer.add(
        [
            Document(row["id"].encode(), b"{}", None, i, 1, 1, [(field, f"{row['title']} {row['text']}")])
            for i, row in enumerate(lines(folder / "corpus.jsonl.gz"))
        ]
    )
    reader = IndexReader([open_files(buffer.write_segment())])
    similarity = BM25()
    wanted = reference(folder / f"lucene991_{analyzer_name}_top20.tsv.gz")
    compared = 0
    for query in lines(folder / "queries.jsonl.gz"):
        terms = [token.term for token in analyzer.query_tokens(query["text"])]
        total, best = wanted.get(query["id"], (0, []))
        if not terms:
            assert total == 0
            continue
        weight = BooleanWeight(
            should=[TermWeight(reader, "text", term, similarity=similarity) for term in terms]
        )
        top = search_top(reader, weight, 10, track=2**62)
        assert top.total == total, query
        found = [
            (reader.segments[0].id(doc).decode(), score / FACTOR)
            for doc, score in zip(top.docs, top.scores, strict=True)
        ]
        assert len(found) == min(10, total)
        scores = dict(best)
        for (doc, score), (_, expected) in zip(found, best, strict=False):
            assert score == pytest.approx(expected, abs=1e-5), query
            # equal scores may change places, or leave the tenth for the eleventh
            assert scores.get(doc, expected) == pytest.approx(score, abs=1e-5), query
        compared += 1
    assert compared > 50
