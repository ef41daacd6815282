"""One connection of a client: HTTP/1.1 in, answers out, in the order of the requests.

A plain message that comes whole is taken as it is (`ext/http/plain_request.pyx`); in anything else httptools
finds the messages. Complete ones are queued and served one after the other. What
the application answers at once is written at once: no task, nothing awaited. While a request is on a pool,
what else arrives is kept unparsed, and nothing more is read. A message that is refused takes its place in
the queue too, as an answer that is ready; it ends the connection, and what the client still sends is thrown
away for a while, so that the answer is not lost in a reset.
"""

import asyncio
import logging
from collections import deque
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from httptools import HttpParserCallbackError, HttpParserError, HttpParserUpgrade, HttpRequestParser

from lanner.engine.common.errors import IllegalArgument, TooLongHeader
from lanner.server.app import (
    CLOSE,
    JSON_HEADERS,
    REPEATED,
    SEEN,
    Application,
    Seen,
    body_too_late,
    has_body,
    line_too_long,
    malformed,
    note_header,
    refuse,
)
from lanner.server.body import is_stalled
from lanner.server.later import Answer, Headers, Later

if TYPE_CHECKING:
    from lanner.server.listener import Listener

log = logging.getLogger("lanner.server")

IDLE_SECONDS = 75.0  # between two requests
HEAD_SECONDS = 75.0  # for the head of a request
WRITE_SECONDS = 120.0  # in which a client takes nothing of an answer
LINGER_SECONDS = 10.0  # of reading what nobody wants, after a refusal
PIECE = 1 << 16  # bytes given to the parser at once: it cannot be stopped in between
TURN = 32  # requests of a connection that are served before others have their turn
JOINED = 1 << 14  # bodies up to this size are written together with their head
UNSENT = 1 << 18  # bytes of answers that wait for the client before nothing more is read from it
_VERSIONS = ("1.0", "1.1")
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_KEEP_ALIVE = (b"connection", b"keep-alive")
_WATCHED = SEEN | {b"connection", b"expect"}
_LINES = {status.value: b"HTTP/1.1 %d %s" % (status.value, status.phrase.encode()) for status in HTTPStatus}


def origin_form(target: str) -> str:
    """Return a target as clients send it who talk to the server and not to a proxy."""
    _, absolute, rest = target.partition("://")
    if not absolute:
        return target
    at = min((at for at in (rest.find("/"), rest.find("?")) if at >= 0), default=len(rest))
    return rest[at:] if rest[at : at + 1] == "/" else f"/{rest[at:]}"


def render_head(status: int, headers: Headers) -> bytes:
    """Return the head of an answer up to the length of its body."""
    head = _LINES.get(status) or b"HTTP/1.1 %d Unknown" % status
    for name, value in headers:
        head += b"\r\n%b: %b" % (name, value)
    return head + b"\r\ncontent-length: "


_JSON_HEADS = {status: render_head(status, JSON_HEADERS) for status in (200, 201, 400, 404, 409)}

# refusal, method, path, query, headers, body, whether the connection stays
Message = tuple[Answer | None, str, str, str, Seen, bytes, bool]


