"""One request, read lazily: what a handler does not ask for is never parsed."""

from asyncio import AbstractEventLoop
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from lanner.engine.common.errors import ParseError, from_json_fault
from lanner.ext.json.scan import JsonFault, check_json
from lanner.server.errors import SourceParameterError
from lanner.server.media_types import Format, accepted_format, content_format, read_yaml
from lanner.server.params import EMPTY, Params, parse_query_string, split_names

if TYPE_CHECKING:
    from lanner.engine.node import Node
    from lanner.server.app import Application
    from lanner.server.routing import Route

MAX_DEPTH = 500  # of bodies that become Python objects; the decoder is recursive
_decode = msgspec.json.Decoder().decode


class Request:
    """What came in, and where it is going.

    path: as it was sent. names: the values of the path's names. params: those of the query string. content:
    the body as JSON text (or lines of it), empty when there is none. decoded: the body, once something has
    read it. plan: what the function that chose the pool left for the handler. awaits: calls a
    function on the given event loop, in a later turn, when the handler may run; None: it may at once.
    opaque: what the caller calls the request.
    """

    __slots__ = (
        "accept",
        "application",
        "awaits",
        "content",
        "content_type",
        "decoded",
        "method",
        "names",
        "node",
        "opaque",
        "params",
        "path",
        "plan",
        "query",
        "route",
        "unmarked",
    )

    def __init__(
        self,
        application: "Application",
        method: str,
        path: str,
        query: str,
        route: "Route",
        names: dict[str, str],
    ) -> None:
        self.application = application
        self.node: Node = application.node
        self.method = method
        self.path = path
        self.query = query
        self.route = route
        self.names = names
        self.params: Params = EMPTY
        self.accept: str | None = None
        self.content_type: str | None = None
        self.content: bytes = b""
        self.decoded: Any = None
        self.plan: Any = None
        self.awaits: Callable[[AbstractEventLoop, Callable[[], object]], None] | None = None
        self.opaque: bytes | None = None
        self.unmarked = False  # YAML without its first line of dashes, which documents must have

    def read_params(self) -> None:
        """Parse the query string."""
        self.params = Params(parse_query_string(self.query))

    def read_source(self) -> None:
        """Take the body from the URL when it is not where bodies are."""
        params = self.params
        if self.content or "source" not in params:
            return
        media_type = params.get("source_content_type")
        if media_type is None:
            raise SourceParameterError("source and source_content_type parameters are required")
        kind = content_format(media_type) if "/" in media_type else None
        if kind is None:
            raise SourceParameterError(f"Unknown value for source_content_type [{media_type}]")
        self.content_type = media_type
        self.content = params["source"].encode()
        self.normalize(kind)

    def normalize(self, kind: Format) -> None:
        """Turn a body of another format into JSON text."""
        if kind is Format.YAML:
            self.unmarked = not self.content.startswith(b"---")
            self.content = msgspec.json.encode(read_yaml(self.content), enc_hook=str)

    def describe(self) -> str:
        """Return what the task of a request is about."""
        indices = ", ".join(split_names(self.names.get("index", "")))
        return f"indices[{indices}], source[{self.content.decode('utf-8', 'replace')}]"

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that go with the task of a request."""
        return {} if self.opaque is None else {"X-Opaque-Id": self.opaque.decode("latin-1")}

    def format(self) -> Format | None:
        """Return the format that the answer was asked for in, None when nothing was said."""
        name = self.params.get("format") or self.accept
        kind = accepted_format(name) if name else None
        if kind is None and self.content_type is not None:
            kind = content_format(self.content_type)
        return kind

    def json(self) -> Any:
        """Return the body as Python objects; an empty body is a fault."""
        if not self.content:
            raise ParseError("request body is required")
        if self.decoded is None:
            self.decoded = decode_json(self.content)
        return self.decoded

    def json_map(self) -> dict[str, Any]:
        """Return the body, which must be an object, as a dict; an empty body is a fault."""
        value = self.json()
        if not isinstance(value, dict):
            raise ParseError(
                f"Failed to parse content to map: expected an object but found {json_kind(value)}"
            )
        return value

    def converted_map(self) -> dict[str, Any]:
        """Return the body as a dict, as the endpoints do that wrap what is wrong with it."""
        try:
            return self.json_map()
        except JsonFault as fault:
            raise ParseError("Failed to parse content to map", caused_by=from_json_fault(fault)) from None

    def optional_map(self) -> dict[str, Any] | None:
        """Return the body as a dict, or None when there is none."""
        return self.converted_map() if self.content else None


def decode_json(content: bytes) -> Any:
    """Return JSON text as Python objects; raises JsonFault."""
    check_json(content, max_depth=MAX_DEPTH)
    try:
        return _decode(content)
    except msgspec.DecodeError:
        from lanner.engine.mapping.document_faults import decode  # half a surrogate pair, a huge number: rare

        return decode(content)


def json_kind(value: Any) -> str:
    """Return the name of a JSON token, as messages give it."""
    if isinstance(value, bool):
        return "VALUE_BOOLEAN"
    if value is None:
        return "VALUE_NULL"
    kinds = {
        dict: "START_OBJECT",
        list: "START_ARRAY",
        str: "VALUE_STRING",
        int: "VALUE_NUMBER",
        float: "VALUE_NUMBER",
    }
    return kinds.get(type(value), "VALUE_EMBEDDED_OBJECT")
