"""kill -9 of the whole server at random moments: what HTTP clients were told is done is there afterwards.

The process is the one that users start; one data folder lives through all kills. Two clients write with all
kinds of requests, make and delete indices, refresh and flush, and keep what was acknowledged: documents by
key, as for the shards of the other tests. A client has one request under way; of a bulk any beginning may be
found. Half of the kills are drawn from a fixed seed, half from a new one, which is printed.
"""

import http.client
import json
import os
import random
import secrets
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from lanner.engine.cluster.check import check_data_folder
from tests.crash.test_kill import Flight, Model, after

ROOT = Path(__file__).parents[2]
KILLS = 40
SEED = 11
SECONDS = 55.0  # the most that all of it may take
PATIENCE = 10.0  # the most that a start, an answer or an end may take
READY = b"lanner is ready at http://127.0.0.1:"
INDEX = "kept"
IDS = 25  # of each writer
SETTINGS = {
    "refresh_interval": "5ms",
    "merge.policy.segments_per_tier": "2.0",
    "merge.policy.max_merge_at_once": "3",
    "translog.flush_threshold_size": "6kb",
}


class Connection:
    """One client's connection."""

    def __init__(self, port: int) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send one request; a list is sent as NDJSON. Status and answer."""
        lines = body if isinstance(body, list) else [] if body is None else [body]
        data = "".join(json.dumps(line) + "\n" for line in lines).encode() or None
        kind = "application/x-ndjson" if isinstance(body, list) else "application/json"
        self.http.request(method, path, data, {"content-type": kind} if data else {})
        answer = self.http.getresponse()
        return answer.status, json.loads(answer.read())

    def must(self, method: str, path: str, body: object = None) -> Any:
        """Send a request that succeeds."""
        status, answer = self.ask(method, path, body)
        assert status in (200, 201), f"{method} {path}: {status} {answer}"
        return answer

    def close(self) -> None:
        self.http.close()


class Server:
    """The process, ready to answer."""

    def __init__(self, folder: Path) -> None:
        paths = [str(ROOT / "build" / "view"), *filter(None, [os.environ.get("PYTHONPATH")])]
        with (folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "lanner.server", "serve", "--port", "0", "--data", folder / "data"],
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )
        try:
            self.port = self._port()
            # The file of the killed process was there before: it must be this one's now.
            assert (folder / "data" / "http.port").read_text() == f"{self.port}\n"
        except BaseException:
            self.kill()
            print((folder / "log").read_text(errors="replace")[-4000:])
            raise

    def _port(self) -> int:
        """What the process prints when it is ready, waited for until the deadline."""
        pipe = self.process.stdout
        assert pipe is not None
        deadline, line = time.monotonic() + PATIENCE, b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            assert left > 0, f"not ready in time: {line!r}"
            if select.select([pipe], [], [], left)[0]:
                chunk = os.read(pipe.fileno(), 4096)
                assert chunk, f"ended while starting: status {self.process.wait(PATIENCE)}, {line!r}"
                line += chunk
        assert line.startswith(READY), line
        return int(line[len(READY) :])

    def kill(self) -> int:
        """End the process, with no chance to do anything; its exit status."""
        return self._end(self.process.kill)

    def stop(self) -> int:
        return self._end(self.process.terminate)

    def _end(self, signal: Any) -> int:
        signal()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()  # does nothing when it has ended
            self.process.wait(PATIENCE)
            assert self.process.stdout is not None
            self.process.stdout.close()


class Writer(threading.Thread):
    """Writes until the server is gone; afterwards holds what was acknowledged and what was under way."""

    def __init__(self, port: int, name: str, seed: int, values: int, model: Model) -> None:
        super().__init__(daemon=True)
        self.connection = Connection(port)
        self.prefix = name
        self.chance = random.Random(seed)
        self.value = values
        self.model = model
        self.flight: Flight = []
        self.acknowledged = 0
        self.marks: dict[str, tuple[int | None, int, int]] = {}  # value, sequence number, version
        self.begun, self.ended, self.killing = threading.Event(), threading.Event(), threading.Event()
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self.begun.set()
            while True:
                self.step()
        except (OSError, http.client.HTTPException) as error:
            if not self.killing.is_set():
                self.fault = error
        except BaseException as error:
            self.fault = error
        finally:
            self.connection.close()
            self.ended.set()

    def step(self) -> None:
        dice = self.chance.random()
        if dice < 0.3:
            key, value = self.flying("index")
            self.acknowledge([self.connection.must("PUT", f"/{INDEX}/_doc/{key}", self.source(key, value))])
        elif dice < 0.5:
            key, value = self.flying("update")
            self.acknowledge([self.connection.must("POST", f"/{INDEX}/_update/{key}", change(key, value))])
        elif dice < 0.6:
            key, _ = self.flying("delete")
            status, answer = self.connection.ask("DELETE", f"/{INDEX}/_doc/{key}")
            assert status == (200 if key in self.model else 404), answer
            self.acknowledge([answer])
        elif dice < 0.85:
            self.bulk()
        elif dice < 0.91:
            self.connection.must("POST", f"/{INDEX}/_refresh")
        elif dice < 0.95:
            self.connection.must("POST", f"/{INDEX}/_flush")
        else:
            self.make_or_delete_index()

    def bulk(self) -> None:
        lines: list[object] = []
        for _ in range(self.chance.choice((2, 5, 20))):
            kind = self.chance.choice(("index", "index", "update", "delete"))
            key, value = self.flying(kind)
            lines.append({kind: {"_index": INDEX, "_id": key}})
            if kind != "delete":
                lines.append(self.source(key, value) if kind == "index" else change(key, value))
        answer = self.connection.must("POST", "/_bulk", lines)
        assert not answer["errors"], answer
        self.acknowledge([result for item in answer["items"] for result in item.values()])

    def make_or_delete_index(self) -> None:
        """An index of its own for a document, made by writing to it, and deleted later."""
        old = [key for key in self.model if is_index(key)]
        if old:
            self.flight = [(old[0], None)]
            self.connection.must("DELETE", f"/{old[0]}")
            self.acknowledge([])
        else:
            self.value += 1
            key = f"{self.prefix}-index-{self.value}"
            self.flight = [(key, self.value)]
            answer = self.connection.must("PUT", f"/{key}/_doc/{key}", self.source(key, self.value))
            self.acknowledge([answer])

    def flying(self, kind: str) -> tuple[str, int]:
        """Take note of an operation that is about to be sent."""
        key = f"{self.prefix}-{self.chance.randrange(IDS)}"
        self.value += 1
        self.flight = [*self.flight, (key, None if kind == "delete" else self.value)]
        return key, self.value

    def source(self, key: str, value: int) -> dict[str, object]:
        """A document; now and then with a field that the mapping does not have yet."""
        new = {f"f{value}": value} if self.chance.random() < 0.03 else {}
        return {"key": key, "n": value, **new}

    def acknowledge(self, answers: list[dict[str, Any]]) -> None:
        """Everything under way is done."""
        if answers:
            assert [answer["_id"] for answer in answers] == [key for key, _ in self.flight]
        for (key, value), answer in zip(self.flight, answers, strict=False):
            self.marks[key] = (value, answer["_seq_no"], answer["_version"])
        self.model = after(self.model, self.flight)
        self.acknowledged += len(self.flight)
        self.flight = []

    def allowed(self) -> list[Model]:
        """What may be found: what was acknowledged, and any beginning of what was under way."""
        return [after(self.model, self.flight[:count]) for count in range(len(self.flight) + 1)]


def is_index(key: str) -> bool:
    return "-index-" in key


def change(key: str, value: int) -> dict[str, object]:
    """The body of an update; `key` stays as it was, or comes with a new document."""
    return {"doc": {"n": value}, "upsert": {"key": key, "n": value}}


def write_and_kill(server: Server, kill: int, chance: random.Random, model: Model) -> list[Writer]:
    """Let two clients work for a while, kill the server; the clients with what they know."""
    writers = [
        Writer(
            server.port,
            f"w{number}",
            chance.getrandbits(32),
            (2 * kill + number) * 1_000_000,
            {key: value for key, value in model.items() if key.startswith(f"w{number}-")},
        )
        for number in range(2)
    ]
    for writer in writers:
        writer.start()
    try:
        assert writers[0].begun.wait(PATIENCE)
        writers[0].ended.wait(chance.uniform(0.02, 0.15))  # the moment of death
    finally:
        for writer in writers:
            writer.killing.set()
        status = server.kill()
        for writer in writers:
            writer.join(PATIENCE)
    for writer in writers:
        assert writer.ended.is_set()
        if writer.fault is not None:
            raise writer.fault
    assert status == -9, f"the server ended by itself: {status}"
    return writers


def found(server: Server, writers: list[Writer]) -> Model:
    """Everything that is there after a restart, seen in several ways that must agree."""
    connection = Connection(server.port)
    _, health = connection.ask("GET", f"/_cluster/health?wait_for_status=yellow&timeout={int(PATIENCE / 2)}s")
    assert health["status"] != "red", health
    assert not health["timed_out"], health
    names = {row["index"] for row in connection.must("GET", "/_cat/indices?format=json&h=index")}
    keys = sorted(
        {key for writer in writers for key in (*writer.marks, *writer.model, *dict(writer.flight))}
        | {f"w{number}-{id_}" for number in range(2) for id_ in range(IDS)}
    )
    docs = [{"_index": key if is_index(key) else INDEX, "_id": key} for key in keys]
    before = connection.must("POST", "/_mget", {"docs": docs})["docs"]  # out of what was replayed
    assert [doc["_id"] for doc in before] == keys
    connection.must("POST", "/_refresh")
    query = {"size": 5000, "version": True, "seq_no_primary_term": True, "track_total_hits": True}
    hits = connection.must("POST", "/_search", query)["hits"]
    model: Model = {}
    for hit in hits["hits"]:
        key, source = hit["_id"], hit["_source"]
        assert key not in model, f"[{key}] is there twice"
        assert hit["_index"] == (key if is_index(key) else INDEX)
        assert source["key"] == key
        model[key] = source["n"]
        for writer in writers:
            value, *place = writer.marks.get(key, (None, 0, 0))
            if value == source["n"]:
                assert [hit["_seq_no"], hit["_version"]] == place, f"[{key}] is another operation"
    assert hits["total"] == {"value": len(model), "relation": "eq"}
    assert connection.must("GET", "/_count")["count"] == len(model)
    got = [doc for doc in before if doc.get("found")]
    assert {doc["_id"]: doc["_source"]["n"] for doc in got} == model
    shards = connection.must("GET", f"/{INDEX}/_stats?level=shards")["indices"][INDEX]["shards"]
    numbers = shards["0"][0]["seq_no"]
    marks = [mark[1] for writer in writers for key, mark in writer.marks.items() if not is_index(key)]
    assert numbers["local_checkpoint"] == numbers["max_seq_no"] >= max(marks, default=-1), "a gap"
    under_way = {key for writer in writers for key, _ in writer.flight}
    for name in sorted(names - {INDEX} - model.keys()):
        assert name in under_way, f"[{name}] was deleted, or lost its document"
        connection.must("DELETE", f"/{name}")  # made, and killed before its document was written
    connection.close()
    return model


def test_kill_the_server_at_random_moments(tmp_path: Path) -> None:
    fresh = secrets.randbits(32)
    print(f"\nseeds: {SEED} and {fresh}")
    chances = (random.Random(SEED), random.Random(fresh))
    deadline = time.monotonic() + SECONDS
    total = under_way = kept = kills = 0
    model: Model = {}
    server = Server(tmp_path)
    try:
        connection = Connection(server.port)
        connection.must("PUT", f"/{INDEX}", {"settings": {"number_of_replicas": 0, **SETTINGS}})
        connection.close()
        while kills < KILLS and time.monotonic() < deadline:
            writers = write_and_kill(server, kills, chances[kills % 2], model)
            kills += 1
            assert check_data_folder(str(tmp_path / "data")) == []  # also before anything is mended
            server = Server(tmp_path)
            model = found(server, writers)
            for number, writer in enumerate(writers):
                mine = {key: value for key, value in model.items() if key.startswith(f"w{number}-")}
                allowed = writer.allowed()
                assert mine in allowed, f"kill {kills}: {differences(mine, allowed)}"
                total += writer.acknowledged
                under_way += bool(writer.flight)
                kept += bool(writer.flight) and mine != allowed[0]
        connection = Connection(server.port)
        uuids = {row["uuid"] for row in connection.must("GET", "/_cat/indices?format=json&h=uuid")}
        folders = {folder.name for folder in (tmp_path / "data" / "indices").iterdir()}
        connection.close()
        status = server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()
    print(
        f"kill -9 of the server: {kills} kills, {total} acknowledged operations, none lost, none doubled; "
        f"{under_way} writes under way, {kept} of them found"
    )
    assert status == 0
    assert folders == uuids, "something is left of what was killed while it was made or deleted"
    assert check_data_folder(str(tmp_path / "data")) == []
    assert kills == KILLS
    assert total > KILLS


def differences(mine: Model, allowed: list[Model]) -> str:
    """Keys whose state is not the acknowledged one, with both, and what was under way."""
    keys = sorted(key for key in mine.keys() | allowed[0].keys() if mine.get(key) != allowed[0].get(key))
    states = {key: (allowed[0].get(key), mine.get(key), allowed[-1].get(key)) for key in keys}
    return f"acknowledged, found, under way: {states}"
