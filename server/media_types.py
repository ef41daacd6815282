"""Which formats a request is written in and which one its answer should have."""

import re
from enum import Enum
from functools import lru_cache
from typing import Any

from lanner.engine.common.errors import ContentTypeHeaderError, IllegalArgument


class Format(Enum):
    """A way to write bodies down."""

    JSON = "json"
    YAML = "yaml"
    CBOR = "cbor"
    SMILE = "smile"
    TEXT = "text"


_TYPES = {
    "application/json": Format.JSON,
    "application/x-ndjson": Format.JSON,
    "application/vnd.opensearch+json": Format.JSON,
    "application/*": Format.JSON,
    "application/yaml": Format.YAML,
    "text/yaml": Format.YAML,
    "application/cbor": Format.CBOR,
    "application/smile": Format.SMILE,
}
_NAMES = {"json": Format.JSON, "yaml": Format.YAML, "cbor": Format.CBOR, "smile": Format.SMILE}
BINARY = (Format.CBOR, Format.SMILE)
_MEDIA_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*(;.*)?\Z", re.DOTALL)


@lru_cache(maxsize=256)
def content_format(header: str) -> Format | None:
    """Return the format of a Content-Type header, None for a type that is not known.

    Raises ContentTypeHeaderError for a text that is no media type at all.
    """
    if not _MEDIA_TYPE.match(header.strip()):
        reason = f"invalid Content-Type header [{header}]"
        raise ContentTypeHeaderError(
            f"java.lang.IllegalArgumentException: {reason}", caused_by=IllegalArgument(reason)
        )
    return _TYPES.get(header.split(";", 1)[0].strip().lower())


@lru_cache(maxsize=256)
def accepted_format(header: str) -> Format | None:
    """Return the format that an Accept header or ``format`` names, None to leave it to the request."""
    text = header.split(";", 1)[0].split(",", 1)[0].strip().lower()
    if text == "text/plain":
        return Format.TEXT
    if text == "application/*":
        return None
    return _NAMES.get(text) or _TYPES.get(text)


def read_yaml(data: bytes) -> Any:
    """Return what a YAML body holds."""
    import yaml

    try:
        return yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError) as fault:
        raise IllegalArgument(f"Failed to parse YAML: {fault}") from None
