"""The application: bytes to Request, route, handler, Response to bytes.

There is one path from a request to its answer, `Application.answer`; servers differ in how the bytes come
and go. It is short on purpose: one look-up, the handler, one encoding. Handlers are plain functions. A route
names the pool that runs its handler, or INLINE for what is over sooner than a change of threads: then the
answer is returned at once, and nothing is awaited.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from lanner.engine.common.errors import IllegalArgument, LannerError, TooLongLine
from lanner.ext.http.plain_request import PlainRequests
from lanner.ext.json.scan import JsonFault
from lanner.server.api import ROUTES
from lanner.server.body import (
    BodyReader,
    BodyTimeoutError,
    BodyTooLargeError,
    ClientGoneError,
    compress,
    decompress,
)
from lanner.server.errors import error_response, locate_all, plain_error
from lanner.server.filter_path import apply_filters
from lanner.server.group_write import GroupWrite
from lanner.server.json_writer import encode, encode_pretty, encode_yaml, with_texts
from lanner.server.later import Answer, Headers, Later
from lanner.server.media_types import BINARY, Format, content_format
from lanner.server.params import check_names
from lanner.server.request import Request
from lanner.server.request_cache import ParsedSearches, RequestCache
from lanner.server.response import JSON, TEXT, YAML, Response
from lanner.server.routing import Handler, Route, Router
from lanner.server.targets import TargetCache

if TYPE_CHECKING:
    from lanner.engine.node import Node

Seen = dict[bytes, bytes]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

DEFAULT_MAX_CONTENT = 100 << 20
DEFAULT_MAX_LINE = 4096
DEFAULT_MAX_HEADER = 16 << 10
MIN_COMPRESSED = 512  # smaller answers are sent as they are
_LINE_REST = len(" ? HTTP/1.1")
_BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")
_SOURCE = frozenset({"source", "source_content_type"})
# Headers of a request that are looked at.
SEEN = frozenset(
    {
        b"accept",
        b"accept-encoding",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"transfer-encoding",
        b"x-opaque-id",
    }
)
REPEATED = b"repeated"  # noted among them when X-Opaque-Id came twice
JSON_HEADERS: Headers = ((b"content-type", JSON.encode()),)
CLOSE = (b"connection", b"close")
_EVERYTHING = b"*/*"


class Application:
    """Serves one node: to ASGI servers as a callable, to our own by refusal() and answer()."""

    def __init__(
        self,
        node: "Node",
        *,
        routes: Iterable[Route] = ROUTES,
        max_content_length: int = DEFAULT_MAX_CONTENT,
        max_initial_line_length: int = DEFAULT_MAX_LINE,
        max_header_size: int = DEFAULT_MAX_HEADER,
        compression: bool = True,
    ) -> None:
        self.node = node
        self.router = Router(routes)
        self.targets = TargetCache(node)
        self.request_cache = RequestCache()
        self.parsed_searches = ParsedSearches()
        self.writes = GroupWrite(node.pools)
        self.loop: asyncio.AbstractEventLoop  # that answer() is called on; set by the server
        self._uses: Counter[Handler] = Counter()
        self.draining = False
        self.in_flight: int = 0
        self.publish_address = "127.0.0.1:9200"
        self.max_content_length = max_content_length
        self.max_line = max_initial_line_length
        self.max_header_size = max_header_size  # for servers that leave it to us
        self.plain_requests = PlainRequests(max_initial_line_length, max_header_size, max_content_length)
        self._compression = compression
        self._bodies = BodyReader(max_content_length)

    def uses(self) -> dict[str, int]:
        """Return how often each handler ran, by its name: module and function."""
        return {
            f"{handler.__module__.rpartition('.')[2]}_{handler.__name__.rstrip('_')}_action": count
            for handler, count in self._uses.items()
        }

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan protocol, as ASGI has it."""
        if scope["type"] != "http":
            await _lifespan(scope, receive, send)
            return
        self.in_flight += 1
        try:
            status, headers, body = await self._serve(scope, receive)
        except ClientGoneError:
            return
        finally:
            self.in_flight -= 1
        headers = (*headers, (b"content-length", b"%d" % len(body)))
        if self.draining and CLOSE not in headers:
            headers = (*headers, CLOSE)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _serve(self, scope: dict[str, Any], receive: Receive) -> Answer:
        seen: Seen = {}
        for name, value in scope["headers"]:
            note_header(seen, name, value)
        method: str = scope["method"]
        raw_path: bytes | None = scope.get("raw_path")
        path: str = scope["path"]
        if raw_path is not None and b"%" in raw_path:
            path = raw_path.split(b"?", 1)[0].decode("utf-8", "replace")
        query = scope["query_string"].decode("latin-1")
        refused = self.refusal(method, path, query, seen)
        if refused is not None:
            return refused
        content = b""
        if has_body(seen):
            try:
                content = await self._bodies.read(receive)
            except BodyTooLargeError:
                return self.body_too_large()
            except BodyTimeoutError:
                return body_too_late()
        self.loop = asyncio.get_running_loop()
        answer = self.answer(method, path, query, seen, content)
        if not isinstance(answer, Later):
            return answer
        told: asyncio.Future[Answer] = self.loop.create_future()
        answer.tell = partial(_tell, told)
        return await told

    def refusal(self, method: str, path: str, query: str, seen: Seen) -> Answer | None:
        """Return the answer to a request whose head is reason enough not to read its body, else None.

        The connection cannot be used any further.
        """
        if len(method) + len(path) + len(query) + _LINE_REST > self.max_line:
            return line_too_long(self.max_line)
        length = seen.get(b"content-length")
        if length is not None and length.isdigit() and int(length) > self.max_content_length:
            return self.body_too_large()
        if b"transfer-encoding" in seen:
            if length is not None:
                return refuse("both Content-Length and Transfer-Encoding are given", 400)
            coding = seen[b"transfer-encoding"]
            if coding.lower() != b"chunked":
                return refuse(f"Transfer-Encoding [{coding.decode('latin-1')}] is not supported", 501)
        return None

    def answer(self, method: str, path: str, query: str, seen: Seen, content: bytes) -> Answer | Later:
        """Return the answer to a request, or what will tell it. Called on an event loop; raises nothing.

        path, query: as they were sent, without the question mark. seen: made by note_header. content: the
        whole body, as it was sent.
        """
        try:
            # what follows two slashes is a host to whoever reads URIs, where no empty name is asked for
            if path[:2] == "//" and self.router.find(method, path) is None:
                path = path[path.find("/", 2) :] if "/" in path[2:] else ""
            if REPEATED in seen:
                text = "multiple values for single-valued header [X-Opaque-Id]."
                return self._finish(seen, _finish_plain(plain_error(text, 400)))
            found = self.router.find(method, path)
            if found is None:
                return self._finish(seen, self._unrouted(method, path, query, seen.get(b"content-type")))
            request = Request(self, method, path, query, *found)
            self._uses[request.route.handler] += 1
        except Exception as fault:  # every fault becomes an answer
            return _failed(fault)
        try:
            accept = seen.get(b"accept")
            if accept is not None and accept != _EVERYTHING:
                request.accept = accept.decode("latin-1")
            if query:
                request.read_params()
            request.opaque = seen.get(b"x-opaque-id")
            if content:
                refused = self._take_content(request, content, seen)
                if refused is not None:
                    return self._finish(seen, refused)
            if query:
                _check_params(request)
            route = request.route
            if route.source and "source" in request.params:
                request.read_source()
            if request.content and not route.body:
                raise IllegalArgument(f"request [{method} {path}] does not support having a body")
            pool = route.pool
            if callable(pool):
                pool = pool(request)
            if pool is not None:  # the one place where the event loop meets the thread pools
                later = Later(self.loop)
                self.node.pools[pool].submit(self._complete, request, seen, later.send)
                return later
            if request.awaits is None:
                return self._finish(seen, perform(request))
            later = Later(self.loop)
            request.awaits(self.loop, partial(self._complete, request, seen, later.give))
            return later
        except Exception as fault:  # every fault becomes an answer
            return self._finish(seen, _failed(fault, request))

    def _complete(self, request: Request, seen: Seen, give: Callable[[Answer], None]) -> None:
        """Perform a request, as a task if its route says so, and give the answer."""
        action = request.route.action
        task = self.node.tasks.start(action, request.describe, request.headers) if action else None
        try:
            answer = self._finish(seen, perform(request))
        finally:
            if task is not None:
                self.node.tasks.end(task)
        give(answer)

    def _finish(self, seen: Seen, answer: Answer) -> Answer:
        """Return an answer with what the headers of the request ask of any."""
        opaque = seen.get(b"x-opaque-id")
        if opaque is not None:
            answer = (answer[0], (*answer[1], (b"X-Opaque-Id", opaque)), answer[2])
        if (
            b"accept-encoding" in seen
            and self._compression
            and len(answer[2]) >= MIN_COMPRESSED
            and b"gzip" in seen[b"accept-encoding"]
        ):
            status, headers, body = answer
            return status, (*headers, (b"content-encoding", b"gzip")), compress(body)
        return answer

    def body_too_large(self) -> Answer:
        """Return the answer to a request with more of a body than is taken."""
        return refuse(f"the body is larger than [{self.max_content_length}] bytes", 413)

    def _take_content(self, request: Request, content: bytes, seen: dict[bytes, bytes]) -> Answer | None:
        """Give the request its body as JSON text; return an answer when it cannot be taken."""
        encoding = seen.get(b"content-encoding")
        if encoding is not None and encoding not in (b"identity", b""):
            if encoding not in (b"gzip", b"x-gzip", b"deflate"):
                name = encoding.decode("latin-1")
                return _finish_plain(plain_error(f"Content-Encoding header [{name}] is not supported", 415))
            try:
                content = decompress(content, encoding.decode(), self._bodies.max_size)
            except BodyTooLargeError:
                return self.body_too_large()
            if not content:
                return None
        header = seen.get(b"content-type", b"").decode("latin-1")
        kind = content_format(header) if header else None
        if kind is None or kind in BINARY:
            return _finish_plain(plain_error(f"Content-Type header [{header}] is not supported", 406))
        request.content = content
        request.content_type = header
        if kind is not Format.JSON:
            request.normalize(kind)
        return None

    def _unrouted(self, method: str, path: str, query: str, content_type: bytes | None) -> Answer:
        """Answer what no handler takes."""
        if _BAD_ESCAPE.search(path):
            return _finish_plain(Response({"error": "invalid uri has been requested"}, 400))
        uri = f"{path}?{query}" if query else path
        allowed = self.router.methods(path)
        headers = (("Allow", ",".join(allowed)),) if allowed else ()
        if method == "OPTIONS":
            return _finish_plain(Response("", 200, headers))
        if allowed:
            text = f"Incorrect HTTP method for uri [{uri}] and method [{method}]"
            text += f", allowed: [{', '.join(allowed)}]"
            return _finish_plain(plain_error(text, 405, headers=headers))
        return _finish_plain(
            Response({"error": f"no handler found for uri [{uri}] and method [{method}]"}, 400)
        )


