"""The ``remote`` of a reindex request: read and checked."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from lanner.engine.common.body import java_text
from lanner.engine.common.errors import IllegalArgument, NullPointer, URISyntaxError
from lanner.engine.common.units import parse_time
from lanner.engine.common.wildcards import matches_any
from lanner.engine.document.remote_pages import RemoteCluster
from lanner.engine.search.request import SearchRequest
from lanner.ext.json.indent import indent
from lanner.server.json_writer import encode
from lanner.server.params import split_names

ALLOWLIST = "reindex.remote.allowlist"
_NOT_IN_URLS = re.compile(r'[\s"<>\\^`{|}]')


def parse_remote(given: Any, index: str, query: Any) -> RemoteCluster:
    """Return the cluster that is to be copied from; raises what the API answers. query: as it came."""
    if not isinstance(given, dict):
        raise IllegalArgument(f"Expected [remote] to be an object but was [{java_text(given)}]")
    remote = dict(given)
    values: dict[str, Any] = {name: _text(remote, name) for name in ("username", "password")}
    host = _text(remote, "host")
    if host is None:
        raise NullPointer("[host] must be specified to reindex from a remote cluster")
    values |= _place(host)
    values["headers"] = _headers(remote.pop("headers", {}))
    for name in ("socket_timeout", "connect_timeout"):
        text = _text(remote, name)
        if text is not None:
            values[name] = parse_time(text, name) / 1000
    if remote:
        raise IllegalArgument(f"Unsupported fields in [remote]: [{','.join(remote)}]")
    return RemoteCluster(index=index, query=encode({"match_all": {}} if query is None else query), **values)


def allowed_remote(
    cluster: RemoteCluster, wanted: SearchRequest, settings: Mapping[str, str], *, with_versions: bool
) -> RemoteCluster:
    """Return the cluster with what is wanted of it; refuse one that the node may not copy from."""
    if not matches_any(split_names(settings.get(ALLOWLIST, "")), cluster.place):
        raise IllegalArgument(f"[{cluster.place}] not allowlisted in {ALLOWLIST}")
    kept = wanted.source
    return replace(
        cluster,
        source_filter=None
        if kept is None or kept.whole
        else encode({"includes": kept.includes, "excludes": kept.excludes}),
        sort=",".join(f"{one.field}:{'desc' if one.reverse else 'asc'}" for one in wanted.sort) or "_doc:asc",
        with_versions=with_versions,
        retries=int(settings.get("reindex.remote.retry.max_count", "15")),
        backoff=parse_time(settings.get("reindex.remote.retry.initial_backoff", "500ms"), "backoff") / 1000,
    )


def shown_query(cluster: RemoteCluster, *, given: bool) -> str:
    """Return the query as the description of a task shows it."""
    query = cluster.query if given else encode({"match_all": {"boost": 1.0}})
    return indent(query).decode().rstrip()


def _text(remote: dict[str, Any], name: str) -> str | None:
    value = remote.pop(name, None)
    if value is None or isinstance(value, str):
        return value
    raise IllegalArgument(f"Expected [{name}] to be a string but was [{java_text(value)}]")


def _headers(headers: Any) -> dict[str, str]:
    if not isinstance(headers, dict):
        raise IllegalArgument(
            f"Expected [headers] to be an object containing strings but was [{java_text(headers)}]"
        )
    for name, value in headers.items():
        if not isinstance(value, str):
            raise IllegalArgument(
                f"Expected [headers] to be an object containing strings but has [{name}={java_text(value)}]"
            )
    return headers


def _place(host: str) -> dict[str, Any]:
    fault = f"The port was not defined in the [host]: {host}"
    if _NOT_IN_URLS.search(host):
        fault = f"Illegal character in authority at index {host.find('//') + 2}: {host}"
    else:
        with suppress(ValueError):
            parts = urlsplit(host)
            if parts.port is not None and parts.hostname and parts.scheme in ("http", "https"):
                return {
                    "scheme": parts.scheme,
                    "host": parts.hostname,
                    "port": parts.port,
                    "prefix": parts.path.rstrip("/"),
                }
    raise IllegalArgument(
        f"[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [{host}]",
        caused_by=URISyntaxError(fault),
    )
