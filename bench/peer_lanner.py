#!/usr/bin/env python3
"""Lanner in process, for the peer benchmarks: the core under the HTTP service, called as that calls it.

    peer_lanner.py index CORPUS DIR [--threads N] [--opt segments=K]
    peer_lanner.py index CORPUS DIR --opt refresh
    peer_lanner.py query DIR QUERIES [--commands A,B] [--types T] [--rounds N] [--budget S]

The folder of the benchmark's shared module (measuring, printing) is named by LANNER_PEERS; the default is
where the suite of peers lies beside a checkout. Corpus and queries are JSON lines with "id" and "text", and
"type", "op" and "terms".
"""

import mmap
import os
import shutil
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, os.environ.get("LANNER_PEERS", str(ROOT.parent / "shared" / "bench-peers")))

import common  # type: ignore[import-not-found]  # noqa: E402  (the shared module of the peers)
import msgspec  # noqa: E402

from lanner.engine.analysis.registry import AnalysisRegistry  # noqa: E402
from lanner.ext.index.document import Document  # noqa: E402
from lanner.ext.index.schema import POSITIONS, TEXT, Field  # noqa: E402
from lanner.ext.index.segment_merger import merge_segments  # noqa: E402
from lanner.ext.index.segment_reader import SegmentReader  # noqa: E402
from lanner.ext.index.write_buffer import WriteBuffer  # noqa: E402
from lanner.ext.query.boolean import BooleanWeight  # noqa: E402
from lanner.ext.query.phrase import PhraseWeight  # noqa: E402
from lanner.ext.query.similarity import BM25  # noqa: E402
from lanner.ext.query.term import TermWeight  # noqa: E402
from lanner.ext.search.count import count  # noqa: E402
from lanner.ext.search.reader import IndexReader  # noqa: E402
from lanner.ext.search.top_docs import search_top  # noqa: E402

BATCH = 1000  # documents handed over at once
BUFFER = 192 << 20  # bytes of write buffer, over all threads
ALWAYS = 2**62  # hits up to which a total is exact


def body_field() -> Field:
    """Return the column of the text."""
    chain = AnalysisRegistry({}).analyzer("standard").chain
    return Field("text", 8, TEXT, postings=POSITIONS, norms=True, chain=chain)


def write(folder: Path, name: str, files: Mapping[str, Iterable[Any]]) -> None:
    """Write the files of a segment."""
    for suffix, parts in files.items():
        with (folder / f"{name}.{suffix}").open("wb") as file:
            file.writelines(parts)


def open_segment(folder: Path, name: str) -> SegmentReader:
    """Open a segment over mapped files."""
    maps = []
    for suffix in ("idx", "src"):
        with (folder / f"{name}.{suffix}").open("rb") as file:
            maps.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    return SegmentReader(*maps, name=name, verify=False)


def names(folder: Path) -> list[str]:
    """Return the segments of a folder in order."""
    return sorted(path.stem for path in folder.glob("*.idx"))


class Indexer:
    """One writer: documents in, segments out."""

    def __init__(self, folder: Path, label: str, *, most_bytes: int, most_docs: int) -> None:
        self.folder = folder
        self.label = label
        self.most_bytes = most_bytes
        self.most_docs = most_docs
        self.field = body_field()
        self.buffer = WriteBuffer()
        self.n_segments = 0
        self.seq_no = 0
        self.decode = msgspec.json.Decoder(dict[str, str]).decode

    def add(self, lines: list[bytes]) -> None:
        """Index a batch of JSON lines."""
        documents = []
        for line in lines:
            row = self.decode(line)
            documents.append(
                Document(row["id"].encode(), b"", None, self.seq_no, 1, 1, [(self.field, row["text"])])
            )
            self.seq_no += 1
        while documents:
            room = self.most_docs - self.buffer.max_doc
            self.buffer.add(documents[:room])
            documents = documents[room:]
            if self.buffer.max_doc >= self.most_docs or self.buffer.ram_bytes >= self.most_bytes:
                self.flush()

    def flush(self) -> None:
        """Write what the buffer holds."""
        if self.buffer.max_doc:
            write(self.folder, f"{self.label}{self.n_segments:04d}", self.buffer.write_segment())
            self.n_segments += 1
            self.buffer = WriteBuffer()


def batches(path: str, limit: int) -> Iterator[list[bytes]]:
    """Yield the lines of the corpus."""
    with open(path, "rb") as file:
        batch: list[bytes] = []
        for i, line in enumerate(file):
            if limit and i >= limit:
                break
            batch.append(line)
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


