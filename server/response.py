"""What a handler answers."""

from collections.abc import Iterable
from typing import Any

from lanner.engine.common.versions import NUMBER
from lanner.server.identity import BUILD_HASH

JSON = "application/json; charset=UTF-8"
TEXT = "text/plain; charset=UTF-8"
YAML = "application/yaml"


class Response:
    """A status, a body and extra headers.

    body: rendered later; a dict or list as JSON or YAML, a str as text, bytes as JSON that is ready, unless
    content_type says otherwise. pretty: laid out for people unless told not to.
    """

    __slots__ = ("body", "content_type", "headers", "pretty", "status")

    def __init__(
        self,
        body: Any,
        status: int = 200,
        headers: tuple[tuple[str, str], ...] = (),
        content_type: str | None = None,
        *,
        pretty: bool = False,
    ) -> None:
        self.body = body
        self.status = status
        self.headers = headers
        self.content_type = content_type
        self.pretty = pretty


def warned(body: Any, warnings: Iterable[str]) -> Response:
    """Return an answer that comes with warnings, one header each."""
    return Response(body, headers=tuple(("Warning", _warning(text)) for text in warnings))


def _warning(text: str) -> str:
    """Return the value of a header; RFC 7234 wants a code, who warns, and a quoted text."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'299 OpenSearch-{NUMBER}-{BUILD_HASH} "{quoted}"'