def _tell(told: "asyncio.Future[Answer]", answer: Answer) -> None:
    if not told.cancelled():
        told.set_result(answer)


def note_header(seen: Seen, name: bytes, value: bytes) -> None:
    """Keep a header of a request, whose name is in lower case, if it is looked at."""
    if name in SEEN:
        if name == b"x-opaque-id" and name in seen:
            seen[REPEATED] = name
        else:
            seen[name] = value


def has_body(seen: Seen) -> bool:
    """Return whether the headers announce a body."""
    return seen.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in seen


def create_app(node: "Node", **options: Any) -> Application:
    """Return the application that serves a node."""
    return Application(node, **options)


def perform(request: Request) -> Answer:
    """Run the handler and render what it returns, or what it raises."""
    try:
        return render(request, request.route.handler(request))
    except Exception as fault:  # every fault becomes an answer
        return _failed(fault, request)


def render(request: Request, result: Any) -> Answer:
    """Return a handler's result as status, headers and bytes."""
    if (
        not request.query
        and request.accept is None
        and (request.content_type is None or content_format(request.content_type) is Format.JSON)
    ):
        if result.__class__ is dict:
            return 200, JSON_HEADERS, encode(result)
        if result.__class__ is Response and result.body.__class__ is dict and not result.pretty:
            return _answer(result, encode(result.body), JSON)
    return _render_fully(request, result if isinstance(result, Response) else Response(result))


