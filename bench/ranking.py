#!/usr/bin/env python3
"""Ranking against Lucene's: 2,526 queries over 824,588 passages, exact hits and the ten best of each.

    ranking.py [--corpus FILE] [--folder DIR] [--segments K] [--data DIR]

Prints per type of query how many were compared and how many are equal; exit status 1 if any differs. Scores
are divided by k1 + 1 (2.2), which the reference leaves out, and may differ by 1e-5; hits of equal score may
change places. Prefix and fuzzy queries have hits only. Fuzzy queries are expanded here, by the book, over the
dictionary; the expansion is no part of the core. The corpus is made where none is given; an index that stands
in DIR is used as it is.
"""

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import peer_lanner  # type: ignore[import-not-found]  # beside this file

from lanner.ext.codec.terms import TermsReader
from lanner.ext.query.boolean import BooleanWeight
from lanner.ext.query.multi_term import PrefixWeight, TermsWeight
from lanner.ext.query.phrase import PhraseWeight
from lanner.ext.query.scorer import Weight
from lanner.ext.query.similarity import BM25
from lanner.ext.query.term import TermWeight
from lanner.ext.search.count import count
from lanner.ext.search.reader import IndexReader
from lanner.ext.search.top_docs import search_top

FIELD = "text"
FACTOR = 2.2  # k1 + 1
TOLERANCE = 1e-5
MOST_EXPANSIONS = 50
HITS_ONLY = ("prefix", "fuzzy")
SIMILARITY = BM25()
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a compressed file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def open_index(folder: Path, corpus: Path | None, data: Path, segments: int) -> IndexReader:
    """Open the index of the folder; build it first if there is none."""
    if not peer_lanner.names(folder):
        made = corpus is None
        if corpus is None:
            corpus = folder / "corpus.jsonl"
            command = [str(data / "make_big_corpus.py"), "--docs", "real", "--out", str(corpus)]
            subprocess.run([sys.executable, *command], check=True)
        started = time.perf_counter()
        peer_lanner.build(
            SimpleNamespace(
                index=str(folder), corpus=str(corpus), opt=f"segments={segments}", threads=1, limit=0
            )
        )
        print(f"indexed in {time.perf_counter() - started:.1f} s")
        if made:
            corpus.unlink()
    return IndexReader([peer_lanner.open_segment(folder, name) for name in peer_lanner.names(folder)])


def term(reader: IndexReader, text: str) -> TermWeight:
    return TermWeight(reader, FIELD, text.encode(), similarity=SIMILARITY)


def signed(reader: IndexReader, text: str) -> Weight:
    """Return the weight of "+must -not should"."""
    clauses: dict[str, list[TermWeight]] = {"+": [], "-": [], "": []}
    for sign, word in re.findall(r"([+-]?)(\S+)", text):
        clauses[sign].append(term(reader, word))
    return BooleanWeight(must=clauses["+"], should=clauses[""], must_not=clauses["-"])


