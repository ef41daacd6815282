"""Single documents that come in one turn of the event loop: what they share, and what stays their own."""

import json
from typing import Any

import pytest

from lanner.server.app import Application
from lanner.server.connection import Connection
from lanner.server.listener import Listener
from tests.server.benches import Loop, Transport

MAPPING = {"properties": {"n": {"type": "long"}}}


def put(path: str, source: str = '{"n":1}', more: str = "") -> bytes:
    head = f"PUT {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(source)}\r\n"
    return f"{head}{more}\r\n{source}".encode()


class Turns:
    """Connections to a node, on a loop that goes on when it is told to."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.loop = Loop()
        self.app = Application(node)
        self.listener = Listener(self.app, self.loop, max_connections=99)  # type: ignore[arg-type]

    def index(self, name: str, durability: str) -> Any:
        """Make an index; its shard."""
        from lanner.engine.cluster.creation import create_index

        create_index(
            self.node, name, {"settings": {"index.translog.durability": durability}, "mappings": MAPPING}
        )
        return self.node.indices.index(self.node.cluster.state.indices[name].uuid).shard(0)

    def send(self, *requests: bytes) -> list[Transport]:
        """Let each request come on a connection of its own, all in one turn."""
        transports = []
        for request in requests:
            connection, transport = Connection(self.listener), Transport()
            connection.connection_made(transport)  # type: ignore[arg-type]
            connection.data_received(request)
            transports.append(transport)
        return transports


@pytest.fixture
def turns(node: Any) -> Turns:
    return Turns(node)


def statuses(transports: list[Transport]) -> list[int]:
    return [status for transport in transports for status, _, _ in transport.answers()]


def test_one_turn_is_one_frame_of_the_log(turns: Turns) -> None:
    shard = turns.index("i", "async")
    frames: list[int] = []
    append = shard.translog.append

    def noted(body: bytes, count: int, *more: int) -> int:
        frames.append(count)
        return int(append(body, count, *more))

    shard.translog.append = noted
    sent = turns.send(*(put(f"/i/_doc/{n}") for n in range(5)), put("/i/_create/3"), put("/i/_doc/9", "{"))
    assert statuses(sent) == [400]  # what is wrong by itself waits for nobody
    assert frames == []
    turns.loop.run_one()
    assert statuses(sent) == [201] * 5 + [409, 400]
    assert frames == [5]
    assert [json.loads(each.answers()[0][2])["_seq_no"] for each in sent[:5]] == list(range(5))
    assert turns.app.in_flight == 0


def test_durable_writes_are_answered_after_the_sync(turns: Turns) -> None:
    shard = turns.index("i", "request")
    with shard.translog._sync_lock:
        sent = turns.send(put("/i/_doc/1"), put("/i/_doc/2"))
        turns.loop.run_one()
        assert statuses(sent) == []
    turns.loop.run_one()
    assert statuses(sent) == [201, 201]
    assert not shard.translog.needs_sync

    sent = turns.send(put("/i/_doc/3"), put("/i/_create/1"))
    shard.translog.sync = lambda target=None: 1 / 0
    turns.loop.run_one()
    turns.loop.run_one()
    assert statuses(sent) == [500, 409]


def test_a_shard_that_is_busy_is_waited_for_on_a_pool(turns: Turns) -> None:
    shard = turns.index("i", "async")
    sent = turns.send(put("/i/_doc/1"), put("/i/_doc/2"))
    with shard.lock:
        turns.loop.run_one()
        assert statuses(sent) == []
    turns.loop.run_one()
    assert statuses(sent) == [201, 201]


def test_memory_that_is_nearly_full_is_relieved_on_a_pool(turns: Turns) -> None:
    shard = turns.index("i", "async")
    sent = turns.send(put("/i/_doc/1"))
    turns.node.memory.note(object(), turns.node.memory.limit)
    turns.loop.run_one()
    assert statuses(sent) == []
    turns.loop.run_one()
    assert statuses(sent) == [201]
    assert not shard.is_calm


def test_a_shard_that_is_gone_answers_all(turns: Turns) -> None:
    shard = turns.index("i", "async")
    turns.index("j", "async")
    sent = turns.send(put("/i/_doc/1"), put("/j/_doc/1"), put("/i/_doc/2"))
    shard.close()
    turns.loop.run_one()
    found = statuses(sent)
    assert found[1] == 201
    assert found[0] == found[2] >= 400


def test_pipelined_writes_keep_their_order(turns: Turns) -> None:
    turns.index("i", "async")
    named = put("/i/_doc/2", more="X-Opaque-Id: me\r\n")
    (sent,) = turns.send(put("/i/_doc/1") + put("/i/_doc/1", '{"n":2}') + named)
    for _ in range(3):
        turns.loop.run_one()
    answers = sent.answers()
    assert [json.loads(body)["result"] for _, _, body in answers] == ["created", "updated", "created"]
    assert answers[2][1]["x-opaque-id"] == "me"
