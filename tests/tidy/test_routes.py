"""Every route is asked for in a REST test."""

import re
from pathlib import Path

from lanner.server.api import FAMILIES, ROUTES
from lanner.server.routing import Router

REST = Path(__file__).parents[1] / "rest"
# Methods of the test client, and paths written in the tests; names in braces stand for
# themselves or anything.
CALL = re.compile(r"\.(get|put|post|delete|head)\(\s*f?\"(/[^\"?]*)", re.MULTILINE)


def test_every_family_has_routes() -> None:
    assert [family.__name__ for family in FAMILIES if not family.ROUTES] == []


def test_every_route_has_a_rest_test() -> None:
    text = "\n".join(path.read_text() for path in REST.rglob("test_*.py"))
    router = Router(ROUTES)
    asked = set()
    for method, path in CALL.findall(text):
        found = router.find(method.upper(), re.sub(r"\{\w+\}", "_mapping", path) if "{" in path else path)
        if found is not None:
            asked.add(found[0].handler)
    # tests that go through several methods and paths name the paths alone
    for path in re.findall(r"\"(/[^\"?\s]*)", text):
        for method in ("GET", "POST", "PUT"):
            found = router.find(method, path)
            if found is not None:
                asked.add(found[0].handler)
    missing = sorted(
        {f"{route.method} {route.path}" for route in router.routes if route.handler not in asked}
    )
    assert [line for line in missing if "/_cat/" not in line] == []


def test_names_of_parameters_are_lower_case() -> None:
    names = {name for route in ROUTES for name in route.params}
    assert [name for name in sorted(names) if not re.fullmatch(r"_?[a-z][a-z0-9_]*", name)] == []
