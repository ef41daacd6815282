"""The process as users start it: port 0, sockets, gzip, draining."""

import gzip
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


class Running:
    """A started process and its port."""

    def __init__(self, folder: Path, *settings: str) -> None:
        paths = [str(ROOT / "build" / "view"), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.data = folder / "data"
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "lanner.server",
                "serve",
                "--data",
                str(self.data),
                "--port",
                "0",
                *settings,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.startswith("lanner is ready at http://127.0.0.1:"):
            self.process.wait(10)
            self.process.stdout.close()
            raise AssertionError(f"exit status {self.process.returncode}: {line}")
        self.port = int(line.rsplit(":", 1)[1])

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            given = {"content-type": "application/json"} if body is not None else {}
            connection.request(method, path, body, {**given, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(40)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@pytest.fixture(params=["lanner", "granian"])
def running(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Running]:
    started = Running(tmp_path, "-E", f"http.type={request.param}")
    yield started
    if started.process.poll() is None:
        started.process.kill()
        started.process.wait(10)
    assert started.process.stdout is not None
    started.process.stdout.close()


def test_documents_over_sockets(running: Running) -> None:
    assert (running.data / "http.port").read_text() == f"{running.port}\n"
    status, headers, _ = running.ask("PUT", "/a/_doc/x%2Fy?refresh=true", b'{"t":"hello"}')
    assert (status, headers["location"]) == (201, "/a/_doc/x%2Fy")
    status, _, body = running.ask("GET", "/a/_search", b'{"query":{"match":{"t":"hello"}}}')
    assert (status, json.loads(body)["hits"]["hits"][0]["_id"]) == (200, "x/y")
    status, headers, body = running.ask("HEAD", "/a/_doc/x%2Fy")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 50
    assert running.ask("GET", "/_nodes/http")[0] == 200


def test_gzip_over_sockets(running: Running) -> None:
    packed = gzip.compress(b'{"t":"hello"}')
    status, _, _ = running.ask("PUT", "/a/_doc/1", packed, {"content-encoding": "gzip"})
    assert status == 201
    _, headers, body = running.ask("GET", "/_nodes/stats", headers={"accept-encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(body))["cluster_name"]


def test_large_bodies_over_sockets(running: Running) -> None:
    line = b'{"index":{"_index":"b"}}\n{"t":"' + b"x" * 1000 + b'"}\n'
    headers = {"content-type": "application/x-ndjson"}
    status, _, body = running.ask("POST", "/_bulk", line * 2000, headers)
    assert (status, json.loads(body)["errors"]) == (200, False)


def test_chunked_bodies(running: Running) -> None:
    def parts() -> Iterator[bytes]:
        yield b'{"t":'
        yield b'"hello"}'

    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
    connection.request("PUT", "/a/_doc/1", parts(), {"content-type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 201
    connection.close()


def test_what_is_acknowledged_survives_a_kill(running: Running, tmp_path: Path) -> None:
    running.ask("PUT", "/a/_doc/1", b'{"t":"hello"}')
    running.process.kill()
    running.process.wait(10)
    again = Running(tmp_path)
    assert again.ask("GET", "/a/_source/1")[2] == b'{"t":"hello"}'
    assert again.stop() == 0


def test_sigterm_finishes_what_is_in_flight(running: Running) -> None:
    answers: list[Any] = []
    waiting = threading.Thread(
        target=lambda: answers.append(running.ask("GET", "/_cluster/health/nosuch?timeout=2s"))
    )
    waiting.start()
    while (
        b'"active":1' not in running.ask("GET", "/_nodes/stats/thread_pool?filter_path=**.generic.active")[2]
    ):
        pass
    status = running.stop()
    waiting.join(10)
    assert status == 0
    assert answers[0][0] == 408
    assert answers[0][1].get("connection") == "close"
    assert not (running.data / "http.port").exists()


def test_the_second_signal_ends_at_once(running: Running) -> None:
    waiting = threading.Thread(target=ask_and_lose, args=(running,))
    waiting.start()
    while (
        b'"active":1' not in running.ask("GET", "/_nodes/stats/thread_pool?filter_path=**.generic.active")[2]
    ):
        pass
    running.process.send_signal(signal.SIGTERM)
    with pytest.raises(subprocess.TimeoutExpired):
        running.process.wait(0.3)
    running.process.send_signal(signal.SIGTERM)
    assert running.process.wait(5) == 128 + signal.SIGTERM
    waiting.join(10)


def ask_and_lose(running: Running) -> None:
    with pytest.raises((OSError, http.client.HTTPException)):
        running.ask("GET", "/_cluster/health/nosuch?timeout=60s")


def test_a_data_folder_has_one_process(running: Running, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="exit status 1"):
        Running(tmp_path)


def test_version_and_help() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "build" / "view")}
    done = subprocess.run(
        [sys.executable, "-m", "lanner.server"], capture_output=True, text=True, env=env, check=False
    )
    assert done.returncode == 2
    assert "serve" in done.stdout
