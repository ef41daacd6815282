"""Indices over their life; the error texts are the real system's."""

from pathlib import Path
from typing import Any

import pytest

from lanner.engine.cluster import index_settings, indices, settings
from lanner.engine.cluster.creation import create_index
from lanner.engine.cluster.health import HealthRequest, health
from lanner.engine.cluster.names import IndexOptions, resolve
from lanner.engine.common.errors import IndexNotFound, LannerError
from lanner.engine.node import Node, NodeSettings

OPTIONS = IndexOptions()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Upper", "Invalid index name [Upper], must be lowercase"),
        ("_x", "Invalid index name [_x], must not start with '_', '-', or '+'"),
        ("-x", "Invalid index name [-x], must not start with '_', '-', or '+'"),
        (
            "a b",
            "Invalid index name [a b], must not contain the following characters "
            '[ , ", *, \\, <, |, ,, >, /, ?]',
        ),
        ("a:b", "Invalid index name [a:b], must not contain ':'"),
        ("a#b", "Invalid index name [a#b], must not contain '#'"),
        ("..", "Invalid index name [..], must not be '.' or '..'"),
        ("x" * 256, f"Invalid index name [{'x' * 256}], index name is too long, (256 > 255)"),
    ],
)
def test_bad_names(node: Node, name: str, reason: str) -> None:
    with pytest.raises(LannerError) as caught:
        create_index(node, name)
    assert caught.value.type == "invalid_index_name_exception"
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ({"foo": {}}, "parse_exception", "unknown key [foo] for create index"),
        ({"settings": []}, "parse_exception", "key [settings] must be an object"),
        (
            {"settings": {"number_of_shardz": 1}},
            "illegal_argument_exception",
            "unknown setting [index.number_of_shardz] did you mean [index.number_of_shards]?",
        ),
        (
            {"settings": {"number_of_shards": 1025}},
            "illegal_argument_exception",
            "Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024",
        ),
        (
            {"settings": {"number_of_shards": "x"}},
            "illegal_argument_exception",
            "Failed to parse value [x] for setting [index.number_of_shards]",
        ),
        (
            {"settings": {"number_of_shards": 4, "number_of_routing_shards": 6}},
            "illegal_argument_exception",
            "the number of source shards [4] must be a factor of [6]",
        ),
        (
            {"settings": {"refresh_interval": "-5s"}},
            "illegal_argument_exception",
            "failed to parse setting [index.refresh_interval] with value [-5s] as a time value: "
            "negative durations are not supported",
        ),
        (
            {"settings": {"number_of_shards": 600}},
            "validation_exception",
            "Validation Failed: 1: this action would add [1200] total shards, but this cluster currently has "
            "[0]/[1000] maximum shards open;",
        ),
        (
            {"settings": {"translog": {"durability": "foo"}}},
            "illegal_argument_exception",
            "No enum constant org.opensearch.index.translog.Translog.Durability.FOO",
        ),
    ],
)
def test_bad_bodies(node: Node, body: dict[str, Any], kind: str, reason: str) -> None:
    with pytest.raises(LannerError) as caught:
        create_index(node, "i", body)
    assert (caught.value.type, caught.value.reason) == (kind, reason)
    assert node.cluster.state.indices == {}


def test_life_of_an_index(node: Node, tmp_path: Path) -> None:
    body = {"settings": {"number_of_shards": 2}, "mappings": {"properties": {"a": {"type": "keyword"}}}}
    assert create_index(node, "i", body) == {
        "acknowledged": True,
        "shards_acknowledged": True,
        "index": "i",
    }
    with pytest.raises(LannerError, match=r"index \[i/.{22}\] already exists"):
        create_index(node, "i")
    shown = indices.get_indices(node, "i", OPTIONS)["i"]
    assert list(shown) == ["aliases", "mappings", "settings"]
    assert shown["mappings"] == {"properties": {"a": {"type": "keyword"}}}
    assert shown["settings"]["index"]["number_of_shards"] == "2"
    assert shown["settings"]["index"]["version"] == {"created": "136407927"}
    assert indices.put_mapping(node, "i", {"properties": {"b": {"type": "long"}}}, OPTIONS) == {
        "acknowledged": True
    }
    with pytest.raises(
        LannerError, match=r"mapper \[a\] cannot be changed from type \[keyword\] to \[long\]"
    ):
        indices.put_mapping(node, "i", {"properties": {"a": {"type": "long"}}}, OPTIONS)
    assert indices.refresh(node, "i", OPTIONS) == {"_shards": {"total": 4, "successful": 2, "failed": 0}}
    uuid = node.cluster.state.indices["i"].uuid
    node.close()
    settings = NodeSettings.parse({"path.data": str(tmp_path), "node.name": "n", "cluster.name": "c"})
    Node.__init__(node, settings)  # the fixture closes it
    node.start()
    assert sorted(indices.get_mapping(node, None, OPTIONS)["i"]["mappings"]["properties"]) == ["a", "b"]
    assert node.cluster.state.indices["i"].primary_terms == (2, 2)
    assert indices.delete_indices(node, "i", OPTIONS) == {"acknowledged": True}
    assert not (tmp_path / "indices" / uuid).exists()
    with pytest.raises(IndexNotFound):
        indices.get_indices(node, "i", OPTIONS)


