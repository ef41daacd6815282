"""What is taken the short way is what httptools makes of it."""

from typing import Any

import pytest
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from hypothesis import example, given
from hypothesis import strategies as st

from lanner.ext.http.plain_request import PlainRequests

KEPT = (
    b"content-length",
    b"content-type",
    b"accept",
    b"accept-encoding",
    b"content-encoding",
    b"x-opaque-id",
)
PLAIN = PlainRequests(4096, 16384, 1 << 20)
PUT = (
    b"PUT /i/_doc/1?refresh=true&a=%C3%A4 HTTP/1.1\r\nHost: localhost:9200\r\nAccept: */*\r\n"
    b"X-Opaque-ID: \xc3\xa4\r\nUser-Agent:x\r\nContent-Type: \tapplication/json\r\n"
    b'Content-Length: 7\r\nConnection: Keep-Alive\r\n\r\n{"a":1}'
)


class Found:
    """What httptools calls."""

    def __init__(self) -> None:
        self.messages = 0
        self.url = self.body = b""
        self.headers: list[tuple[bytes, bytes]] = []

    def on_url(self, url: bytes) -> None:
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.messages += 1


def reference(data: bytes) -> tuple[Any, ...] | None:
    """One whole request with nothing behind it that keeps its connection, as httptools reads it."""
    found = Found()
    parser = HttpRequestParser(found)
    try:
        parser.feed_data(data)
    except (HttpParserError, HttpParserUpgrade):
        return None
    if found.messages != 1 or not parser.should_keep_alive() or parser.get_http_version() != "1.1":
        return None
    path, _, query = found.url.decode("latin-1").partition("?")
    seen = {name: value for name, value in found.headers if name in KEPT}
    return None, parser.get_method().decode(), path, query, seen, found.body, True


def test_plain_requests_are_taken() -> None:
    for data in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"HEAD /a?b=c?d HTTP/1.1\r\nHost: x\r\n\r\n",
        b"DELETE /a%2Fb HTTP/1.1\r\ncontent-length: 0\r\n\r\n",
        b"POST /a? HTTP/1.1\r\nContent-Length:1\r\nContent-Encoding: gzip\r\n\r\n\n",
        PUT,
    ):
        assert PLAIN.take(data) is not None
        assert PLAIN.take(data) == reference(data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"PUT", b"PATCH"),
        (b"PUT", b"put"),
        (b"/i", b"i"),
        (b"/i", b"http://x/i"),
        (b"&", b"#"),
        (b"&", b" "),
        (b"1.1", b"1.0"),
        (b"\r\nHost", b"\nHost"),
        (b"Host: ", b"Host : "),
        (b"Host: ", b": "),
        (b"User-Agent:x", b"User-Agent:"),
        (b"User-Agent:x", b"User-Agent:x "),
        (b"User-Agent:x", b"User-Agent:x\r\n y"),
        (b"User-Agent:x", b"User-Agent:\0"),
        (b"User-Agent:x", b"Expect: 100-continue"),
        (b"User-Agent:x", b"Upgrade: h2c"),
        (b"User-Agent:x", b"Transfer-Encoding: chunked"),
        (b"User-Agent:x", b"X-OPAQUE-ID: again"),
        (b"Keep-Alive", b"close"),
        (b"Keep-Alive", b"keep-alive, upgrade"),
        (b"Length: 7", b"Length: 6"),
        (b"Length: 7", b"Length: 8"),
        (b"Length: 7", b"Length: +7"),
        (b"Length: 7", b"Length: 7\r\nContent-Length: 7"),
        (b'{"a":1}', b'{"a":1}GET'),
    ],
)
def test_anything_else_is_left_alone(old: bytes, new: bytes) -> None:
    assert PLAIN.take(PUT) is not None
    assert old in PUT
    assert PLAIN.take(PUT.replace(old, new)) is None


def test_every_part_is_left_alone() -> None:
    assert [at for at in range(len(PUT)) if PLAIN.take(PUT[:at]) is not None] == []


def test_limits() -> None:
    headers = sum(len(line) + 2 for line in PUT.split(b"\r\n\r\n")[0].split(b"\r\n")[1:])
    assert PlainRequests(4096, headers, 7).take(PUT) is not None
    assert PlainRequests(len(PUT.split(b"\r\n")[0]) - 1, headers, 7).take(PUT) is None
    assert PlainRequests(4096, headers - 1, 7).take(PUT) is None
    assert PlainRequests(4096, headers, 6).take(PUT) is None


@given(st.lists(st.tuples(st.integers(0, len(PUT)), st.integers(0, 3), st.binary(max_size=3)), max_size=3))
@example([(0, 0, b"\r\n")])
def test_what_is_taken_is_what_httptools_reads(changes: list[tuple[int, int, bytes]]) -> None:
    data = PUT
    for at, skipped, put in changes:
        data = data[:at] + put + data[at + skipped :]
    taken = PLAIN.take(data)
    if taken is not None:
        assert taken == reference(data)


def test_every_byte_everywhere() -> None:
    taken = 0
    for at in range(len(PUT) + 1):
        for byte in range(256):
            for skipped in (0, 1):
                data = PUT[:at] + bytes([byte]) + PUT[at + skipped :]
                message = PLAIN.take(data)
                if message is not None:
                    taken += 1
                    assert message == reference(data)
    assert taken > len(PUT)
