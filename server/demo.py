"""``lanner demo``: an index of text that every machine has, the documentation of Python's own modules.

The sources of the standard library are parsed, never imported. One document per module, class and function
that has a documentation string.
"""

import ast
import sys
import sysconfig
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from lanner.engine.node import Node

INDEX = "demo"
BATCH = 500
BAR = 40
SKIPPED = frozenset(
    {"site-packages", "dist-packages", "test", "tests", "idle_test", "idlelib", "lib2to3", "__pycache__"}
)
BODY: dict[str, Any] = {
    "settings": {"number_of_shards": 1, "number_of_replicas": 0},
    "mappings": {
        "properties": {
            "title": {"type": "text", "fields": {"keyword": {"type": "keyword"}}},
            "module": {"type": "keyword"},
            "kind": {"type": "keyword"},
            "text": {"type": "text", "analyzer": "english"},
            "lines": {"type": "integer"},
            "date": {"type": "date"},
        }
    },
}
TRIES = (
    "curl '{url}/demo/_search?q=text:socket&pretty'",
    "curl '{url}/demo/_search?pretty' -H 'content-type: application/json' -d "
    '\'{{"query":{{"match":{{"text":"parse a date"}}}},"_source":["title","kind"],"size":5}}\'',
    "curl '{url}/_cat/indices?v'",
)


def source_files() -> list[Path]:
    """Return the files of the standard library."""
    root = Path(sysconfig.get_paths()["stdlib"])
    return sorted(path for path in root.rglob("*.py") if not SKIPPED & set(path.relative_to(root).parts))


def documents(path: Path) -> Iterator[dict[str, Any]]:
    """Yield what one source file documents."""
    root = Path(sysconfig.get_paths()["stdlib"])
    module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    date = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        text = ast.get_docstring(node)
        if not text:
            continue
        kind = (
            "module"
            if isinstance(node, ast.Module)
            else "class"
            if isinstance(node, ast.ClassDef)
            else "function"
        )
        last = (node.body[-1].end_lineno or 1) if isinstance(node, ast.Module) else (node.end_lineno or 1)
        first = 1 if isinstance(node, ast.Module) else node.lineno
        yield {
            "title": module if isinstance(node, ast.Module) else f"{module}.{node.name}",
            "module": module,
            "kind": kind,
            "text": text,
            "lines": last - first + 1,
            "date": date,
        }


def fill(node: "Node") -> int:
    """Create the index and fill it, with a progress bar on a terminal; return the number of documents."""
    from lanner.engine.cluster.creation import create_index
    from lanner.server.api.bulk import bulk_lines

    create_index(node, INDEX, BODY)
    files = source_files()
    batch: list[bytes] = []
    total = 0
    for number, path in enumerate(files, 1):
        for document in documents(path):
            batch += (b'{"index":{}}', msgspec.json.encode(document))
            total += 1
        if len(batch) >= 2 * BATCH or number == len(files):
            bulk_lines(node, b"\n".join([*batch, b""]), INDEX, refresh=number == len(files))
            batch.clear()
            progress(number, len(files), total)
    return total


def progress(done: int, of: int, total: int) -> None:
    """Draw the bar."""
    if not sys.stderr.isatty() and done < of:
        return
    filled = BAR * done // of
    end = "\n" if done == of else ""
    print(f"\r[{'#' * filled}{'.' * (BAR - filled)}] {total} documents", end=end, file=sys.stderr, flush=True)


def offer(node: "Node", host: str, port: int) -> None:
    """Fill the index on the first start, beside the running server; then print what to try."""
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def work() -> None:
        from lanner.engine.common.errors import ResourceAlreadyExists

        try:
            fill(node)
        except ResourceAlreadyExists:
            print(f"the index [{INDEX}] is there already", file=sys.stderr)
        print("Try:")
        for line in TRIES:
            print("  " + line.format(url=url))
        print("Stop with Ctrl-C.", flush=True)

    threading.Thread(target=work, name="demo", daemon=True).start()
