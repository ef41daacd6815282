"""Replays recorded exchanges of the reference on a node of ours, without sockets.

The recordings lie beside the source tree; where they are absent nothing is replayed. The file passing.txt
holds the ids of the exchanges that must be answered as recorded. Where an index was made with field types
that are not built, it is made here without them, so that what follows finds an index; the exchange itself
counts as failed.
"""

import os
import sys
import tempfile
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.conftest import SETTINGS, Client

SHARED = Path(os.environ.get("LANNER_SHARED") or Path(__file__).parents[3] / "shared")
ORACLE = SHARED / "oracle"
PASSING = Path(__file__).with_name("passing.txt")
AREAS = tuple(sorted(path.stem for path in (ORACLE / "answers").glob("*.ndjson")))
EXTRA = {"action.destructive_requires_name": "false"}


def without_unbuilt(mapping: dict[str, Any]) -> dict[str, Any]:
    """A mapping whose fields of unknown types are kept, but not indexed."""
    from lanner.engine.mapping.types import FIELD_TYPES

    properties = {}
    for name, given in mapping.get("properties", {}).items():
        if given.get("type", "object") not in {"object", "nested", *FIELD_TYPES}:
            properties[name] = {"type": "object", "enabled": False}
        else:
            properties[name] = without_unbuilt(given)
    changed = {**mapping, "properties": properties} if properties else dict(mapping)
    if "fields" in mapping:
        fields = {name: field for name, field in mapping["fields"].items() if field["type"] in FIELD_TYPES}
        changed["fields"] = fields
    return changed


def available() -> bool:
    return (ORACLE / "exchanges.py").is_file()


def load() -> tuple[Any, Any]:
    """The two modules that come with the recordings."""
    if str(ORACLE) not in sys.path:
        sys.path.insert(0, str(ORACLE))
    import compare  # type: ignore[import-not-found]
    import exchanges  # type: ignore[import-not-found]

    return exchanges, compare


def passing() -> set[str]:
    return {line for line in PASSING.read_text().split() if line}


def replay(area: str, folder: str, *, patient: Container[str] | None = ()) -> Iterator[tuple[str, list[Any]]]:
    """Run an area's exchanges on an empty node; yield each id with what differs.

    patient: the exchanges that are repeated as long as the recording asks for, until the answer is there;
    None for all of them.
    """
    from lanner.engine.node import Node, NodeSettings
    from lanner.server.app import create_app
    from lanner.server.config import DEFAULTS

    exchanges, compare = load()
    node = Node(NodeSettings.parse({**DEFAULTS, **SETTINGS, **EXTRA, "path.data": folder}))
    node.start()
    client = Client(create_app(node))

    class Local(exchanges.Server):  # type: ignore[misc, name-defined]
        """Sends to the client instead of a socket."""

        def raw(
            self, method: str, path: str, body: bytes | None, headers: dict[str, str]
        ) -> tuple[int, dict[str, Any], bytes]:
            given = dict(headers)
            if body is not None:
                given.setdefault("content-length", str(len(body)))
            answer = client.request_raw(
                method, quote(path, safe="/?&=%:+,;~*'()!@$[]|<>{}\"^`\\"), body, given
            )
            kept = {name: value for name in exchanges.KEPT_HEADERS if (value := answer.headers.get(name))}
            return answer.status, {**kept, "content-type": answer.headers.get("content-type")}, answer.body

    try:
        server = Local("http://127.0.0.1:9200")
        server.begin()
        for exchange in exchanges.read(ORACLE / "answers" / f"{area}.ndjson"):
            asked = exchange
            if patient is not None and exchange["id"] not in patient:
                asked = {key: value for key, value in exchange.items() if key != "wait"}
            try:
                answer = server.ask(asked)
            except Exception as fault:
                answer = {"status": 0, "content_type": None, "body": f"no answer: {fault!r}"}
            wrong, _, _ = compare.judge(exchange, answer)
            body = exchange["request"].get("body")
            if wrong and exchange.get("setup") and isinstance(body, dict) and "mappings" in body:
                smaller = {**body, "mappings": without_unbuilt(body["mappings"])}
                server.ask({**asked, "request": {**exchange["request"], "body": smaller}})
            yield exchange["id"], wrong
    finally:
        client.close()
        node.close()


def replay_all(
    areas: tuple[str, ...] = AREAS, *, patient: Container[str] | None = ()
) -> Iterator[tuple[str, str, list[Any]]]:
    """Every exchange of some areas: area, id, differences. patient: as for replay."""
    for area in areas:
        with tempfile.TemporaryDirectory() as folder:
            for name, wrong in replay(area, folder, patient=patient):
                yield area, name, wrong