def build(a: Any) -> None:
    """Index a corpus into one segment, or into as many as asked for."""
    folder = Path(a.index)
    folder.mkdir(parents=True, exist_ok=True)
    segments = int(a.opt.partition("=")[2] or 1)
    started, cpu = time.perf_counter(), time.process_time()
    n_docs = 0
    if segments > 1:
        with open(a.corpus, "rb") as file:
            total = min(sum(1 for _ in file), a.limit or 1 << 60)
        one = Indexer(folder, "s", most_bytes=1 << 40, most_docs=-(-total // segments))
        for batch in batches(a.corpus, a.limit):
            one.add(batch)
            n_docs += len(batch)
        one.flush()
    else:
        writers = [
            Indexer(folder, f"t{i}-", most_bytes=BUFFER // a.threads, most_docs=1 << 31)
            for i in range(a.threads)
        ]
        source, lock = batches(a.corpus, a.limit), threading.Lock()
        counted = [0] * a.threads

        def run(i: int) -> None:
            while True:
                with lock:
                    batch = next(source, None)
                if batch is None:
                    writers[i].flush()
                    return
                writers[i].add(batch)
                counted[i] += len(batch)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(1, a.threads)]
        for thread in threads:
            thread.start()
        run(0)
        for thread in threads:
            thread.join()
        n_docs = sum(counted)
    fed = time.perf_counter()
    if segments == 1 and len(names(folder)) > 1:
        old = names(folder)
        files, _ = merge_segments([open_segment(folder, name) for name in old])
        write(folder, "merged", files)
        for name in old:
            for suffix in ("idx", "src"):
                (folder / f"{name}.{suffix}").unlink()
    os.sync()
    seconds = time.perf_counter() - started
    common.emit(
        engine="lanner", what="index", docs=n_docs, seconds=round(seconds, 2),
        cpu_s=round(time.process_time() - cpu, 2), feed_s=round(fed - started, 2),
        merge_s=round(started + seconds - fed, 2), docs_per_s=round(n_docs / seconds), threads=a.threads,
        segments=len(names(folder)), index_mb=round(common.dir_bytes(a.index) / 1e6, 1), memory=common.mem(),
    )  # fmt: skip


def refresh(a: Any) -> None:
    """Time from n documents in a buffer to a reader that sees them, as the other drivers do."""
    folder = Path(a.index)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    writer = Indexer(folder, "r", most_bytes=1 << 60, most_docs=1 << 30)
    segments = []
    with open(a.corpus, "rb") as lines:
        for lap in range(2):
            for n in (1, 10, 100, 1000, 10000):
                added, refreshed = [], []
                for _ in range(5 if n >= 10000 else 21):
                    batch = [next(lines) for _ in range(n)]
                    started = time.perf_counter()
                    writer.add(batch)
                    filled = time.perf_counter()
                    writer.flush()
                    segments.append(open_segment(folder, f"r{writer.n_segments - 1:04d}"))
                    IndexReader(segments)
                    refreshed.append((time.perf_counter() - filled) * 1e3)
                    added.append((filled - started) * 1e3)
                if lap:
                    common.emit(
                        engine="lanner", what="refresh", docs=n, add_ms=round(statistics.median(added), 2),
                        refresh_ms=round(statistics.median(refreshed), 2),
                        refresh_worst_ms=round(max(refreshed), 2),
                    )  # fmt: skip


def query(a: Any) -> None:
    """Time the queries."""
    folder = Path(a.index)
    started = time.perf_counter()
    reader = IndexReader([open_segment(folder, name) for name in names(folder)])
    common.emit(
        engine="lanner", what="open", ms=(time.perf_counter() - started) * 1e3, docs=reader.num_docs,
        segments=len(reader.segments), memory=common.mem(),
    )  # fmt: skip
    similarity = BM25()

    def weight(op: str, terms: list[bytes], used: BM25 | None) -> Callable[[], Any]:
        """Return what makes the weight of a query, anew each time."""
        if op == "phrase":
            places = list(range(len(terms)))
            groups = [[term] for term in terms]
            return partial(PhraseWeight, reader, "text", groups, places, similarity=used)
        if op == "term":
            (term,) = terms
            return partial(TermWeight, reader, "text", term, used)
        if op == "and":
            return lambda: BooleanWeight(must=[TermWeight(reader, "text", term, used) for term in terms])
        return lambda: BooleanWeight(should=[TermWeight(reader, "text", term, used) for term in terms])

    def make(command: str, q: dict[str, Any]) -> Callable[[], int] | None:
        terms = [term.encode() for term in q["terms"]]
        weigh = weight(q["op"], terms, None if command == "COUNT" else similarity)
        if command == "COUNT":
            return lambda: count(reader, weigh())
        if command == "TOP_10_COUNT":
            return lambda: search_top(reader, weigh(), 10, track=ALWAYS).total
        if command == "TOP_10_TRACK10K":
            return lambda: len(search_top(reader, weigh(), 10))
        if command in ("TOP_10", "TOP_100"):
            k = int(command[4:])
            return lambda: len(search_top(reader, weigh(), k, track=0))
        return None

    common.measure("lanner" + (f"-{len(reader.segments)}seg" if len(reader.segments) > 1 else ""), a, make)


if __name__ == "__main__":
    arguments = common.args("lanner")
    run = query if arguments.mode != "index" else refresh if arguments.opt == "refresh" else build
    run(arguments)
