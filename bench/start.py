#!/usr/bin/env python3
"""Time from exec to the first answers, and the memory of an idle node, as JSON lines.

    start.py [--data DIR] [--repeat N]

Starts the server N times over DIR, or over an empty temporary folder, which a first start, not timed, makes;
it also brings the files into the page cache. DIR is used as it is, by a server that writes to it as any other
does: give a copy. The search is a match query for a frequent word in the first text field of the first index,
or for all documents where there is none; its hits are checked to be the same every time.

Memory is taken 2 s after the start, before any request, over an empty folder and over DIR; and over DIR again
after the search. VmRSS and Pss hold pages of mapped files, anonymous memory does not.
"""

import argparse
import http.client
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
READY = "lanner is ready at http://127.0.0.1:"
PATIENCE = 60.0  # seconds that a start, an answer or an end may take
IDLE = 2.0  # seconds from readiness to the reading of memory
WORD = "the"


class Server:
    """A server process over a folder; `started` is the moment before it was made."""

    def __init__(self, folder: Path) -> None:
        paths = [str(ROOT / "build" / "view"), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, "-m", "lanner.server", "serve", "--port", "0", "--data", str(folder)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def __enter__(self) -> "Server":
        assert self.process.stdout is not None
        try:
            readable = select.select([self.process.stdout], [], [], PATIENCE)[0]
            line = self.process.stdout.readline() if readable else ""
            if not line.startswith(READY):
                raise SystemExit(f"the server did not start: {line!r}")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        self.ready = time.perf_counter()
        self.http = http.client.HTTPConnection("127.0.0.1", int(line[len(READY) :]), timeout=PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()  # does nothing when it has ended
            self.process.wait()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body)
        self.http.request(method, path, data, {"content-type": "application/json"} if data else {})
        answer = self.http.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return json.loads(text)

    def memory(self) -> dict[str, float]:
        """Resident megabytes of the process."""
        kilobytes: dict[str, int] = {}
        for name in ("status", "smaps_rollup"):
            for line in Path(f"/proc/{self.process.pid}/{name}").read_text().splitlines():
                key, _, value = line.partition(":")
                if value.endswith(" kB"):
                    kilobytes[key] = int(value.split()[0])
        names = {"rss_mb": "VmRSS", "pss_mb": "Pss", "anonymous_mb": "Anonymous"}
        return {name: round(kilobytes[key] / 1024, 1) for name, key in names.items()}


def choose_search(server: Server) -> tuple[str, dict[str, Any]]:
    """The path and the body of the search to be timed."""
    for index, found in sorted(server.ask("GET", "/_mapping").items()):
        for field, properties in found["mappings"].get("properties", {}).items():
            if properties.get("type") == "text":
                return f"/{index}/_search", {"query": {"match": {field: WORD}}}
    return "/_search", {"query": {"match_all": {}}}


def spread(name: str, seconds: list[float]) -> dict[str, Any]:
    """One line of the output, in milliseconds."""
    middle, least, most = (
        round(each * 1000, 1) for each in (statistics.median(seconds), min(seconds), max(seconds))
    )
    return {"what": name, "median_ms": middle, "min_ms": least, "max_ms": most, "runs": len(seconds)}


def time_starts(folder: Path, repeat: int) -> list[dict[str, Any]]:
    """Start the server over a folder again and again."""
    with Server(folder) as server:
        path, body = choose_search(server)
        expected = server.ask("POST", path, body)["hits"]
        docs = server.ask("GET", "/_count")["count"]
    ready, first, searched = [], [], []
    for _ in range(repeat):
        with Server(folder) as server:
            ready.append(server.ready - server.started)
            assert server.ask("GET", "/")["version"]
            first.append(time.perf_counter() - server.started)
            hits = server.ask("POST", path, body)["hits"]
            searched.append(time.perf_counter() - server.started)
            assert hits == expected
    common = {"docs": docs, "search": f"{path} {json.dumps(body)}", "hits": expected["total"]["value"]}
    return [
        spread("exec to readiness", ready) | {"docs": docs},
        spread("exec to first answer of GET /", first) | {"docs": docs},
        spread("exec to first search, asked after GET /", searched) | common,
    ]


def take_memory(folder: Path, name: str, *, search: bool) -> list[dict[str, Any]]:
    """Memory of an idle node; with `search`, also after a search."""
    with Server(folder) as server:
        time.sleep(IDLE)  # what is measured is a node that has been left alone
        lines = [{"what": f"memory, idle, {name}", **server.memory()}]
        if search:
            path, body = choose_search(server)
            server.ask("POST", path, body)
            lines.append({"what": f"memory, after one search, {name}", **server.memory()})
        return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of the data; an empty temporary one if not given")
    parser.add_argument("--repeat", type=int, default=5, help="how often to start")
    options = parser.parse_args()
    if options.data is not None and not options.data.is_dir():
        parser.error(f"no folder {options.data}")
    if options.repeat < 1:
        parser.error("--repeat: at least 1")
    with tempfile.TemporaryDirectory() as temporary:
        for line in time_starts(options.data or Path(temporary, "data"), options.repeat):
            print(json.dumps(line), flush=True)
        lines = take_memory(Path(temporary, "empty"), "empty folder", search=False)
        if options.data is not None:
            lines += take_memory(options.data, "folder", search=True)
        for line in lines:
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
