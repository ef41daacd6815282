"""``_delete_by_query``, ``_update_by_query`` and ``_reindex``."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from lanner.engine.common.body import Anchor, LocatedXContentError, java_text, locate
from lanner.engine.common.errors import (
    ActionRequestValidation,
    IllegalArgument,
    LannerError,
    NumberFormatError,
    ParseError,
)
from lanner.engine.common.object_parser import NAMES, OBJECT, TEXT, WHOLE, Field, parse_object, short
from lanner.server.api.search import SEARCH_PARAMS, URI_QUERY, search_parameters, targets_for
from lanner.server.api.tasks import failed_node, grouped, no_such_node, parse_id, render_task
from lanner.server.detached import detach
from lanner.server.errors import status_of
from lanner.server.json_writer import encode
from lanner.server.options import active_shards, refresh_policy
from lanner.server.params import Params
from lanner.server.request import Request
from lanner.server.response import Response
from lanner.server.routing import Route
from lanner.server.targets import targets_of

if TYPE_CHECKING:
    from lanner.engine.document.by_query import ByQuery
    from lanner.engine.search.query_phase import ShardTarget

DEFAULT_SIZE = 1000  # of a page
MOST_AUTOMATIC = 20  # slices
_NOT_HERE = ("stored_fields", "docvalue_fields", "from", "fields", "aggs", "aggregations", "highlight")
#: what every search for documents to change asks for: their places in history, and no shard left out
_ALL_OF_IT: dict[str, Any] = {
    "version": True,
    "seq_no_primary_term": True,
    "allow_partial_search_results": False,
}
_OP_TYPES = ("index", "create")
_TOO_FEW = "[max_docs] should be >= [slices]"
_VERSION_TYPES = ("internal", "external", "external_gte")


def conflicts_proceed(value: Any) -> bool:
    """Return whether conflicts are only counted."""
    if value not in ("proceed", "abort"):
        raise IllegalArgument(f'conflicts may only be "proceed" or "abort" but was [{java_text(value)}]')
    return bool(value == "proceed")


def per_second(params: Params) -> float | None:
    """Return the limit of documents a second, None for none."""
    text = params.get("requests_per_second")
    if text is None:
        return None
    reason = "[requests_per_second] must be a float greater than 0. Use -1 to disable throttling."
    try:
        value = float(text)
    except ValueError:
        raise IllegalArgument(reason, caused_by=NumberFormatError(f'For input string: "{text}"')) from None
    if value == -1:
        return None
    if not value > 0:
        raise IllegalArgument(reason)
    return value


def slice_count(params: Params, targets: "list[ShardTarget]") -> int:
    """Return the number of slices; by default one, ``auto``: one per shard."""
    text = params.get("slices", "1")
    if text == "auto":
        shards: dict[str, int] = {}
        for target in targets:
            shards[target.index_uuid] = shards.get(target.index_uuid, 0) + 1
        return max(1, min([*shards.values(), MOST_AUTOMATIC]))
    cause = None
    try:
        value = int(text)
    except ValueError:
        value = 0
        cause = NumberFormatError(f'For input string: "{text}"')
    if value < 1:
        raise IllegalArgument(
            f'[slices] must be a positive integer or the string "auto", but was [{text}]', caused_by=cause
        )
    return value


def check_speed(params: Params) -> None:
    """Refuse bad limits before names are looked at."""
    per_second(params)
    slice_count(params, [])


def most_documents(params: Params, body: dict[str, Any]) -> int | None:
    """Return how many documents at most, taking ``max_docs`` and ``size`` out of the body."""
    found: int | None = None
    given = [body.pop("size", None), body.pop("max_docs", None)]
    given += [value for name in ("size", "max_docs") if (value := params.integer(name)) != -1]
    for value in given:
        if value is None:
            continue
        number = limit(value, "max_docs")
        if found is not None and found != number:
            raise IllegalArgument(f"[max_docs] set to two different values [{found}] and [{number}]")
        found = number
    return found


def limit(value: Any, key: str) -> int:
    """Return a number of documents at most."""
    number = int(WHOLE.read(value, key))  # type: ignore[misc]
    if number < 0:
        raise IllegalArgument(f"[max_docs] parameter cannot be negative, found [{number}]")
    if number == 0:
        raise IllegalArgument(_TOO_FEW)
    return number


def _common(
    request: Request, kind: str, targets: "list[ShardTarget]", most: int | None, proceed: bool
) -> dict[str, Any]:
    params = request.params
    slices = slice_count(params, targets)
    if most is not None and most < slices:
        if "slices" in params and params["slices"] != "auto":
            raise IllegalArgument(_TOO_FEW)
        slices = max(most, 1)
    return {
        "kind": kind,
        "targets": targets,
        "most": most,
        "proceed": proceed,
        "per_second": per_second(params),
        "slices": slices,
        "keep_alive": params.millis("scroll", 300_000.0),
        "timeout": params.millis("timeout"),
        "wait_for_active_shards": active_shards(params),
    }


def by_query(request: Request, kind: str) -> Any:
    """Delete or update what a query finds."""
    from lanner.engine.document.by_query import ByQuery

    params = request.params
    body = dict(request.json_map()) if request.content else {}
    proceed = conflicts_proceed(params["conflicts"]) if "conflicts" in params else False
    if "conflicts" in body:
        proceed = conflicts_proceed(body.pop("conflicts"))
    if kind == "update" and "script" in body:
        raise IllegalArgument("[script] is not supported by this version")
    most = most_documents(params, body)
    for name in _NOT_HERE:
        if name in params or name in body:
            raise ActionRequestValidation(f"Validation Failed: 1: {name} is not supported in this context;")
    if params.get("_source") == "false" or body.get("_source") is False:
        raise ActionRequestValidation("Validation Failed: 1: _source:false is not supported in this context;")
    wanted = _source_request(request, body, params)
    if kind == "delete" and wanted.query is None:
        raise ActionRequestValidation("Validation Failed: 1: query is missing;")
    check_speed(params)
    targets = targets_for(request)
    asked = ByQuery(
        **_common(request, kind, targets, most, proceed), request=wanted, pipeline=params.get("pipeline")
    )
    names = ", ".join(f"[{name}]" for name in request.names["index"].split(","))
    words = {"delete": "delete-by-query", "update": "update-by-query"}
    return _run(request, asked, f"{words[kind]} {names}")


def _source_request(request: Request, body: dict[str, Any], params: Params) -> Any:
    """Return the search for what is to be changed."""
    from dataclasses import replace

    from lanner.engine.search.request import parse_search_request

    given = Params({name: value for name, value in params.items() if name in URI_QUERY | {"q", "sort"}})
    try:
        found = parse_search_request(body, search_parameters(given))
    except LannerError as error:
        raise locate(error, body, encode(body)) from None  # what is left of it is what is searched
    size = params.integer("scroll_size", DEFAULT_SIZE)
    if size < 0:
        raise IllegalArgument(f"[size] parameter cannot be negative, found [{size}]")
    if size == 0:
        raise ActionRequestValidation("Validation Failed: 1: [size] cannot be [0] in a scroll context;")
    return replace(found, size=size, **_ALL_OF_IT)


def reindex(request: Request) -> Any:
    """Copy what a query finds."""
    from dataclasses import replace

    from lanner.engine.document.by_query import REINDEX, ByQuery, Destination
    from lanner.engine.search.request import SearchRequest, parse_search_request

    if not request.content:
        raise ParseError("request body is required")
    body = request.json()
    fields = {
        "source": OBJECT,
        "dest": Field((dict,), _destination),
        "max_docs": Field(WHOLE.kinds, limit),
        "size": Field(WHOLE.kinds, limit),
        "script": Field((dict, str), _refuse_script),
        "conflicts": Field((str,), lambda value, key: conflicts_proceed(value)),
    }
    values = parse_object("reindex", body, fields)
    numbers: dict[str, Any] = {name: values[name] for name in ("max_docs", "size") if name in values}
    most = most_documents(request.params, numbers)
    given: dict[str, Any] = values.get("source", {})
    source = dict(given)
    remote = None
    try:
        names = source.pop("index", [])
        index = ",".join(NAMES.read(names, "index"))  # type: ignore[misc]
        if "remote" in source:
            from lanner.server.api.remote_source import parse_remote, refuse_remote  # few ask for it

            remote = parse_remote(source.pop("remote"))
            source.pop("query", None)  # the other cluster reads it
        size = short(source.pop("size", DEFAULT_SIZE), "size")
        wanted = parse_search_request(source) if source else SearchRequest()
    except LannerError as error:
        raise LocatedXContentError(
            "[reindex] failed to parse field [source]",
            Anchor(given, None, "close"),
            caused_by=locate(error, source, encode(source)),
        ) from None
    dest: dict[str, Any] = values.get("dest", {})
    complaints = []
    if not index:
        complaints.append("use _all if you really want to copy from all existing indexes")
    if not dest.get("index"):
        complaints.append("index must be specified")
    if wanted.stored_fields is not None:
        complaints.append("stored_fields is not supported in this context")
    if wanted.source is not None and not wanted.source.enabled:
        complaints.append("_source:false is not supported in this context")
    if wanted.from_:
        complaints.append("from is not supported in this context")
    check_speed(request.params)
    if remote is not None and not complaints:
        slices = slice_count(request.params, [])
        if slices > 1:
            complaints.append(f"reindex from remote sources doesn't support slices > 1 but was [{slices}]")
        else:
            refuse_remote(remote, request.node.settings)
    if not complaints:
        targets = targets_of(request.node, index)
        if dest["index"] in {target.index for target in targets}:
            complaints.append(f"reindex cannot write into an index its reading from [{dest['index']}]")
    if complaints:
        numbered = "".join(f"{i}: {text};" for i, text in enumerate(complaints, 1))
        raise ActionRequestValidation(f"Validation Failed: {numbered}")
    asked = ByQuery(
        **_common(request, REINDEX, targets, most, values.get("conflicts", False)),
        request=replace(wanted, size=size, **_ALL_OF_IT),
        destination=Destination(**dest),
        pipeline=dest.get("pipeline"),
    )
    return _run(request, asked, f"reindex from [{index}] to [{dest['index']}]")


def _refuse_script(value: Any, key: str) -> None:
    raise IllegalArgument("[script] is not supported by this version")


def _destination(value: dict[str, Any], key: str) -> dict[str, Any]:
    def routing(text: str, name: str) -> str:
        if text not in ("keep", "discard") and not text.startswith("="):
            raise IllegalArgument(f"Unsupported routing option [{text}]")
        return text

    def op_type(text: str, name: str) -> str:
        if text not in _OP_TYPES:
            raise IllegalArgument(f"opType must be 'create' or 'index', found: [{text}]")
        return text

    def version_type(text: str, name: str) -> str:
        if text not in _VERSION_TYPES:
            raise IllegalArgument(f"No version type match [{text}]")
        return text

    fields = {
        "index": TEXT,
        "routing": Field((str,), routing),
        "op_type": Field((str,), op_type),
        "pipeline": TEXT,
        "version_type": Field((str,), version_type),
    }
    return parse_object("dest", value, fields)


def _run(request: Request, asked: "ByQuery", description: str) -> Any:
    from lanner.engine.document.by_query import ACTIONS, Job

    node, params = request.node, request.params
    policy = refresh_policy(params)
    job = Job(node, node.contexts, asked)

    def work() -> dict[str, Any]:
        answer = job.run()
        if policy == "true":
            _refresh(request, asked)
        return answer

    action = ACTIONS[asked.kind]
    if not params.boolean("wait_for_completion", True):
        return detach(request, "generic", action, description, lambda: _shown(work())[0], job.watch)
    task = node.tasks.start(action, lambda: description, request.headers)
    job.watch(task)
    try:
        answer = work()
    finally:
        node.tasks.end(task)
    return Response(*_shown(answer))


def _refresh(request: Request, asked: "ByQuery") -> None:
    """Make what was written visible."""
    state = request.node.cluster.state
    names = {asked.destination.index} if asked.destination else {target.index for target in asked.targets}
    for name in names:
        index = state.indices.get(name)
        service = None if index is None else request.node.indices.get(index.uuid)
        if service is not None:
            for shard in service.shards.values():
                shard.refresh()


def _shown(answer: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return an answer with its failures as they are shown, and its status."""
    failures = []
    status = 200
    for failure in answer["failures"]:
        error = failure["cause"]
        own = status_of(error)
        status = max(status, own)
        failures.append({**failure, "cause": error.render(), "status": own})
    return {**answer, "failures": failures}, status