def test_expressions(node: Node) -> None:
    for name in ("a1", "a2", "b1"):
        create_index(node, name)
    create_index(node, "h", {"settings": {"hidden": True}})

    def found(expression: str | None, **options: Any) -> list[str]:
        return resolve(node.cluster.state, expression, IndexOptions(**options))

    assert found(None) == found("_all") == found("*") == ["a1", "a2", "b1"]
    assert found("a*,-a1") == ["a2"]
    assert found("*,-a*") == ["b1"]
    assert found("b1,a*") == ["b1", "a1", "a2"]
    assert found("*", expand_wildcards=("open", "hidden")) == ["a1", "a2", "b1", "h"]
    assert found("*", expand_wildcards=("none",)) == []
    assert found("nosuch", expand_wildcards=("none",)) == []
    assert found("h") == ["h"]
    assert found("a1,nosuch", ignore_unavailable=True) == ["a1"]
    assert found("nosuch*") == []
    for expression, options, shown in (
        ("nosuch", {}, ("nosuch", "index_or_alias")),
        (
            "nosuch",
            {"expand_wildcards": ("none",), "allow_no_indices": False},
            ("nosuch", "index_expression"),
        ),
        ("-a1", {}, ("-a1", "index_or_alias")),
        ("nosuch*,a1", {"allow_no_indices": False}, ("nosuch*", "index_or_alias")),
        ("a1,,a2", {}, ("", "index_or_alias")),
    ):
        with pytest.raises(IndexNotFound) as caught:
            found(expression, **options)
        assert (caught.value.fields["resource.id"], caught.value.fields["resource.type"]) == shown
    with pytest.raises(LannerError) as bad:
        found("_x")
    assert bad.value.reason == "Invalid index name [_x], must not start with '_'."


def test_settings(node: Node) -> None:
    create_index(node, "i", {"settings": {"analysis": {"analyzer": {"x": {"tokenizer": "standard"}}}}})

    def put(body: dict[str, Any], **options: Any) -> dict[str, Any]:
        return index_settings.put_settings(node, "i", body, OPTIONS, **options)

    assert put({"refresh_interval": "5s", "index": {"max_result_window": 500}}) == {"acknowledged": True}
    service = node.indices.index(node.cluster.state.indices["i"].uuid)
    assert service.settings.refresh_interval == 5
    put({"refresh_interval": "30s", "index.max_result_window": None}, preserve_existing=True)
    shown = index_settings.get_settings(node, "i", OPTIONS, names=["index.ref*"], flat_settings=True)
    assert shown == {"i": {"settings": {"index.refresh_interval": "5s"}}}
    uuid = node.cluster.state.indices["i"].uuid
    for body, reason in (
        (
            {"number_of_shards": 2},
            f"Can't update non dynamic settings [[index.number_of_shards]] for open indices [[i/{uuid}]]",
        ),
        (
            {"uuid": "x"},
            "unknown setting [index.uuid] please check that any required plugins are installed, or check the "
            "breaking changes documentation for removed settings",
        ),
        ({}, "Validation Failed: 1: no settings to update;"),
    ):
        with pytest.raises(LannerError) as caught:
            put(body)
        assert caught.value.reason == reason
    defaults = index_settings.get_settings(node, "i", OPTIONS, include_defaults=True)["i"]["defaults"]
    assert defaults["index"]["gc_deletes"] == "60s"


def test_cluster_settings(node: Node) -> None:
    answer = settings.put_settings(node, {"persistent": {"search": {"max_buckets": 5}}, "transient": {}})
    assert answer == {
        "acknowledged": True,
        "persistent": {"search": {"max_buckets": "5"}},
        "transient": {},
    }
    assert settings.get_settings(node, flat_settings=True)["persistent"] == {"search.max_buckets": "5"}
    settings.put_settings(node, {"persistent": {"search.*": None}})
    assert settings.get_settings(node) == {"persistent": {}, "transient": {}}
    for body, reason in (
        ({"persistent": {"foo": 1}}, "persistent setting [foo], not recognized"),
        (
            {"transient": {"cluster.name": "x"}},
            "transient setting [cluster.name], not dynamically updateable",
        ),
        ({"foo": {}}, "Validation Failed: 1: no settings to update;"),
    ):
        with pytest.raises(LannerError) as caught:
            settings.put_settings(node, body)
        assert caught.value.reason == reason


def test_health(node: Node) -> None:
    assert health(node)["status"] == "green"
    create_index(node, "r")
    create_index(node, "n", {"settings": {"number_of_replicas": 0}})
    answer = health(node, None, HealthRequest(level="indices"))
    assert answer["status"] == "yellow"
    assert answer["unassigned_shards"] == 1
    assert answer["active_shards_percent_as_number"] == pytest.approx(100 * 2 / 3)
    assert answer["indices"]["n"]["status"] == "green"
    assert health(node, "n")["active_shards_percent_as_number"] == 100.0
    late = health(node, "r", HealthRequest(wait_for_status="green", timeout=1))
    assert (late["status"], late["timed_out"]) == ("yellow", True)
    missing = health(node, "nosuch", HealthRequest(timeout=1))
    assert (missing["status"], missing["timed_out"]) == ("red", True)
    assert not health(node, None, HealthRequest(wait_for_nodes=">=1"))["timed_out"]
