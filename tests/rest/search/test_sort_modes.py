"""One sort value out of several; the values are the reference's."""

from typing import Any

import pytest

from tests.conftest import Client

ROWS: list[list[float]] = [
    [1, 2],
    [-1, -2, -2],
    [0.1, 0.2, 0.3],
    [1.5, 2.5, -7.25, 100],
    [-5, -4],
    [3.3, 4.7],
]
BIG: dict[str, list[float]] = {
    "long": [2**63 - 1, 2**63 - 2],
    "integer": [2**31 - 1, 2**31 - 1],
    "double": [1e308, 1e308],
    "float": [3e38, 3e38],
    "half_float": [60000, 60000],
}


@pytest.mark.parametrize(
    ("kind", "mode", "values"),
    [
        ("long", "sum", [3, -5, 0, 96, -9, 7, -3]),
        ("long", "avg", [2, -2, 0, 24, -4, 4, -1]),
        ("long", "median", [2, -2, 0, 2, -4, 4, 2**63 - 1]),
        ("integer", "sum", [3, -5, 0, 96, -9, 7, -2]),
        ("integer", "avg", [2, -2, 0, 24, -4, 4, 2**31 - 1]),
        ("integer", "median", [2, -2, 0, 2, -4, 4, 2**31 - 1]),
        ("double", "sum", [3.0, -5.0, 0.6000000000000001, 96.75, -9.0, 8.0, "Infinity"]),
        (
            "double",
            "avg",
            [1.5, -1.6666666666666667, 0.20000000000000004, 24.1875, -4.5, 4.0, "Infinity"],
        ),
        ("double", "median", [1.5, -2.0, 0.2, 2.0, -4.5, 4.0, "Infinity"]),
        ("float", "sum", [3.0, -5.0, 0.6, 96.75, -9.0, 8.0, "Infinity"]),
        ("float", "avg", [1.5, -1.6666666, 0.2, 24.1875, -4.5, 4.0, 3e38]),
        ("float", "median", [1.5, -2.0, 0.2, 2.0, -4.5, 4.0, 3e38]),
        ("half_float", "sum", [3.0, -5.0, 0.5999756, 96.75, -9.0, 8.0, 120000.0]),
        ("half_float", "avg", [1.5, -1.6666666, 0.19999187, 24.1875, -4.5, 4.0, 60000.0]),
        ("half_float", "median", [1.5, -2.0, 0.19995117, 2.0, -4.5, 4.0, 60000.0]),
    ],
)
def test_modes(client: Client, kind: str, mode: str, values: list[Any]) -> None:
    client.put(
        "/a", {"settings": {"number_of_replicas": 0}, "mappings": {"properties": {"f": {"type": kind}}}}
    )
    whole = kind in ("long", "integer")
    for number, row in enumerate([*ROWS, BIG[kind]]):
        client.put(f"/a/_doc/{number}", {"f": [int(value) if whole else value for value in row]})
    client.put("/a/_doc/none?refresh=true", {})
    rank = {value: float(value) for value in values}
    wanted = sorted(enumerate(values), key=lambda pair: -rank[pair[1]])
    body: dict[str, Any] = {"size": 3, "sort": [{"f": {"mode": mode, "order": "desc", "missing": 2}}, "_doc"]}
    hits = client.post("/a/_search", {**body, "size": 20}).json()["hits"]["hits"]
    found = [(int(hit["_id"]), hit["sort"][0]) for hit in hits if hit["_id"] != "none"]
    assert found == wanted
    assert next(hit["sort"][0] for hit in hits if hit["_id"] == "none") == 2
    after = client.post("/a/_search", {**body, "search_after": hits[3]["sort"]}).json()["hits"]["hits"]
    assert [hit["sort"] for hit in after] == [hit["sort"] for hit in hits[4:7]]


def test_words_have_no_sum(client: Client) -> None:
    client.put("/a", {"mappings": {"properties": {"f": {"type": "keyword"}}}})
    answer = client.post("/a/_search", {"sort": [{"f": {"mode": "avg"}}]})
    assert answer.error()["root_cause"][0]["reason"] == (
        "we only support AVG, MEDIAN and SUM on number based fields"
    )
