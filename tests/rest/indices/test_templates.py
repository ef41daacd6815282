"""Templates; every expected value is the real system's."""

from itertools import product
from typing import Any

import pytest

from lanner.engine.cluster.template_match import overlap
from lanner.engine.common.wildcards import matches
from tests.conftest import Client


def put(client: Client, path: str, body: Any) -> None:
    assert client.put(path, body).json() == {"acknowledged": True}


def test_composition(client: Client) -> None:
    parts = {"settings": {"number_of_shards": 2, "refresh_interval": "5s"}, "aliases": {"ca": {}}}
    mappings = {"properties": {"a": {"type": "keyword"}, "b": {"type": "long"}, "o": {"properties": {}}}}
    put(client, "/_component_template/c1", {"template": {**parts, "mappings": mappings}, "version": 2})
    later = {"mappings": {"properties": {"b": {"type": "integer", "index": False}}}}
    put(client, "/_component_template/c2", {"template": later})
    template = {
        "settings": {"refresh_interval": "9s"},
        "mappings": {"properties": {"o": {"properties": {"z": {"type": "text"}}}}},
        "aliases": {"{index}-ia": {"routing": "1"}},
    }
    body = {"index_patterns": "ii*", "composed_of": ["c1", "c2"], "priority": 10, "template": template}
    put(client, "/_index_template/i1", body)
    put(client, "/_index_template/low", {"index_patterns": ["*"], "template": {"aliases": {"never": {}}}})
    request = {"mappings": {"properties": {"a": {"type": "text"}}}, "settings": {"refresh_interval": None}}
    client.put("/ii1", request)
    shown = client.get("/ii1?flat_settings=true").json()["ii1"]
    assert shown["aliases"] == {"ii1-ia": {"index_routing": "1", "search_routing": "1"}, "ca": {}}
    assert shown["mappings"] == {
        "properties": {
            "a": {"type": "text"},
            "b": {"type": "integer", "index": False},
            "o": {"properties": {"z": {"type": "text"}}},
        }
    }
    assert shown["settings"]["index.number_of_shards"] == "2"
    assert "index.refresh_interval" not in shown["settings"]
    simulated = client.post("/_index_template/_simulate_index/ii9").json()
    assert simulated["template"]["settings"]["index"] == {"number_of_shards": "2", "refresh_interval": "9s"}
    assert simulated["overlapping"] == [{"name": "low", "index_patterns": ["*"]}]
    assert client.post("/_index_template/_simulate/i1").json() == simulated
    found = client.get("/_index_template/i1").json()["index_templates"][0]["index_template"]
    assert found["composed_of"] == ["c1", "c2"]
    assert found["template"]["settings"] == {"index": {"refresh_interval": "9s"}}


def test_documents_make_indices_from_templates(client: Client) -> None:
    put(client, "/_index_template/t", {"index_patterns": ["l-*"], "template": {"aliases": {"l": {}}}})
    client.put("/l-1/_doc/1", {"a": 1})
    assert client.get("/l-1/_alias").json() == {"l-1": {"aliases": {"l": {}}}}


def test_life_of_templates(client: Client) -> None:
    for kind in ("_index_template", "_component_template", "_template"):
        body: Any = {"template": {}} if kind == "_component_template" else {"index_patterns": ["a*"]}
        assert client.request("HEAD", f"/{kind}/t").status == 404
        assert client.post(f"/{kind}/t", body).status == 200
        assert client.put(f"/{kind}/t?create=true", body).status == 400
        assert client.head(f"/{kind}/t").status == 200
        assert client.get(f"/{kind}").status == 200
        assert client.get(f"/{kind}/t").status == 200
        assert client.get(f"/{kind}/nosuch*").status == 404
    for kind in ("_index_template", "_component_template", "_template"):
        assert client.delete(f"/{kind}/t").json() == {"acknowledged": True}
        missing = client.delete(f"/{kind}/t")
        assert (missing.status, missing.error()["type"]) == (404, "index_template_missing_exception")
    assert client.delete("/_index_template/t").status == 404
    assert client.delete("/_component_template/t").status == 404
    assert client.delete("/_template/t").status == 404
    assert client.head("/_template/t").status == 404
    assert client.head("/_component_template/t").status == 404