def rethrottle(request: Request) -> dict[str, Any]:
    """Change how fast a running request may go."""
    owner, number = parse_id(request.names["task_id"])
    if "requests_per_second" not in request.params:
        raise IllegalArgument("requests_per_second is a required parameter")
    speed = per_second(request.params)
    node = request.node
    task = node.tasks.find(number) if owner == node.id else None
    if task is None or task.throttle is None:
        cause = {
            "type": "resource_not_found_exception",
            "reason": f"task [{owner}:{number}] is missing",
        }
        if owner != node.id:
            cause = no_such_node(owner)
        return {"node_failures": [failed_node(owner, cause)], "nodes": {}}
    task.throttle(speed)
    return grouped(request, [task], lambda one: render_task(node, one, detailed=True))


_COMMON = frozenset(
    {
        "conflicts",
        "max_docs",
        "refresh",
        "requests_per_second",
        "scroll",
        "slices",
        "timeout",
        "wait_for_active_shards",
        "wait_for_completion",
    }
)
_RETHROTTLE = frozenset({"requests_per_second", "group_by", "nodes", "actions", "parent_task_id"})
_BY_QUERY = _COMMON | SEARCH_PARAMS | {"scroll_size", "search_timeout", "pipeline", "version_type", "from"}
_HANDLERS: tuple[tuple[str, Callable[[Request], Any]], ...] = (
    ("/{index}/_delete_by_query", partial(by_query, kind="delete")),
    ("/{index}/_update_by_query", partial(by_query, kind="update")),
)
ROUTES = (
    *(
        Route("POST", path, handler, "generic", params=_BY_QUERY, body=True, with_q=URI_QUERY, human=True)
        for path, handler in _HANDLERS
    ),
    *(
        Route("POST", f"/{name}/{{task_id}}/_rethrottle", rethrottle, params=_RETHROTTLE)
        for name in ("_reindex", "_update_by_query", "_delete_by_query")
    ),
    Route("POST", "/_reindex", reindex, "generic", params=_COMMON, body=True, human=True),
)
