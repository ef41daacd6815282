"""Joins against a slow join of dictionaries: writes, updates and deletes in any order, over segments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Client

RELATIONS = {"mother": ["son", "daughter"], "son": "grandson"}
PARENT_OF = {"son": "mother", "daughter": "mother", "grandson": "son"}
FIELDS = {"j": {"type": "join", "relations": RELATIONS}, "n": {"type": "integer"}, "g": {"type": "keyword"}}
N_FAMILIES = 3  # which are the routing values

Relation = st.sampled_from(["mother", "son", "daughter", "grandson", None])
Write = st.tuples(
    st.just("write"),
    st.integers(0, N_FAMILIES - 1),
    Relation,
    st.integers(0, 3),  # of the ids of a relation in a family
    st.integers(0, 3),  # of the ids of the parents
    st.integers(0, 5),
    st.sampled_from("ab"),
)
Delete = st.tuples(st.just("delete"), st.integers(0, N_FAMILIES - 1), Relation, st.integers(0, 3))
Actions = st.lists(Write | Write | Write | Delete | st.just(("refresh",)), max_size=60)


@dataclass(frozen=True)
class Kept:
    family: int
    relation: str | None
    parent: str | None
    n: int
    g: str


@dataclass
class Model:
    """What is in the index, by id."""

    kept: dict[str, Kept] = field(default_factory=dict)

    def matching(self, relation: str, test: Callable[[Kept], bool]) -> dict[str, Kept]:
        return {id_: one for id_, one in self.kept.items() if one.relation == relation and test(one)}

    def has_child(
        self, relation: str, test: Callable[[Kept], bool], mode: str, least: int, most: int
    ) -> dict[str, float]:
        scores: dict[tuple[int, str], list[int]] = {}
        for one in self.matching(relation, test).values():
            assert one.parent is not None
            scores.setdefault((one.family, one.parent), []).append(one.n)
        combine: dict[str, Any] = {
            "none": lambda given: 1,
            "sum": sum,
            "min": min,
            "max": max,
            "avg": lambda given: float(np.float32(sum(given)) / np.float32(len(given))),
        }
        parents = self.matching(PARENT_OF[relation], lambda _: True)
        found = {id_: scores.get((one.family, id_), []) for id_, one in parents.items()}
        return {
            id_: combine[mode](given) for id_, given in found.items() if given and least <= len(given) <= most
        }

    def has_parent(self, relation: str, test: Callable[[Kept], bool], *, scored: bool) -> dict[str, float]:
        parents = self.matching(relation, test)
        return {
            id_: parents[one.parent].n if scored else 1
            for id_, one in self.kept.items()
            if one.relation is not None
            and PARENT_OF.get(one.relation) == relation
            and one.parent in parents
            and parents[one.parent].family == one.family
        }


def write(client: Client, model: Model, action: tuple[Any, ...]) -> None:
    if action[0] == "refresh":
        assert client.post("/x/_refresh").status == 200
        return
    family, relation, number = action[1:4]
    id_ = f"f{family}-{relation}{number}"
    where = f"/x/_doc/{id_}?routing={family}"
    if action[0] == "delete":
        assert client.delete(where).status == (200 if id_ in model.kept else 404)
        model.kept.pop(id_, None)
        return
    above = PARENT_OF.get(relation)
    parent = None if above is None else f"f{family}-{above}{action[4]}"
    source: dict[str, Any] = {"n": action[5], "g": action[6]}
    if relation is not None:
        source["j"] = {"name": relation, "parent": parent} if parent is not None else relation
    assert client.put(where, source).status in (200, 201)
    model.kept[id_] = Kept(family, relation, parent, action[5], action[6])


def scores(client: Client, query: dict[str, Any]) -> dict[str, float]:
    answer = client.post("/x/_search", {"query": query, "size": 100, "_source": False})
    assert answer.status == 200, answer.text
    hits = answer.json()["hits"]
    found = {hit["_id"]: hit["_score"] for hit in hits["hits"]}
    assert hits["total"]["value"] == len(found) == len(hits["hits"])
    assert client.post("/x/_count", {"query": query}).json()["count"] == len(found)
    return found


def by_number(query: dict[str, Any]) -> dict[str, Any]:
    """The query, whose matches score their number."""
    return {"function_score": {"query": query, "field_value_factor": {"field": "n"}, "boost_mode": "replace"}}


@pytest.mark.parametrize("n_shards", [1, 2])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=Actions)
def test_families(client: Client, n_shards: int, actions: list[tuple[Any, ...]]) -> None:
    client.delete("/x")
    how = {"number_of_shards": n_shards, "refresh_interval": "-1", "translog": {"durability": "async"}}
    assert client.put("/x", {"settings": how, "mappings": {"properties": FIELDS}}).status == 200
    model = Model()
    for action in actions:
        write(client, model, action)
    assert client.post("/x/_refresh").status == 200
    tests: list[tuple[dict[str, Any], Callable[[Kept], bool]]] = [
        ({"match_all": {}}, lambda one: True),
        ({"term": {"g": "a"}}, lambda one: one.g == "a"),
        ({"range": {"n": {"gte": 2}}}, lambda one: one.n >= 2),
    ]
    for query, test in tests:
        for relation in PARENT_OF:
            for mode in ("none", "sum", "min", "max", "avg"):
                for least, most in ((1, 2**31 - 1), (2, 3), (1, 1)):
                    asked = {"type": relation, "query": by_number(query), "score_mode": mode}
                    limits = {"min_children": least, "max_children": most}
                    want = model.has_child(relation, test, mode, least, most)
                    assert scores(client, {"has_child": asked | limits}) == pytest.approx(want, rel=1e-6)
        for relation in RELATIONS:
            for scored in (False, True):
                parents = {"parent_type": relation, "query": by_number(query), "score": scored}
                want = model.has_parent(relation, test, scored=scored)
                assert scores(client, {"has_parent": parents}) == pytest.approx(want, rel=1e-6)
    for id_, one in model.kept.items():
        if one.relation in RELATIONS:
            for child in RELATIONS[one.relation] if one.relation == "mother" else ["grandson"]:
                found = scores(client, {"parent_id": {"type": child, "id": id_}})
                assert found.keys() == {
                    own for own, kept in model.kept.items() if kept.relation == child and kept.parent == id_
                }