def test_templates_last(client: Client, node: Any) -> None:
    put(client, "/_index_template/t", {"index_patterns": ["a*"]})
    assert node.cluster._read_named() == {"index_template": {"t": {"index_patterns": ["a*"]}}}


def test_legacy_templates_are_put_together_by_their_order(client: Client) -> None:
    first = {"index_patterns": ["tt*"], "order": 1, "settings": {"number_of_shards": 2}}
    first["mappings"] = {"properties": {"f": {"type": "keyword"}, "g": {"type": "keyword"}}}
    put(client, "/_template/t1", {**first, "aliases": {"{index}-x": {}}})
    second = {"index_patterns": "tt1*", "order": 3, "mappings": {"properties": {"g": {"type": "long"}}}}
    put(client, "/_template/t2", second)
    client.put("/tt1a")
    shown = client.get("/tt1a").json()["tt1a"]
    assert shown["mappings"] == {"properties": {"f": {"type": "keyword"}, "g": {"type": "long"}}}
    assert shown["aliases"] == {"tt1a-x": {}}
    assert shown["settings"]["index"]["number_of_shards"] == "2"
    answer = client.put("/_index_template/new", {"index_patterns": ["tt*"]})
    assert answer.headers["warning"].endswith(
        '"index template [new] has index patterns [tt*] matching patterns from existing older '
        "templates [t1,t2] with patterns (t1 => [tt*],t2 => [tt1*]); this template [new] will take "
        "precedence during new index "
        'creation"'
    )
    client.put("/tt1b")
    assert client.get("/tt1b").json()["tt1b"]["mappings"] == {}


INVALID = "invalid_index_template_exception"
ILLEGAL = "illegal_argument_exception"


@pytest.mark.parametrize(
    ("path", "body", "kind", "reason"),
    [
        (
            "/_index_template/t",
            {"index_patterns": ["x*"], "composed_of": ["n", "m"]},
            INVALID,
            "index_template [t] invalid, cause [index template [t] specifies component templates [n, m] that "
            "do not exist]",
        ),
        (
            "/_index_template/t",
            {"index_patterns": ["_a", "a#b", "a,b", " "]},
            INVALID,
            "index_template [t] invalid, cause [Validation Failed: 1: index_pattern [_a] must not start "
            "with '_';2: index_pattern [a#b] must not contain a '#';3: index_pattern [a,b] must not "
            "contain a ',';"
            '4: index_pattern [a,b] must not contain the following characters [ , ", *, \\, <, |, ,, >, /, '
            "?];"
            "5: index_patterns [ ] must not contain a space;6: index_pattern [ ] must not contain the "
            "following "
            'characters [ , ", *, \\, <, |, ,, >, /, ?];]',
        ),
        (
            "/_index_template/A*T",
            {"index_patterns": ["x*"]},
            INVALID,
            "index_template [A*T] invalid, cause [Validation Failed: 1: name must not contain a '*';2: name "
            "must be lower cased;]",
        ),
        (
            "/_index_template/t",
            {"index_patterns": []},
            ILLEGAL,
            "There must be at least one pattern, zero given",
        ),
        ("/_index_template/t", {"priority": 8}, ILLEGAL, "Required [index_patterns]"),
        (
            "/_index_template/t",
            {"index_patterns": ["x*"], "template": {"bogus": 1}},
            "x_content_parse_exception",
            "[1:50] [index_template] failed to parse field [template]",
        ),
        (
            "/_index_template/t",
            {"index_patterns": ["x*"], "priority": -1},
            "action_request_validation_exception",
            "Validation Failed: 1: index template priority must be >= 0;",
        ),
        (
            "/_index_template/t",
            {"index_patterns": ["*"], "template": {"settings": {"index.hidden": True}}},
            "action_request_validation_exception",
            "Validation Failed: 1: global composable templates may not specify the setting index.hidden;",
        ),
        (
            "/_index_template/t",
            {"index_patterns": ["x*"], "template": {"aliases": {"al": {"filter": {"nope": {}}}}}},
            ILLEGAL,
            "composable template [t] template after composition is invalid",
        ),
        ("/_component_template/t", {"version": 1}, ILLEGAL, "Required [template]"),
        (
            "/_template/t",
            {},
            "action_request_validation_exception",
            "Validation Failed: 1: index patterns are missing;",
        ),
        (
            "/_template/t",
            {"index_patterns": ["*"], "settings": {"index.hidden": True}},
            INVALID,
            "index_template [t] invalid, cause [Validation Failed: 1: global templates may not specify the "
            "setting index.hidden;]",
        ),
        (
            "/_template/t",
            {"index_patterns": ["a"], "version": "z"},
            ILLEGAL,
            "Malformed [version] value, should be an integer",
        ),
        (
            "/_template/t",
            {"index_patterns": ["a"], "settings": 5},
            ILLEGAL,
            "Malformed [settings] section, should include an inner object",
        ),
    ],
)
def test_bad_templates(client: Client, path: str, body: Any, kind: str, reason: str) -> None:
    answer = client.put(path, body)
    assert (answer.status, answer.error()["type"]) == (400, kind)
    assert answer.error()["reason"] == reason


