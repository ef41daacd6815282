"""Hits of another cluster, page by page: a scroll over HTTP, for copies from there."""

import http.client
import logging
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import msgspec

from lanner.engine.common.errors import (
    ConnectError,
    IllegalArgument,
    IOFailure,
    ResponseError,
    SocketTimeout,
    SSLError,
    StatusError,
    UnknownHost,
)
from lanner.engine.common.units import whole_time

if TYPE_CHECKING:
    from lanner.engine.document.by_query import Progress

MOST_BYTES = 100 << 20  # of one answer
_TOO_MANY_REQUESTS = 429
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteCluster:
    """Where another cluster is, and what is to be copied from it. Time-outs in seconds.

    prefix: in front of every path. query, source_filter: JSON. sort: fields with their direction.
    retries, backoff: how often, and after how many seconds, what was refused for load is sent again.
    """

    scheme: str
    host: str
    port: int
    index: str
    prefix: str = ""
    username: str | None = None
    password: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    socket_timeout: float = 30.0
    connect_timeout: float = 30.0
    query: bytes
    source_filter: bytes | None = None
    sort: str = "_doc:asc"
    with_versions: bool = False
    retries: int = 15
    backoff: float = 0.5

    @property
    def place(self) -> str:
        """Return host and port."""
        return f"{self.host}:{self.port}"

    def describe(self, shown_query: str) -> str:
        """Return the text by which tasks show it. shown_query: the query as it is shown."""
        parts = [] if self.scheme == "http" else [f"scheme={self.scheme}"]
        parts += [f"host={self.host}", f"port={self.port}"]
        if self.prefix:
            parts.append(f"pathPrefix={self.prefix}")
        parts.append(f"query={shown_query}")
        if self.username is not None:
            parts.append(f"username={self.username}")
        if self.password is not None:
            parts.append("password=<<>>")
        return f"[{' '.join(parts)}][{self.index}]"


class _Hit(msgspec.Struct, gc=False):
    _index: str
    _id: str
    _source: msgspec.Raw = msgspec.Raw()
    _routing: str | None = None
    _version: int | None = None


class _Hits(msgspec.Struct):
    total: Any
    hits: list[_Hit]


class _Page(msgspec.Struct):
    hits: _Hits
    _scroll_id: str


_decode_page = msgspec.json.Decoder(_Page).decode


class RemotePages:
    """Pages of another cluster. size: hits of a page. keep_alive: milliseconds. wait: lets seconds pass."""

    def __init__(
        self, cluster: RemoteCluster, size: int, keep_alive: float, wait: Callable[[float], object]
    ) -> None:
        self._cluster = cluster
        self._size = size
        self._keep = whole_time(int(keep_alive))
        self._wait = wait
        self._headers = {"Content-Type": "application/json", **cluster.headers}
        if cluster.username is not None:
            pair = f"{cluster.username}:{cluster.password or ''}".encode()
            self._headers["Authorization"] = f"Basic {b64encode(pair).decode()}"

    def start(self, part: "Progress", most: int | None) -> dict[str, Any] | None:
        """See by_query.Pages."""
        cluster = self._cluster
        parameters = {
            "scroll": self._keep,
            "sort": cluster.sort,
            "size": self._size if most is None else max(1, min(self._size, most)),
            "allow_partial_search_results": "false",
            "version": "true" if cluster.with_versions else "false",
        }
        names = ",".join(quote(name, safe="*") for name in cluster.index.split(","))
        body = b'{"query":' + cluster.query
        if cluster.source_filter is not None:
            body += b',"_source":' + cluster.source_filter
        path = f"/{names}/_search?{urlencode(parameters)}"
        return self._page(self._ask("POST", path, body + b"}", part))

    def next(self, part: "Progress", key: str) -> dict[str, Any]:
        """See by_query.Pages."""
        body = msgspec.json.encode({"scroll_id": key})
        return self._page(self._ask("POST", f"/_search/scroll?scroll={self._keep}", body, part))

    def extend(self, key: str) -> None:
        """Do nothing: a page was asked for with the time that it is to be kept."""

    def close(self, key: str) -> None:
        """See by_query.Pages; where that fails, the other cluster will forget it by itself."""
        try:
            self._ask("DELETE", "/_search/scroll", msgspec.json.encode({"scroll_id": [key]}), None)
        except (ConnectError, IOFailure, SocketTimeout, SSLError, StatusError) as error:
            _log.warning("the scroll of [%s] could not be closed: %s", self._cluster.place, error.reason)

    def _page(self, answer: bytes) -> dict[str, Any]:
        try:
            page = _decode_page(answer)
        except (msgspec.DecodeError, UnicodeError) as fault:
            raise IOFailure(
                f"Error parsing the response, remote is likely not an OpenSearch instance: {fault}"
            ) from None
        total = page.hits.total
        hits = []
        for one in page.hits.hits:
            hit: dict[str, Any] = {"_index": one._index, "_id": one._id, "_version": one._version}
            if one._routing is not None:
                hit["_routing"] = one._routing
            if bytes(one._source):
                hit["_source"] = one._source
            hits.append(hit)
        value = total.get("value", 0) if isinstance(total, dict) else total
        return {"_scroll_id": page._scroll_id, "hits": {"total": {"value": int(value)}, "hits": hits}}

    def _ask(self, method: str, path: str, body: bytes, part: "Progress | None") -> bytes:
        """Return the answer of one request. part: where it is counted that it was sent again."""
        tries = 0
        while True:
            status, reason, answer = self._exchange(method, self._cluster.prefix + path, body)
            if status < 300:
                return answer
            if status != _TOO_MANY_REQUESTS or part is None or tries >= self._cluster.retries:
                raise self._refusal(method, path, status, reason, answer.decode("utf-8", "replace"))
            self._wait(self._cluster.backoff * 2 ** min(tries, 8))
            tries += 1
            part.retries += 1

    def _refusal(self, method: str, path: str, status: int, reason: str, answer: str) -> StatusError:
        cluster = self._cluster
        place = f"{cluster.scheme}://{cluster.place}"
        cause = ResponseError(
            f"method [{method}], host [{place}], URI [{cluster.prefix}{path}], status line "
            f"[HTTP/1.1 {status} {reason}]\n{answer}"
        )
        return StatusError(f"body={answer}" if answer else f"{status} {reason}", status, caused_by=cause)

    def _exchange(self, method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        """Send one request over a connection of its own; return status, its words and the body."""
        cluster = self._cluster
        kind = http.client.HTTPSConnection if cluster.scheme == "https" else http.client.HTTPConnection
        connection = kind(cluster.host, cluster.port, timeout=cluster.connect_timeout)
        try:
            connection.connect()
            connection.sock.settimeout(cluster.socket_timeout)
            connection.request(method, path, body, self._headers)
            response = connection.getresponse()
            answer = response.read(MOST_BYTES + 1)
        except socket.gaierror:
            raise UnknownHost(cluster.host) from None
        except TimeoutError:
            raise SocketTimeout(f"{cluster.place}: no answer in time") from None
        except ssl.SSLError as error:
            raise SSLError(error.reason or str(error)) from None
        except ConnectionRefusedError:
            raise ConnectError("Connection refused") from None
        except (OSError, http.client.HTTPException) as error:
            raise IOFailure(f"{cluster.place}: {error}") from None
        finally:
            connection.close()
        if len(answer) > MOST_BYTES:
            raise IllegalArgument(
                f"Remote responded with a chunk that was too large. Use a smaller batch size. (more than "
                f"[{MOST_BYTES}] bytes)"
            )
        return response.status, response.reason, answer
