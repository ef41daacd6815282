"""Templates of indices: composable ones, their components, legacy ones, and what they would give."""

from typing import Any

from lanner.engine.cluster import legacy_templates, templates
from lanner.engine.common.errors import ActionRequestValidation, ResourceNotFound
from lanner.server.options import MANAGER_TIMEOUTS, check_timeouts
from lanner.server.params import split_names
from lanner.server.request import Request
from lanner.server.response import Response, warned
from lanner.server.routing import Route

ACKNOWLEDGED = {"acknowledged": True}


def _optional(request: Request) -> Any:
    return request.json() if request.content else None


def put_component(request: Request) -> dict[str, Any]:
    """Keep a component template."""
    check_timeouts(request.params)
    return templates.put_component(
        request.node, request.names["name"], request.json(), create=request.params.boolean("create")
    )


def get_components(request: Request) -> Response:
    """Return component templates; none for a pattern is a 404 with an empty list."""
    check_timeouts(request.params)
    request.params.boolean("flat_settings")
    name = request.names.get("name")
    found = templates.get_components(request.node, name)
    return Response({"component_templates": found}, 404 if name is not None and not found else 200)


def delete_components(request: Request) -> dict[str, Any]:
    """Forget component templates."""
    check_timeouts(request.params)
    return templates.delete_components(request.node, request.names["name"])


def put(request: Request) -> Response:
    """Keep a composable template."""
    check_timeouts(request.params)
    warnings = templates.put_template(
        request.node, request.names["name"], request.json(), create=request.params.boolean("create")
    )
    return warned(ACKNOWLEDGED, warnings)


def get(request: Request) -> Response:
    """Return composable templates; none for a pattern is a 404 with an empty list."""
    check_timeouts(request.params)
    request.params.boolean("flat_settings")
    name = request.names.get("name")
    found = templates.get_templates(request.node, name)
    return Response({"index_templates": found}, 404 if name is not None and not found else 200)


def exists(request: Request) -> Response:
    """Say whether there is a template, or a component."""
    is_component = request.path.startswith("/_component_template")
    select = templates.get_components if is_component else templates.get_templates
    check_timeouts(request.params)
    try:
        found = select(request.node, request.names["name"])
    except ResourceNotFound:
        found = []
    return Response({}, 200 if found else 404)


def delete(request: Request) -> dict[str, Any]:
    """Forget composable templates."""
    check_timeouts(request.params)
    return templates.delete_templates(request.node, request.names["name"])


def simulate_index(request: Request) -> Response:
    """Return what a new index of a name would get."""
    check_timeouts(request.params)
    request.params.boolean("create")
    found, warnings = templates.simulate_index(request.node, request.names["name"], _optional(request))
    return warned(found, warnings)


def simulate(request: Request) -> Response:
    """Return what a template would give."""
    check_timeouts(request.params)
    found, warnings = templates.simulate(
        request.node,
        request.names.get("name"),
        _optional(request),
        create=request.params.boolean("create"),
    )
    return warned(found, warnings)


def put_legacy(request: Request) -> Response:
    """Keep a legacy template."""
    params = request.params
    check_timeouts(params)
    warnings = legacy_templates.put_template(
        request.node,
        request.names["name"],
        request.json_map(),
        create=params.boolean("create"),
        order=params.integer("order"),
    )
    return warned(ACKNOWLEDGED, warnings)


def get_legacy(request: Request) -> Response:
    """Return legacy templates; 404 when names were given and none is there."""
    check_timeouts(request.params)
    names = split_names(request.names.get("name", ""))
    found = legacy_templates.get_templates(
        request.node, names, flat_settings=request.params.boolean("flat_settings")
    )
    return Response(found, 404 if names and not found else 200)


def delete_legacy(request: Request) -> dict[str, Any]:
    """Forget legacy templates."""
    check_timeouts(request.params)
    if not request.names["name"]:
        raise ActionRequestValidation("Validation Failed: 1: name is missing;")
    return legacy_templates.delete_templates(request.node, request.names["name"])


_PUT = MANAGER_TIMEOUTS | {"create", "cause"}
_GET = MANAGER_TIMEOUTS | {"local", "flat_settings"}
ROUTES = (
    *(
        Route(method, f"/{path}/{{name}}", handler, params=params, body=True)
        for path, makes, shows, tells, forgets in (
            ("_component_template", put_component, get_components, exists, delete_components),
            ("_index_template", put, get, exists, delete),
            ("_template", put_legacy, get_legacy, get_legacy, delete_legacy),
        )
        for method, handler, params in (
            ("PUT", makes, _PUT | {"order"} if path == "_template" else _PUT),
            ("POST", makes, _PUT | {"order"} if path == "_template" else _PUT),
            ("GET", shows, _GET),
            ("HEAD", tells, _GET),
            ("DELETE", forgets, MANAGER_TIMEOUTS | {"timeout"} if path == "_template" else MANAGER_TIMEOUTS),
        )
    ),
    Route("GET", "/_component_template", get_components, params=_GET, body=True),
    Route("GET", "/_index_template", get, params=_GET, body=True),
    Route("GET", "/_template", get_legacy, params=_GET, body=True),
    Route("POST", "/_index_template/_simulate_index/{name}", simulate_index, params=_PUT, body=True),
    Route("POST", "/_index_template/_simulate", simulate, params=_PUT, body=True),
    Route("POST", "/_index_template/_simulate/{name}", simulate, params=_PUT, body=True),
)