def test_equal_priorities_may_not_overlap(client: Client) -> None:
    put(client, "/_index_template/a", {"index_patterns": ["x*"], "priority": 5})
    answer = client.put("/_index_template/b", {"index_patterns": ["*y"], "priority": 5})
    assert answer.error()["reason"] == (
        "index template [b] has index patterns [*y] matching patterns from existing templates [a] with "
        "patterns (a => [x*]) that have the same priority [5], multiple index templates may not match "
        "during index creation, please use a different priority"
    )


def test_components_in_use_stay(client: Client) -> None:
    put(client, "/_component_template/c", {"template": {}})
    put(client, "/_index_template/t", {"index_patterns": ["x*"], "composed_of": ["c"]})
    assert client.delete("/_component_template/c*").error()["reason"] == (
        "component templates [c] cannot be removed as they are still in use by index templates [t]"
    )
    wrong = {"template": {"mappings": {"properties": {"a": {"type": "nope"}}}}}
    assert client.put("/_component_template/c", wrong).status == 400


def test_simulation_with_a_template_more(client: Client) -> None:
    body = {"index_patterns": ["a*"], "template": {"aliases": {"z": {}}}}
    shown = {"template": {"settings": {}, "aliases": {"z": {}}}, "overlapping": []}
    assert client.post("/_index_template/_simulate_index/ab", body).json() == shown
    assert client.post("/_index_template/_simulate", body).json() == shown
    assert client.post("/_index_template/_simulate/t", body).json() == shown
    assert client.post("/_index_template/_simulate_index/ab").json() == {}
    assert client.post("/_index_template/_simulate").status == 400
    assert client.get("/_index_template").json() == {"index_templates": []}


def test_patterns_overlap_where_a_name_matches_both() -> None:
    signs = "ab*"
    patterns = ["".join(each) for size in range(4) for each in product(signs, repeat=size)]
    names = ["".join(each) for size in range(7) for each in product("ab", repeat=size)]
    for one, other in product(patterns, repeat=2):
        expected = any(matches(one, name) and matches(other, name) for name in names)
        assert overlap([one], [other]) == expected, (one, other)


def test_meta_is_merged_all_the_way_down(client: Client) -> None:
    body = {"index_patterns": ["m*"], "template": {"mappings": {"_meta": {"a": 1, "b": {"c": 1, "d": 1}}}}}
    client.put("/_index_template/t", body)
    client.put("/m", {"mappings": {"_meta": {"b": {"d": 2}, "e": 3}}})
    assert client.get("/m/_mapping").json()["m"]["mappings"] == {
        "_meta": {"a": 1, "b": {"c": 1, "d": 2}, "e": 3}
    }


def test_only_backing_indices_show_the_field_of_the_moment(client: Client) -> None:
    client.put("/_index_template/t", {"index_patterns": ["x*", ".ds-x*"], "data_stream": {}})
    assert "mappings" not in client.post("/_index_template/_simulate/t").json()["template"]
    shown = client.post("/_index_template/_simulate_index/.ds-x-1").json()["template"]
    assert shown["mappings"] == {
        "_data_stream_timestamp": {"enabled": True},
        "properties": {"@timestamp": {"type": "date"}},
    }