def _render_fully(request: Request, response: Response, *, whole: bool = False) -> Answer:
    """Return a response as status, headers and bytes. whole: as errors are, which no filter cuts."""
    body = response.body
    if isinstance(body, str):
        return _answer(response, body.encode(), response.content_type or TEXT)
    params = request.params
    pretty = params.boolean("pretty", response.pretty) if "pretty" in params or response.pretty else False
    filters = None if whole else params.get("filter_path")
    kind = request.format()
    if isinstance(body, bytes):
        if not (pretty or filters or kind is Format.YAML):
            return _answer(response, body, response.content_type or JSON)
        body = msgspec.Raw(body)
    if (
        request.route.human
        and "human" in params
        and params.boolean("human")
        and not isinstance(body, msgspec.Raw)
    ):
        body = with_texts(body)
    if filters:
        body = apply_filters(body, filters)
    if kind is Format.YAML:
        return _answer(response, encode_yaml(body), YAML)
    if kind in BINARY:
        return _finish_plain(plain_error(f"the answer cannot be written as [{kind.value}]", 406))
    return _answer(response, encode_pretty(body) if pretty else encode(body), JSON)


def _answer(response: Response, body: bytes, content_type: str) -> Answer:
    if content_type is JSON and not response.headers:
        return response.status, JSON_HEADERS, body
    headers = [(name.encode(), value.encode("latin-1", "replace")) for name, value in response.headers]
    headers += JSON_HEADERS if content_type is JSON else ((b"content-type", content_type.encode()),)
    return response.status, tuple(headers), body


