"""``_mget``: several documents by id."""

from typing import Any

from lanner.engine.common.body import Anchor, find
from lanner.engine.common.errors import IllegalArgument, ParseError, ParsingError
from lanner.engine.document.get import GetRequest
from lanner.engine.document.multi_get import multi_get
from lanner.server.api.document import place_read
from lanner.server.bulk_lines import number_of, text_of
from lanner.server.options import SOURCE_OPTIONS, source_filter
from lanner.server.request import Request, json_kind
from lanner.server.routing import Route

MOST_INLINE = 32  # documents, a few microseconds each
_KEYS = frozenset(
    {
        "_id",
        "_index",
        "_source",
        "_version",
        "_version_type",
        "routing",
        "stored_fields",
        "version",
        "version_type",
    }
)


def place(request: Request) -> str | None:
    """Return where documents are read: on the event loop when they are few."""
    request.plan = wanted = plan(request)
    return place_read(request) if len(wanted) <= MOST_INLINE else "get"


def run(request: Request) -> dict[str, Any]:
    """Return documents in the order asked for."""
    return multi_get(request.node, request.plan)


def plan(request: Request) -> list[GetRequest]:
    """Return the documents that a request asks for."""
    params = request.params
    wanted, includes, excludes = source_filter(params)
    defaults: dict[str, Any] = {
        "index": request.names.get("index") or "",
        "routing": params.get("routing"),
        "preference": params.get("preference"),
        "realtime": params.boolean("realtime", True),
        "refresh": params.boolean("refresh"),
        "source": wanted,
        "source_includes": includes,
        "source_excludes": excludes,
        "stored_fields": params.names("stored_fields"),
    }
    return parse_documents(request, defaults)


def parse_documents(request: Request, defaults: dict[str, Any]) -> list[GetRequest]:
    """Return the documents that a body names."""
    if not request.content:
        raise ParseError("request body or source parameter is required")
    if request.content.lstrip()[:1] == b"[":
        raise ParsingError("unexpected token [START_ARRAY], expected [START_OBJECT]", line=1, col=1)
    body = request.json_map()
    requests: list[GetRequest] = []
    for key, elements in body.items():
        if not isinstance(elements, list):
            line, column = find(Anchor(body, key), body, request.content) or (1, 1)
            raise ParsingError(
                f"unexpected token [{json_kind(elements)}], expected [FIELD_NAME] or [START_ARRAY]",
                line=line,
                col=column,
            )
        if key == "docs":
            requests += [parse_document(element, defaults) for element in elements]
        elif key == "ids":
            for element in elements:
                if element is None or isinstance(element, (list, dict)):
                    raise IllegalArgument("ids array element should only contain ids")
                requests.append(GetRequest(**defaults, id=text_of(element) or ""))
        else:
            line, column = find(Anchor(body, key), body, request.content) or (1, 1)
            raise ParsingError(
                f"unknown key [{key}] for a START_ARRAY, expected [docs] or [ids]", line=line, col=column
            )
    return requests


def parse_document(element: Any, defaults: dict[str, Any]) -> GetRequest:
    """Return one element of ``docs``."""
    if not isinstance(element, dict):
        raise IllegalArgument("docs array element should include an object")
    for key in element:
        if key not in _KEYS:
            raise ParseError(f"failed to parse multi get request. unknown field [{key}]")
    options = dict(defaults)
    if "_index" in element:
        options["index"] = text_of(element["_index"]) or ""
    if "routing" in element:
        options["routing"] = text_of(element["routing"])
    if "_source" in element:
        options |= source_of(element["_source"])
    if "stored_fields" in element:
        names = element["stored_fields"]
        options["stored_fields"] = names if isinstance(names, list) else [str(names)]
    id_: Any = element.get("_id")
    if isinstance(id_, list):
        id_ = id_[-1] if id_ else None
    kind = element.get("version_type") or element.get("_version_type") or "internal"
    return GetRequest(
        **options,
        id=text_of(id_) or "",
        version=number_of(element.get("version", element.get("_version"))),
        version_type=str(kind),
    )


def source_of(value: Any) -> dict[str, Any]:
    """Return what ``_source`` of one document asks for."""
    if isinstance(value, bool):
        return {"source": value, "source_includes": None, "source_excludes": None}
    if isinstance(value, str):
        return {"source": [value], "source_includes": None, "source_excludes": None}
    if isinstance(value, list):
        return {"source": [str(name) for name in value], "source_includes": None, "source_excludes": None}
    if isinstance(value, dict):
        found: dict[str, Any] = {"source": None, "source_includes": None, "source_excludes": None}
        for key, names in value.items():
            listed = names if isinstance(names, list) else [names]
            if key in ("includes", "include"):
                found["source_includes"] = [str(name) for name in listed]
            elif key in ("excludes", "exclude"):
                found["source_excludes"] = [str(name) for name in listed]
            else:
                raise ParseError(f"source definition may not contain [{key}]")
        return found
    raise ParseError(f"illegal type for _source: [{json_kind(value)}]")


_PARAMS = SOURCE_OPTIONS | {"preference", "realtime", "refresh", "routing", "stored_fields"}
ROUTES = tuple(
    Route(method, path, run, place, params=_PARAMS, source=True, body=True)
    for path in ("/_mget", "/{index}/_mget")
    for method in ("GET", "POST")
)
