"""The ``remote`` of a reindex request: read and checked. Copying from other clusters is not built."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, NullPointer, URISyntaxError
from lanner.engine.common.units import parse_time
from lanner.engine.common.wildcards import matches_any
from lanner.server.params import split_names

ALLOWLIST = "reindex.remote.allowlist"
_NOT_IN_URLS = re.compile(r'[\s"<>\\^`{|}]')


def parse_remote(given: Any) -> str:
    """Return host and port of another cluster, ``host:port``; raises what the API answers."""
    if not isinstance(given, dict):
        raise IllegalArgument(f"Expected [remote] to be an object but was [{java_text(given)}]")
    remote = dict(given)
    for name in ("username", "password"):
        _text(remote, name)
    host = _text(remote, "host")
    if host is None:
        raise NullPointer("[host] must be specified to reindex from a remote cluster")
    place = _place(host)
    _check_headers(remote.pop("headers", {}))
    for name in ("socket_timeout", "connect_timeout"):
        text = _text(remote, name)
        if text is not None:
            parse_time(text, name)
    if remote:
        raise IllegalArgument(f"Unsupported fields in [remote]: [{','.join(remote)}]")
    return place


def refuse_remote(place: str, settings: Mapping[str, str]) -> None:
    """Refuse a cluster that the node may not copy from, and then all others."""
    if not matches_any(split_names(settings.get(ALLOWLIST, "")), place):
        raise IllegalArgument(f"[{place}] not allowlisted in {ALLOWLIST}")
    raise IllegalArgument("[remote] is not supported by this version")


def _text(remote: dict[str, Any], name: str) -> str | None:
    value = remote.pop(name, None)
    if value is None or isinstance(value, str):
        return value
    raise IllegalArgument(f"Expected [{name}] to be a string but was [{java_text(value)}]")


def _check_headers(headers: Any) -> None:
    if not isinstance(headers, dict):
        raise IllegalArgument(
            f"Expected [headers] to be an object containing strings but was [{java_text(headers)}]"
        )
    for name, value in headers.items():
        if not isinstance(value, str):
            raise IllegalArgument(
                f"Expected [headers] to be an object containing strings but has [{name}={java_text(value)}]"
            )


def _place(host: str) -> str:
    fault = f"The port was not defined in the [host]: {host}"
    if _NOT_IN_URLS.search(host):
        fault = f"Illegal character in authority at index {host.find('//') + 2}: {host}"
    else:
        with suppress(ValueError):
            parts = urlsplit(host)
            if parts.port is not None and parts.hostname:
                return f"{parts.hostname}:{parts.port}"
    raise IllegalArgument(
        f"[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [{host}]",
        caused_by=URISyntaxError(fault),
    )