def _finish_plain(response: Response) -> Answer:
    """Render an answer that no parameter of the request changes."""
    if isinstance(response.body, str):
        return _answer(response, response.body.encode(), TEXT)
    return _answer(response, encode(response.body), JSON)


def refuse(text: str, status: int) -> Answer:
    """Return the answer to a request that ends its connection."""
    return _finish_plain(plain_error(text, status, headers=(("connection", "close"),)))


def body_too_late() -> Answer:
    """Return the answer to a request whose body does not come, or comes too slowly."""
    return refuse("the body did not arrive in time", 408)


def line_too_long(limit: int) -> Answer:
    """Return the answer to a request line beyond the limit."""
    return malformed(TooLongLine(f"An HTTP line is larger than {limit} bytes."))


def malformed(fault: LannerError) -> Answer:
    """Return the answer to what is no request; it ends the connection."""
    status, headers, body = _failed(fault)
    return status, (*headers, CLOSE), body


def _failed(fault: BaseException, request: Request | None = None) -> Answer:
    """Render a fault in the format that the request asked for."""
    if request is None:
        return _finish_plain(error_response(fault))
    params = request.params
    if request.decoded is not None and isinstance(fault, LannerError):
        locate_all(fault, request.decoded, request.content)
    response = error_response(fault, trace=params.get("error_trace") in ("", "true"))
    for name in ("pretty", "human", "error_trace"):
        if params.get(name, "true") not in ("", "true", "false"):  # the fault may be this very switch
            return _finish_plain(response)
    try:
        return _render_fully(request, response, whole=True)
    except (LannerError, JsonFault):
        return _finish_plain(response)


def _check_params(request: Request) -> None:
    """Refuse unknown parameters and bad values of the common ones."""
    params = request.params
    route = request.route
    accepted = route.params | _SOURCE if route.source else route.params
    if route.with_q and "q" not in params:
        accepted = accepted - route.with_q
    if names := request.names:
        accepted = accepted | names.keys()
    for name in ("pretty", "human", "error_trace"):
        if name in params:
            params.boolean(name)
    check_names(request.path, params, accepted)


async def _lifespan(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer the lifespan protocol; whoever started the node ends it."""
    if scope["type"] != "lifespan":
        raise RuntimeError(f"protocol [{scope['type']}] is not served")
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await send({"type": "lifespan.shutdown.complete"})
            return
