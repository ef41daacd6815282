"""What a handler answers."""

from typing import Any

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