def distance_one(terms: TermsReader, word: str) -> Iterator[tuple[int, str]]:
    """Yield (edits, term) of terms at most one insertion, removal, change or swap away; some come twice."""
    if terms.ord(word.encode()) >= 0:
        yield 0, word
    variants = {word[:i] + word[i + 1 :] for i in range(len(word))}
    variants |= {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    for variant in variants - {word, ""}:
        if terms.ord(variant.encode()) >= 0:
            yield 1, variant
    for i in range(len(word) + 1):
        for letter in next_letters(terms, word[:i]):
            for variant in (word[:i] + letter + word[i:], word[:i] + letter + word[i + 1 :]):
                if variant != word and terms.ord(variant.encode()) >= 0:
                    yield 1, variant


def next_letters(terms: TermsReader, prefix: str) -> Iterator[str]:
    """Yield the characters that follow a prefix in the dictionary."""
    at = terms.ceiling_ord(prefix.encode())
    while at < terms.size:
        found = terms.term(at).decode()
        if not found.startswith(prefix):
            return
        if len(found) == len(prefix):
            at += 1
            continue
        letter = found[len(prefix)]
        yield letter
        at = terms.ceiling_ord((prefix + letter).encode() + b"\xff")


def expand(reader: IndexReader, word: str) -> list[bytes]:
    """Return the terms of a fuzzy query: the 50 most similar, equally similar ones in their order."""
    found: dict[str, int] = {}
    for segment in reader.segments:
        terms = segment.fields_by_name[FIELD].terms
        assert terms is not None
        for edits, text in distance_one(terms, word):
            found.setdefault(text, edits)
    ranked = sorted(found, key=lambda text: (found[text] / min(len(text), len(word)), text.encode()))
    return [text.encode() for text in ranked[:MOST_EXPANSIONS]]


def weight_of(reader: IndexReader, query: dict[str, Any]) -> Weight:
    kind, words = query["type"], query["terms"]
    if kind == "term":
        return term(reader, words[0])
    if kind == "union":
        return BooleanWeight(should=[term(reader, word) for word in words])
    if kind == "intersection":
        return BooleanWeight(must=[term(reader, word) for word in words])
    if kind == "phrase":
        places = range(len(words))
        return PhraseWeight(reader, FIELD, [[w.encode()] for w in words], places, similarity=SIMILARITY)
    if kind in ("mixed", "negated"):
        return signed(reader, query["query"])
    if kind == "prefix":
        return PrefixWeight(reader, FIELD, words[0].encode())
    if kind == "fuzzy":
        return TermsWeight(reader, FIELD, expand(reader, words[0]))
    raise ValueError(f"unknown type of query [{kind}]")


def differences(reader: IndexReader, query: dict[str, Any], wanted: dict[str, Any]) -> str:
    """Return what is wrong with the answer to a query, or ""."""
    total = count(reader, weight_of(reader, query))
    if total != wanted["hits"]:
        return f"{total} hits instead of {wanted['hits']}"
    if query["type"] in HITS_ONLY:
        return ""
    for track in (2**62, 0):  # with and without an exact total, which are two ways through the core
        top = search_top(reader, weight_of(reader, query), 10, track=track)
        if track and top.total != wanted["hits"]:
            return f"{top.total} counted while ranking instead of {wanted['hits']}"
        best = wanted["top"]
        if len(top) != len(best):
            return f"{len(top)} of the best instead of {len(best)}"
        expected = dict(best)
        ids = [
            reader.segments[part].id(doc).decode() for part, doc in zip(top.segments, top.docs, strict=True)
        ]
        if len(set(ids)) != len(ids):
            return "a hit comes twice"
        for id_, score, (_, at_rank) in zip(ids, top.scores, best, strict=True):
            # a hit that the reference does not list must tie with the last one that it does
            if abs(score / FACTOR - at_rank) > TOLERANCE:
                return f"score {score / FACTOR:.7f} of {id_} instead of {at_rank}"
            if abs(expected.get(id_, best[-1][1]) - score / FACTOR) > TOLERANCE:
                return f"{id_} scores {score / FACTOR:.7f} instead of {expected.get(id_)}"
    return ""


def run(reader: IndexReader, data: Path) -> int:
    """Compare every query; return how many differ."""
    compared: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    wanted = {row["id"]: row for row in lines(data / "speed" / "lucene991_hits.jsonl.gz")}
    started = time.perf_counter()
    for query in lines(data / "speed" / "queries.jsonl.gz"):
        kind = query["type"]
        wrong = differences(reader, query, wanted[query["id"]])
        compared[kind] += 1
        equal[kind] += not wrong
        if wrong and shown[kind] < 5:
            shown[kind] += 1
            print(f"{query['id']} {query['query']}: {wrong}")
    for kind in compared:
        note = "  hits only" if kind in HITS_ONLY else ""
        note += ", expanded here over the dictionary" if kind == "fuzzy" else ""
        print(f"{kind:<14}{compared[kind]:>6} compared {equal[kind]:>6} equal{note}")
    print(f"{'all':<14}{compared.total():>6} compared {equal.total():>6} equal")
    documents = f"{reader.num_docs} documents in {len(reader.segments)} segments"
    print(f"{documents}, {time.perf_counter() - started:.1f} s")
    return compared.total() - equal.total()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="the 824,588 passages as JSON lines; made if missing")
    parser.add_argument("--folder", type=Path, help="where the index is, or goes; a temporary one if missing")
    parser.add_argument("--segments", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of queries and reference")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lanner-ranking-") as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        reader = open_index(folder, arguments.corpus, arguments.data, arguments.segments)
        return 1 if run(reader, arguments.data) else 0


if __name__ == "__main__":
    sys.exit(main())
