"""The protocol of a connection, byte by byte and second by second, without sockets or clocks.

What the answers say of bad requests is our own where the reference closes without a word.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from lanner.server.connection import (
    HEAD_SECONDS,
    IDLE_SECONDS,
    LINGER_SECONDS,
    PIECE,
    TURN,
    WRITE_SECONDS,
    origin_form,
)
from tests.server.benches import BODY, CHUNKED, GET, Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    with ThreadPoolExecutor(2) as pool:
        made = Bench(pool)
        yield made
        made.gate.set()


def test_an_answer(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(GET)
    ((status, headers, body),) = transport.answers()
    assert (status, headers["content-type"]) == (200, "application/json; charset=UTF-8")
    assert bench.send(GET.replace(b"Host: x", b"Connection: keep-alive")).written == transport.written
    assert json.loads(body)["params"] == {"size": "1"}
    assert "connection" not in headers
    assert not transport.closing
    assert bench.app.in_flight == 0


@pytest.mark.parametrize("request_", [GET, BODY, CHUNKED, GET + BODY + CHUNKED])
def test_requests_may_be_split_anywhere(bench: Bench, request_: bytes) -> None:
    whole = bench.send(request_).written
    assert whole.count(b"HTTP/1.1 200 OK") == request_.count(b" HTTP/1.1")
    for at in range(1, len(request_)):
        assert bench.send(request_[:at], request_[at:]).written == whole
    assert bench.send(*(request_[at : at + 1] for at in range(len(request_)))).written == whole


def test_bodies_arrive(bench: Bench) -> None:
    for request in (BODY, CHUNKED):
        ((status, headers, body),) = bench.send(request).answers()
        assert (status, json.loads(body)["body"]) == (200, {"a": 1})
    assert headers["x-opaque-id"] == "me"


def test_large_bodies_come_in_pieces(bench: Bench) -> None:
    text = b'{"a":"' + b"x" * (1 << 19) + b'"}'
    head = b"POST /a/_echo HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
        text
    )
    for parts in ([head + text], [head, text], [head + text[:100_000], text[100_000:] + GET]):
        answers = bench.send(*parts).answers()
        assert json.loads(answers[0][2])["body"] == {"a": "x" * (1 << 19)}
        assert [answer[0] for answer in answers[1:]] == [200] * (len(answers) - 1)


def test_large_answers(bench: Bench) -> None:
    ((_, _, body),) = bench.send(b"GET /_large HTTP/1.1\r\n\r\n").answers()
    assert len(body) > 100_000


def test_head(bench: Bench) -> None:
    head = b"HEAD /a/_echo HTTP/1.1\r\n\r\n"
    first, second = bench.send(head + GET).answers("HEAD")
    assert (first[0], int(first[1]["content-length"]) > 10, second[0]) == (200, True, 200)


@pytest.mark.parametrize(
    ("request_", "closes"),
    [
        (b"GET /a/_echo HTTP/1.1\r\nConnection: close\r\n\r\n", True),
        (b"GET /a/_echo HTTP/1.0\r\n\r\n", True),
        (b"GET /a/_echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", False),
    ],
)
def test_who_keeps_the_connection(bench: Bench, request_: bytes, closes: bool) -> None:
    connection, transport = bench.connect()
    connection.data_received(request_ + (GET if closes else b""))  # what follows the last one is nothing
    ((status, headers, _),) = transport.answers()
    assert (status, headers["connection"]) == (200, "close" if closes else "keep-alive")
    assert transport.closing is closes


def test_pipelined_answers_keep_their_order(bench: Bench) -> None:
    connection, transport = bench.connect()
    gated = b"GET /a/_gated HTTP/1.1\r\n\r\nGET /b/_gated HTTP/1.1\r\n\r\n"
    connection.data_received(GET + gated + GET)
    assert len(transport.answers()) == 1
    connection.data_received(BODY)
    assert not transport.reading  # while a request is on a pool nothing more is read
    assert bench.app.in_flight == 1
    bench.gate.set()
    bench.loop.run_one()
    bench.loop.run_one()
    bodies = [json.loads(body) for _, _, body in transport.answers()]
    assert [body.get("through", "echo") for body in bodies] == [
        "echo",
        "/a/_gated",
        "/b/_gated",
        "echo",
        "echo",
    ]
    assert transport.reading
    assert bench.app.in_flight == 0


def test_nothing_is_served_to_a_client_that_does_not_read(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.pause_writing()
    assert not transport.reading
    connection.data_received(GET * 2)
    assert transport.written == b""
    connection.resume_writing()
    assert len(transport.answers()) == 2
    assert transport.reading


def test_a_client_may_leave_while_a_pool_works(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n" + GET)
    connection.connection_lost(ConnectionResetError())
    bench.gate.set()
    bench.loop.run_one()
    assert transport.written == b""
    assert bench.app.in_flight == 0


def test_a_client_that_has_sent_all_still_reads(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n")
    connection.data_received(GET)
    assert connection.eof_received()
    bench.gate.set()
    bench.loop.run_one()
    assert [answer[0] for answer in transport.answers()] == [200, 200]
    assert transport.closing
    connection, _ = bench.connect()
    assert not connection.eof_received()  # the transport closes


def test_continue(bench: Bench) -> None:
    head, _, body = BODY.replace(b"Host: x", b"Expect: 100-Continue").partition(b"\r\n\r\n")
    connection, transport = bench.connect()
    connection.data_received(head + b"\r\n\r\n")
    assert transport.answers()[0][0] == 100
    connection.data_received(body)
    assert [answer[0] for answer in transport.answers()] == [100, 200]
    # nobody has to be told to go on who went on
    assert [answer[0] for answer in bench.send(head + b"\r\n\r\n" + body).answers()] == [200]


def test_continue_waits_for_earlier_answers(bench: Bench) -> None:
    head = BODY.replace(b"Host: x", b"Expect: 100-continue").partition(b"\r\n\r\n")[0]
    connection, transport = bench.connect()
    connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n" + head + b"\r\n\r\n")
    assert transport.written == b""
    bench.gate.set()
    bench.loop.run_one()
    assert [answer[0] for answer in transport.answers()] == [200, 100]


def test_upgrades_are_declined(bench: Bench) -> None:
    asking = b"Connection: Upgrade\r\nUpgrade: TLS/1.2\r\nX-Opaque-Id: me"
    for request in (BODY, CHUNKED, GET):
        upgrade = request.replace(b"Host: x", asking)
        for parts in ([upgrade + GET], [upgrade, GET], [upgrade[:-1], upgrade[-1:] + GET]):
            first, second = bench.send(*parts).answers()
            assert (first[0], second[0], first[1]["x-opaque-id"]) == (
                200 if request != CHUNKED else 400,
                200,
                "me",
            )


@pytest.mark.parametrize(
    ("target", "origin"),
    [
        ("http://x:9200/a/b?c", "/a/b?c"),
        ("http://x", "/"),
        ("http://x?a=/b", "/?a=/b"),
        ("*", "*"),
    ],
)
def test_targets(target: str, origin: str) -> None:
    assert origin_form(target) == origin


def test_targets_for_proxies_and_with_fragments(bench: Bench) -> None:
    for target in (b"http://x:9200/a/_echo?size=1", b"/a/_echo?size=1#there"):
        ((_, _, body),) = bench.send(GET.replace(b"/a/_echo?size=1", target)).answers()
        assert (json.loads(body)["names"], json.loads(body)["params"]) == ({"index": "a"}, {"size": "1"})


LONG = b"x" * 5000
REFUSED = {
    "no method": (b"FOO / HTTP/1.1\r\n\r\n", 400, "Invalid method"),
    "not HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01", 400, "Invalid method"),
    "a space": (b"GET /a b HTTP/1.1\r\n\r\n", 400, "Expected HTTP/"),
    "HTTP/0.9": (b"GET /\r\n\r\n", 505, "HTTP/0.9 is not supported"),
    "HTTP/2": (b"GET / HTTP/2.0\r\n\r\n", 505, "HTTP/2.0 is not supported"),
    "no colon": (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", 400, "Invalid header"),
    "a control character": (b"GET / HTTP/1.1\r\nA: a\x01b\r\n\r\n", 400, "Invalid header value"),
    "no length": (BODY.replace(b": 7", b": x"), 400, "Content-Length"),
    "two lengths": (BODY.replace(b": 7", b": 7\r\nContent-Length: 8"), 400, "Content-Length"),
    "length and chunks": (
        BODY.replace(b"Host: x", b"Transfer-Encoding: chunked"),
        400,
        "both Content-Length",
    ),
    "another coding": (CHUNKED.replace(b": chunked", b": gzip"), 501, "Transfer-Encoding [gzip]"),
    "no size": (CHUNKED.replace(b"3;x=y", b"zz"), 400, "chunk size"),
    "a long body": (BODY.replace(b": 7", b": 1048577"), 413, "larger than [1048576]"),
    "an unknown hope": (BODY.replace(b"Host: x", b"Expect: cash"), 417, "Expect"),
    "a long line": (b"GET /" + LONG + b" HTTP/1.1\r\n\r\n", 400, "An HTTP line is larger than 4096 bytes."),
    "a line without end": (b"GET /" + LONG, 400, "An HTTP line is larger than 4096 bytes."),
    "a long header": (b"GET / HTTP/1.1\r\nA: " + LONG * 4 + b"\r\n\r\n", 400, "header is larger than 16384"),
    "long headers": (b"GET / HTTP/1.1\r\n" + (b"A: %b\r\n" % LONG) * 4 + b"\r\n", 400, "larger than 16384"),
    "a header without end": (b"GET / HTTP/1.1\r\nA: " + LONG * 40, 400, "header is larger than 16384"),
    "a tunnel": (b"CONNECT x:80 HTTP/1.1\r\n\r\n", 405, "CONNECT"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_ends_the_connection(bench: Bench, name: str) -> None:
    request, status, reason = REFUSED[name]
    for parts in ([GET + request], [GET, *(request[at : at + 1] for at in range(len(request)))]):
        connection, transport = bench.connect()
        for part in parts:
            connection.data_received(part)
        first, refused = transport.answers()
        assert (first[0], refused[0], refused[1]["connection"]) == (200, status, "close")
        assert reason in refused[2].decode()
        assert json.loads(refused[2])["status"] == status
        assert transport.eof
        connection.data_received(GET * 10)  # is thrown away, so that the answer is not lost
        assert not transport.closing
        assert len(transport.answers()) == 2
        bench.after(LINGER_SECONDS + 1)
        assert transport.aborted
        connection.connection_lost(None)
    assert bench.app.in_flight == 0


def test_chunks_may_not_add_up_to_too_much(bench: Bench) -> None:
    head = CHUNKED.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    chunk = b"%x\r\n%b\r\n" % (PIECE, b"x" * PIECE)
    connection, transport = bench.connect()
    connection.data_received(head)
    for _ in range(17):
        connection.data_received(chunk)
    assert [answer[0] for answer in transport.answers()] == [413]


def test_a_refusal_waits_for_its_turn(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n")
    connection.data_received(b"bad")
    bench.gate.set()
    bench.loop.run_one()
    assert [answer[0] for answer in transport.answers()] == [200, 400]


def test_an_idle_connection_ends(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(GET)
    bench.after(IDLE_SECONDS - 1)
    connection.data_received(GET)
    bench.after(IDLE_SECONDS)
    assert not transport.closing
    bench.after(2)
    assert transport.closing
    assert len(transport.answers()) == 2


def test_a_connection_after_a_long_silence_is_new(bench: Bench) -> None:
    bench.loop.now += 10 * IDLE_SECONDS
    _, transport = bench.connect()
    bench.after(1)
    assert not transport.closing


def test_others_have_their_turn(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(GET * (TURN + 1))
    assert len(transport.answers()) == TURN
    other, other_transport = bench.connect()
    other.data_received(GET)
    assert len(other_transport.answers()) == 1
    connection.data_received(GET)
    bench.loop.run_one()
    assert len(transport.answers()) == TURN + 2
    assert transport.reading


def test_a_head_has_its_time(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(GET[:9])
    bench.after(HEAD_SECONDS - 1)
    connection.data_received(GET[9:12])  # no more time for that
    bench.after(2)
    assert [answer[0] for answer in transport.answers()] == [408]


def test_a_body_must_flow(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(BODY[:-3])
    bench.after(9)
    assert transport.written == b""
    bench.after(30)
    ((status, headers, _),) = transport.answers()
    assert (status, headers["connection"]) == (408, "close")


def test_a_pool_may_take_its_time(bench: Bench) -> None:
    connection, transport = bench.connect()
    connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n")
    bench.after(1000)
    assert not transport.closing
    bench.gate.set()
    bench.loop.run_one()
    assert len(transport.answers()) == 1


def test_a_client_must_take_its_answers(bench: Bench) -> None:
    connection, transport = bench.connect()
    transport.unsent = 1000
    connection.pause_writing()
    bench.after(WRITE_SECONDS - 1)
    transport.unsent = 500
    bench.after(2)
    assert not transport.closing  # it goes on
    bench.after(WRITE_SECONDS + 1)
    assert transport.aborted


def test_draining(bench: Bench) -> None:
    idle, idle_transport = bench.connect()
    busy, busy_transport = bench.connect()
    half, half_transport = bench.connect()
    busy.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n")
    half.data_received(BODY[:-1])
    bench.app.draining = True
    for connection in (idle, busy, half):
        connection.drain()
    assert (idle_transport.closing, busy_transport.closing, half_transport.closing) == (True, False, False)
    idle.connection_lost(None)
    refused, refused_transport = bench.connect()
    refused.data_received(b"bad")
    refused.drain()
    assert refused_transport.closing
    bench.gate.set()
    bench.loop.run_one()
    half.data_received(BODY[-1:])
    for transport in (busy_transport, half_transport):
        ((status, headers, _),) = transport.answers()
        assert (status, headers["connection"], transport.closing) == (200, "close", True)


def test_there_is_an_end_to_connections(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    open_ = [bench.connect() for _ in range(3)]
    late, transport = bench.connect()
    assert transport.aborted
    late.connection_lost(None)
    assert "more than 3 connections" in caplog.text
    open_[0][0].connection_lost(None)
    assert not bench.connect()[1].aborted


@pytest.mark.parametrize("pooled", [False, True])
def test_a_fault_ends_one_connection(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, pooled: bool
) -> None:
    connection, transport = bench.connect()
    other, other_transport = bench.connect()
    if pooled:
        connection.data_received(b"GET /a/_gated HTTP/1.1\r\n\r\n")
        monkeypatch.setattr(connection.__class__, "_write", lambda *_: 1 / 0)
        bench.gate.set()
        bench.loop.run_one()
    else:
        monkeypatch.setattr(bench.app, "answer", lambda *_: 1 / 0)
        connection.data_received(GET)
    assert transport.aborted
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    other.data_received(GET)
    assert len(other_transport.answers()) == 1
