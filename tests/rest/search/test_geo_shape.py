"""Shapes: hostile input gets an error of the request; shapes of any size keep their relations; no shapely."""

import math
import sys
from typing import Any

import pytest

from tests.conftest import Client

MAPPING = {
    "mappings": {"properties": {"s": {"type": "geo_shape"}, "m": {"type": "geo_shape", "doc_values": False}}}
}


@pytest.fixture
def shapes(client: Client) -> Client:
    assert client.put("/s", MAPPING).status == 200
    return client


def ids(client: Client, shape: Any, relation: str = "intersects", field: str = "s") -> list[str]:
    query = {"geo_shape": {field: {"shape": shape, "relation": relation}}}
    answer = client.post("/s/_search", {"query": query, "size": 100})
    assert answer.status == 200, answer.json()
    return sorted(hit["_id"] for hit in answer.json()["hits"]["hits"])


def nested(depth: int) -> Any:
    shape: Any = {"type": "point", "coordinates": [0, 0]}
    for _ in range(depth):
        shape = {"type": "geometrycollection", "geometries": [shape]}
    return shape


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "polygon", "coordinates": [[[0, 0], [10, 0], [10, 100], [0, 0]]]},
        {"type": "linestring", "coordinates": [[0, 0], [1e9, 0]]},
        {"type": "linestring", "coordinates": [[0, 0], [1e308, 1e308]]},
        {"type": "multipolygon", "coordinates": []},
        {"type": "multilinestring", "coordinates": []},
        {"type": "geometrycollection", "geometries": []},
        {"type": "geometrycollection", "geometries": [[], 5]},
        {"type": "multipoint", "coordinates": [5]},
        {"type": "polygon", "coordinates": [[[[0, 0]]]]},
        {"type": "envelope", "coordinates": [[-500, 10], [500, 0]]},
        "POINT (1e999 0)",
        "POLYGON EMPTY",
        "POINT",
        "",
        "GEOMETRYCOLLECTION (" * 2000,
        nested(60),
    ],
)
def test_what_is_no_shape(shapes: Client, shape: Any) -> None:
    assert shapes.put("/s/_doc/x", {"s": shape}).status == 400
    answer = shapes.post("/s/_search", {"query": {"geo_shape": {"s": {"shape": shape}}}})
    assert 400 <= answer.status < 500


def test_a_shape_of_many_pieces(shapes: Client) -> None:
    corners = [
        [math.cos(2 * math.pi * i / 9000) * 10, math.sin(2 * math.pi * i / 9000) * 10] for i in range(9000)
    ]
    big = {"type": "polygon", "coordinates": [[*corners, corners[0]]]}
    assert shapes.put("/s/_doc/big?refresh=true", {"s": big}).status == 201
    assert ids(shapes, "POINT (9.99 0)") == ["big"]
    assert ids(shapes, "POINT (9 9)") == []
    assert ids(shapes, {"type": "envelope", "coordinates": [[-11, 11], [11, -11]]}, "within") == ["big"]
    assert ids(shapes, {"type": "envelope", "coordinates": [[-1, 1], [1, -1]]}, "contains") == ["big"]
    shapes.post("/s/_forcemerge?max_num_segments=1")
    assert ids(shapes, "POINT (9.99 0)") == ["big"]


def test_several_shapes_without_doc_values(shapes: Client) -> None:
    several = ["POINT (-50 0)", {"type": "linestring", "coordinates": [[10, 10], [20, 20]]}]
    assert shapes.put("/s/_doc/both?refresh=true", {"m": several}).status == 201
    around = {"type": "envelope", "coordinates": [[14, 16], [16, 14]]}
    assert ids(shapes, "POINT (-50 0)", field="m") == ids(shapes, around, field="m") == ["both"]


@pytest.mark.parametrize(
    ("lat", "metres", "inside", "outside"),
    [
        (80.0, 2_000_000, (90.0, -170.0), (60.0, 0.0)),  # over the pole
        (0.0, 100_000, (0.5, 180.0 - 0.5), (0.0, 178.0)),  # over the date line
        (0.0, 15_000_000, (80.0, 90.0), (0.0, 0.0)),  # both poles: all but a circle
        (-85.0, 25_000_000, (10.0, 10.0), None),  # everything
    ],
)
def test_circles(
    shapes: Client,
    lat: float,
    metres: float,
    inside: tuple[float, float],
    outside: tuple[float, float] | None,
) -> None:
    for name, place in (("in", inside), ("out", outside)):
        if place is not None:
            shapes.put(f"/s/_doc/{name}?refresh=true", {"s": {"type": "point", "coordinates": place[::-1]}})
    circle = {"type": "circle", "coordinates": [180, lat], "radius": metres}
    assert ids(shapes, circle) == ["in"]


def test_without_the_package(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shapely", None)
    answer = client.put("/s", MAPPING)
    assert answer.status == 400
    assert "install [lanner[geo]]" in answer.error()["reason"]