class Connection(asyncio.Protocol):
    """The protocol of one connection."""

    __slots__ = (
        "_application",
        "_begun",
        "_busy",
        "_ended",
        "_eof",
        "_fed",
        "_keep",
        "_lingering",
        "_listener",
        "_method",
        "_owed",
        "_parser",
        "_parts",
        "_path",
        "_paused",
        "_query",
        "_received",
        "_rest",
        "_seen",
        "_since",
        "_size",
        "_stuck",
        "_target",
        "_transport",
        "_unsent",
        "_upgrading",
        "_waiting",
    )

    def __init__(self, listener: "Listener") -> None:
        self._listener = listener
        self._application: Application = listener.application
        self._transport: asyncio.Transport | None = None
        self._waiting: deque[Message] = deque()
        self._rest: deque[bytes | memoryview] = deque()  # what has arrived and is not parsed yet
        self._since = listener.now  # when it began to wait for what it waits for
        self._busy = False  # a request is on a pool, or others have their turn
        self._stuck = False  # the client does not take what is written
        self._unsent = 0  # bytes that it has not taken when last looked at
        self._paused = False  # nothing is read
        self._eof = False  # the client will not send any more
        self._ended = False  # no more messages are taken
        self._lingering = False  # the last answer is out, what comes is thrown away
        self._begin()
        self._parse_anew()

    def _parse_anew(self) -> None:
        self._parser: HttpRequestParser | None = HttpRequestParser(self)
        # both kinds of length at once are refused by the application, with words
        self._parser.set_dangerous_leniencies(lenient_chunked_length=True)

    def _begin(self) -> None:
        """Expect a message."""
        self._begun = False
        self._target = b""
        self._method = ""  # empty as long as the head is not complete
        self._seen: Seen = {}
        self._size = 0  # bytes of its headers
        self._fed = 0  # bytes of an unfinished head, and some before it
        self._keep = True
        self._parts: list[bytes] = []
        self._received = 0  # bytes of its body
        self._owed = False  # "100 Continue", as soon as earlier answers are out
        self._upgrading = False

    # what the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(UNSENT)
        self._listener.opened(self)
        self._since = self._listener.now

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._transport = None
        self._parser = None  # it holds methods of this object
        self._ended = True
        self._waiting.clear()
        self._rest.clear()
        self._listener.closed(self)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self._ended:
            return
        try:
            if self._busy or self._stuck or self._rest:
                self._rest.append(data)
                self._pause()
            elif len(data) <= PIECE:
                self._feed(data)
            else:
                view = memoryview(data)
                self._rest.extend(view[at : at + PIECE] for at in range(0, len(data), PIECE))
                self._proceed()
        except Exception:
            self._fail()

    def eof_received(self) -> bool:
        """See asyncio: a client that will not send any more may still wait for answers."""
        self._eof = True
        return not self._lingering and (self._busy or self._stuck or bool(self._waiting))

    def pause_writing(self) -> None:
        """See asyncio."""
        self._stuck = True
        self._since = self._listener.now
        self._pause()

    def resume_writing(self) -> None:
        """See asyncio."""
        self._stuck = False
        try:
            self._proceed()
        except Exception:
            self._fail()

    # what the parser calls

    def on_message_begin(self) -> None:
        """Note that a message has begun."""
        self._begun = True

    def on_url(self, url: bytes) -> None:
        """Take the target of a request, or a part of it."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._size += len(name) + len(value) + 4
        name = name.lower()
        if name in _WATCHED:
            if name == b"x-opaque-id":
                note_header(self._seen, name, value)
            else:
                self._seen[name] = value

    def on_headers_complete(self) -> None:
        """Look at the head of a message before its body comes."""
        parser, seen = self._parser, self._seen
        if self._ended or parser is None:
            return
        self._method = method = parser.get_method().decode()
        self._keep = parser.should_keep_alive()
        if parser.should_upgrade():
            self._upgrading = True
            return
        if b"connection" in seen and parser.get_http_version() != "1.0":
            del seen[b"connection"]  # what it says is known by now
        if not self._keep and parser.get_http_version() not in _VERSIONS:
            self._refuse(refuse(f"HTTP/{parser.get_http_version()} is not supported", 505))
            return
        if self._size > self._application.max_header_size:
            self._refuse(self._header_too_long())
            return
        target = self._target.decode("latin-1")
        if target[:1] != "/":
            target = origin_form(target)
        if "#" in target:
            target = target.partition("#")[0]
        self._path, _, self._query = target.partition("?")
        refused = self._application.refusal(method, self._path, self._query, seen)
        if refused is not None:
            self._refuse(refused)
        elif b"expect" in seen and has_body(seen):
            if seen[b"expect"].lower() == b"100-continue":
                self._owed = True
            else:
                self._refuse(refuse("the expectation of the Expect header is not known", 417))
        self._since = self._listener.now

    def on_body(self, part: bytes) -> None:
        """Take a part of the body."""
        if self._ended:
            return
        self._parts.append(part)
        self._received += len(part)
        if self._received > self._application.max_content_length:
            self._refuse(self._application.body_too_large())

    def on_message_complete(self) -> None:
        """Queue the message."""
        if self._ended or self._upgrading:
            return
        parts = self._parts
        body = (parts[0] if len(parts) == 1 else b"".join(parts)) if parts else b""
        self._ended = not self._keep
        self._waiting.append((None, self._method, self._path, self._query, self._seen, body, self._keep))
        self._begin()

    # parsing

    def _feed(self, data: bytes | memoryview) -> None:
        """Parse a piece of what came, then serve what is complete."""
        if not self._begun and data.__class__ is bytes:
            plain = self._application.plain_requests.take(data)
            if plain is not None:
                self._waiting.append(plain)
                self._since = self._listener.now
                self._serve()
                return
        parser = self._parser
        if parser is None:
            return
        rest = -1
        try:
            parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            rest = upgrade.args[0]
        except HttpParserCallbackError:
            raise  # a fault of ours
        except HttpParserError as fault:
            if not self._ended:
                self._refuse(malformed(IllegalArgument(f"invalid HTTP: {fault}")))
        if rest >= 0 and not self._ended:
            self._decline_upgrade(data[rest:])
        elif self._begun and not self._method and not self._ended:
            self._check_head(len(data))
        if self._waiting or self._owed:
            self._serve()

    def _check_head(self, size: int) -> None:
        """Bound what is gathered of a head that does not end. size: bytes that came now."""
        if not self._fed:
            self._since = self._listener.now
        self._fed += size
        if len(self._target) > self._application.max_line:
            self._refuse(line_too_long(self._application.max_line))
        elif self._fed > len(self._target) + self._application.max_header_size + PIECE:
            self._refuse(self._header_too_long())

    def _decline_upgrade(self, rest: bytes | memoryview) -> None:
        """Parse the message again as if it did not ask for another protocol."""
        old, seen = self._parser, self._seen
        assert old is not None
        if self._method == "CONNECT":
            self._refuse(refuse("method [CONNECT] is not supported", 405))
            return
        lines = [b"%s %s HTTP/%s" % (self._method.encode(), self._target, old.get_http_version().encode())]
        lines += [b"%s: %s" % header for header in seen.items()]
        if REPEATED in seen:
            lines.append(b"x-opaque-id: ")
        self._begin()
        self._parse_anew()
        self._feed(b"\r\n".join([*lines, b"", b""]))
        if rest and not self._ended:
            if self._busy or self._stuck:
                self._rest.appendleft(rest)
                self._pause()
            else:
                self._feed(rest)

    def _header_too_long(self) -> Answer:
        limit = self._application.max_header_size
        return malformed(TooLongHeader(f"HTTP header is larger than {limit} bytes."))

    def _refuse(self, answer: Answer) -> None:
        """Let an answer follow those that are due; it is the last."""
        self._ended = True
        self._rest.clear()
        self._parts = []
        self._waiting.append((answer, self._method, "", "", self._seen, b"", False))

    # serving

    def _serve(self) -> None:
        """Serve messages until one goes to a pool or the client does not take the answers."""
        waiting, application = self._waiting, self._application
        left = TURN
        while waiting and not self._busy and not self._stuck:
            if not left:  # it is the turn of other connections
                self._busy = True
                self._listener.loop.call_soon(self._next_turn)
                return
            left -= 1
            refused, method, path, query, seen, body, keep = waiting.popleft()
            application.in_flight += 1
            answer = application.answer(method, path, query, seen, body) if refused is None else refused
            if isinstance(answer, Later):
                self._busy = True
                answer.tell = partial(self._answered, method, seen, keep)
            elif not self._write(answer, method, seen, keep):
                self._close(linger=refused is not None)
        if self._owed and not (self._busy or self._stuck or self._ended or self._transport is None):
            self._owed = False
            self._transport.write(_CONTINUE)

    def _next_turn(self) -> None:
        self._busy = False
        try:
            self._proceed()
        except Exception:
            self._fail()

    def _answered(self, method: str, seen: Seen, keep: bool, answer: Answer) -> None:
        self._busy = False
        try:
            if self._write(answer, method, seen, keep):
                self._proceed()
            else:
                self._close(linger=False)
        except Exception:
            self._fail()

    def _write(self, answer: Answer, method: str, seen: Seen, keep: bool) -> bool:
        """Write an answer; return whether the connection stays."""
        application = self._application
        application.in_flight -= 1
        self._since = self._listener.now
        transport = self._transport
        if transport is None or transport.is_closing():
            return False
        status, headers, body = answer
        start = None
        if headers is JSON_HEADERS:
            start = _JSON_HEADS.get(status)
        elif CLOSE in headers:
            keep = False
        if not keep or (application.draining and not self._waiting):
            keep = False
            if CLOSE not in headers:
                headers, start = (*headers, CLOSE), None
        elif b"connection" in seen and seen[b"connection"].lower() == b"keep-alive":
            headers, start = (*headers, _KEEP_ALIVE), None  # HTTP/1.0 wants to be told
        head = b"%b%d\r\n\r\n" % (start or render_head(status, headers), len(body))
        if method == "HEAD":
            transport.write(head)
        elif len(body) <= JOINED:
            transport.write(head + body)
        else:
            transport.writelines((head, body))
        return keep

    def _close(self, *, linger: bool) -> None:
        """End the connection: at once, or after a time to read for a client that still sends."""
        self._ended = True
        self._waiting.clear()
        self._rest.clear()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if linger and not self._eof:
            self._lingering = True
            transport.write_eof()
            self._proceed()
        else:
            transport.close()

    def _proceed(self) -> None:
        """Go on where a pool or the client held things up."""
        if self._waiting or self._owed:
            self._serve()
        rest = self._rest
        while rest and not self._busy and not self._stuck:
            self._feed(rest.popleft())
        if self._busy or self._stuck or self._transport is None:
            return
        if self._eof and not self._lingering:
            self._transport.close()
        elif self._paused:
            self._paused = False
            self._transport.resume_reading()

    def _pause(self) -> None:
        if not self._paused and self._transport is not None and not self._transport.is_closing():
            self._paused = True
            self._transport.pause_reading()

    def _fail(self) -> None:
        """End a connection whose handling has a fault; others do not notice."""
        log.exception("a connection is ended by a fault")
        if self._transport is not None:
            self._transport.abort()

    # what the listener calls

    def check(self, now: float) -> None:
        """End the connection if it has waited for too long. now: of the loop's clock."""
        transport = self._transport
        if transport is None:
            return
        waited = now - self._since
        if self._stuck or transport.is_closing():
            unsent = transport.get_write_buffer_size()
            if unsent != self._unsent:
                self._unsent, self._since = unsent, now
            elif waited > WRITE_SECONDS:
                transport.abort()
        elif self._lingering:
            if waited > LINGER_SECONDS:
                transport.abort()
        elif self._busy or self._ended:
            return
        elif self._method:
            if is_stalled(waited, self._received):
                self._refuse(body_too_late())
                self._serve()
        elif self._begun:
            if waited > HEAD_SECONDS:
                self._refuse(refuse("the head of the request did not arrive in time", 408))
                self._serve()
        elif waited > IDLE_SECONDS:
            transport.close()

    def drain(self) -> None:
        """End the connection unless a request has come or its body is coming: that gets its answer first."""
        if self._transport is not None and not (self._busy or self._waiting or self._method):
            self._transport.close()

    def abort(self) -> None:
        """End the connection now."""
        if self._transport is not None:
            self._transport.abort()
