"""Aliases of indices; every answer is the reference's."""

import json
from typing import Any

import pytest

from tests.conftest import Client, Response

FILTER = {"term": {"f": "x"}}
NARROW = {"filter": FILTER, "index_routing": "1", "search_routing": "1"}
PLACE = "[aliases] failed to parse field [actions]"
FORBIDDEN = '[ , ", *, \\, <, |, ,, >, /, ?]'


@pytest.fixture
def client(client: Client) -> Client:
    for name in ("x-1", "x-2", "y", ".h"):
        settings = {"number_of_replicas": 0, "index.hidden": name == ".h"}
        properties = {"f": {"type": "keyword"}, "n": {"type": "integer"}}
        client.put(f"/{name}", {"settings": settings, "mappings": {"properties": properties}})
    return client


def act(client: Client, *actions: dict[str, Any]) -> Response:
    return client.post("/_aliases", {"actions": list(actions)})


def done(client: Client, *actions: dict[str, Any]) -> None:
    answer = act(client, *actions)
    assert (answer.status, answer.json()) == (200, {"acknowledged": True})


def reasons(answer: Response) -> list[str]:
    """The reasons of an error, the outermost first."""
    error, found = answer.json()["error"], []
    while error:
        found.append(error["reason"])
        error = error.get("caused_by")
    return found


def aliases(client: Client, path: str) -> dict[str, Any]:
    answer = client.get(path)
    assert answer.status == 200
    return {index: shown["aliases"] for index, shown in answer.json().items()}


def test_actions(client: Client) -> None:
    done(client, {"add": {"index": "x-1", "alias": "a"}})
    done(
        client,
        {"add": {"indices": ["x-1", "x-2"], "alias": "b"}},
        {"add": {"index": "y", "aliases": ["c", "d"], "filter": FILTER, "routing": "1"}},
    )
    assert aliases(client, "/x-1,x-2,y/_alias") == {
        "x-1": {"a": {}, "b": {}},
        "x-2": {"b": {}},
        "y": {"c": NARROW, "d": NARROW},
    }
    done(client, {"remove": {"index": "x*", "alias": "b*"}}, {"add": {"index": "x-2", "alias": "b"}})
    assert aliases(client, "/x-*/_alias") == {"x-1": {"a": {}}, "x-2": {"b": {}}}
    done(client, {"remove": {"index": "x-1", "alias": "b"}}, {"add": {"index": "x-2", "alias": "q"}})
    done(client, {"add": {"indices": "x-1", "aliases": "two"}}, {"remove": {"index": "x-1", "alias": "two"}})
    # nothing is done of what cannot be done as a whole
    assert (
        act(client, {"add": {"index": "y", "alias": "k"}}, {"add": {"index": "no", "alias": "k"}}).status
        == 404
    )
    assert client.head("/_alias/k").status == 404
    # an index may give its name to an alias in one step
    done(client, {"remove_index": {"index": "x-1"}}, {"add": {"index": "x-2", "alias": "x-1"}})
    assert aliases(client, "/x-1/_alias") == {"x-2": {"b": {}, "q": {}, "x-1": {}}}
    answer = act(client, {"remove_index": {"index": "x-2"}}, {"add": {"index": "x-2", "alias": "z"}})
    assert answer.error()["root_cause"] == [
        {
            "type": "index_not_found_exception",
            "reason": "no such index [x-2]",
            "index": "x-2",
            "index_uuid": "_na_",
        }
    ]
    done(client, {"remove_index": {"indices": ["x-2"]}})
    assert client.head("/x-2").status == 404


def test_spellings_of_routing(client: Client) -> None:
    bodies: list[dict[str, Any]] = [
        {"search_routing": "1,2", "index_routing": "1"},
        {"search_routing": "1,2", "routing": "9"},
        {"routing": 7},
        {"indexRouting": "7"},
        {"index-routing": "7"},
        {"searchRouting": "7"},
    ]
    for number, body in enumerate(bodies):
        done(client, {"add": {"index": "x-1", "alias": f"r{number}", **body}})
    assert list(aliases(client, "/_alias/r*")["x-1"].values()) == [
        {"index_routing": "1", "search_routing": "1,2"},
        {"index_routing": "9", "search_routing": "1,2"},
        {"index_routing": "7", "search_routing": "7"},
        {"index_routing": "7"},
        {"index_routing": "7"},
        {"search_routing": "7"},
    ]
    assert reasons(act(client, {"add": {"index": "x-1", "alias": "r", "routing": "1,2"}})) == [
        "alias [r] has several index routing values associated with it"
    ]


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        ([{"remove": {"index": "x-1", "alias": "zz"}}], ["zz"]),
        ([{"remove": {"index": "x-1", "alias": "zz", "must_exist": True}}], ["zz"]),
        ([{"remove": {"index": "x-1", "alias": "zz", "must_exist": False}}], []),
        ([{"remove": {"index": "x-1", "aliases": ["zz", "base"]}}], []),
        ([{"remove": {"index": "x-1", "aliases": ["zz", "base"], "must_exist": True}}], ["zz"]),
        ([{"remove": {"index": "x-1", "alias": "zz*", "must_exist": False}}], []),
        ([{"remove": {"index": "x-1", "alias": "zz*", "must_exist": True}}], ["zz*"]),
        (
            [
                {"remove": {"index": "x-1", "aliases": ["zz", "yy"]}},
                {"remove": {"index": "x-2", "alias": "xx"}},
            ],
            ["zz", "yy", "xx"],
        ),
        (
            [
                {"remove": {"index": "x-1", "alias": "zz", "must_exist": True}},
                {"add": {"index": "x-1", "alias": "ok"}},
            ],
            ["zz"],
        ),
    ],
)
def test_removing_what_is_missing(client: Client, actions: list[dict[str, Any]], missing: list[str]) -> None:
    done(client, {"add": {"index": "x-1", "alias": "base"}})
    answer = act(client, *actions)
    if not missing:
        assert answer.json() == {"acknowledged": True}
        return
    assert answer.status == 404
    assert answer.error()["root_cause"] == [
        {
            "type": "aliases_not_found_exception",
            "reason": f"aliases [{', '.join(missing)}] missing",
            "resource.id": missing[0] if len(missing) == 1 else missing,
            "resource.type": "aliases",
        }
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, ["No action specified"]),
        ({"actions": []}, ["No action specified"]),
        ({"foo": 1}, ["[1:2] [aliases] unknown field [foo]"]),
        ([], ["[1:1] [aliases] Expected START_OBJECT but was: START_ARRAY"]),
        ({"actions": [{"foo": {}}]}, [f"[1:22] {PLACE}", "[1:15] [alias_action] unknown field [foo]"]),
        ({"actions": [{"add": {}}]}, [f"[1:25] {PLACE}", "One of [index] or [indices] is required"]),
        (
            {"actions": [{"remove": {"index": "x"}}]},
            [f"[1:40] {PLACE}", "One of [alias] or [aliases] is required"],
        ),
        (
            {"actions": [{"add": {"index": "x", "alias": "q", "must_exist": True}}]},
            [
                f"[1:65] {PLACE}",
                "[1:65] [alias_action] failed to parse field [add]",
                "[1:51] [add] unknown field [must_exist]",
            ],
        ),
        (
            {"actions": [{"add": {"index": "x", "indices": ["y"], "alias": "q"}}]},
            [
                f"[1:52] {PLACE}",
                "[1:52] [alias_action] failed to parse field [add]",
                "[1:52] [add] failed to parse field [indices]",
                "Only one of [index] and [indices] is supported",
            ],
        ),
        (
            {"actions": [{"add": {"index": "x", "alias": None}}]},
            [
                f"[1:46] {PLACE}",
                "[1:46] [alias_action] failed to parse field [add]",
                "[1:46] [add] alias doesn't support values of type: VALUE_NULL",
            ],
        ),
        (
            {"actions": [{"remove_index": {"index": "x", "alias": "p"}}]},
            [
                f"[1:55] {PLACE}",
                "[1:55] [alias_action] failed to parse field [remove_index]",
                "[1:55] [remove_index] failed to parse field [alias]",
                "[alias] is unsupported for [REMOVE_INDEX]",
            ],
        ),
        (
            {"actions": [{"add": 1}]},
            [f"[1:22] {PLACE}", "[1:22] [alias_action] add doesn't support values of type: VALUE_NUMBER"],
        ),
    ],
)
def test_bad_bodies(client: Client, body: Any, reason: list[str]) -> None:
    answer = client.post("/_aliases", json.dumps(body).encode())
    assert answer.status == 400
    assert reasons(answer) == reason


@pytest.mark.parametrize(
    ("action", "status", "reason"),
    [
        (
            {"index": "x-1", "alias": "y"},
            400,
            "Invalid alias name [y], an index exists with the same name as the alias",
        ),
        (
            {"index": "x-1", "alias": "q q"},
            400,
            f"Invalid alias name [q q]: must not contain the following characters {FORBIDDEN}",
        ),
        (
            {"index": "x-1", "alias": "_all"},
            400,
            "Invalid alias name [_all]: must not start with '_', '-', or '+'",
        ),
        (
            {"index": "base", "alias": "q"},
            400,
            "The provided expression [base] matches an alias, specify the corresponding concrete "
            "indices instead.",
        ),
        ({"index": "no*", "alias": "q"}, 404, "no such index [no*]"),
        ({"index": "x-1,x-2", "alias": "q"}, 404, "no such index [x-1,x-2]"),
        (
            {"index": "x-2", "alias": "w", "is_write_index": True},
            500,
            "alias [w] has more than one write index [x-1,x-2]",
        ),
        (
            {"index": "x-2", "alias": "h"},
            500,
            "alias [h] has is_hidden set to true on indices [x-1] but does not have is_hidden set "
            "to true on indices [x-2]; alias must have the same is_hidden setting on all indices",
        ),
        (
            {"index": "x-1", "alias": "f", "filter": {"bogus": {}}},
            400,
            "failed to parse filter for alias [f]",
        ),
        (
            {"index": "x-1", "alias": "f", "filter": {"term": {"n": "abc"}}},
            400,
            "failed to parse filter for alias [f]",
        ),
    ],
)
def test_refused(client: Client, action: dict[str, Any], status: int, reason: str) -> None:
    done(
        client,
        {"add": {"index": "x-1", "alias": "base"}},
        {"add": {"index": "x-1", "alias": "w", "is_write_index": True}},
        {"add": {"index": "x-1", "alias": "h", "is_hidden": True}},
    )
    answer = act(client, {"add": action})
    assert (answer.status, answer.error()["reason"]) == (status, reason)


def test_new_index_with_a_second_write_alias(client: Client) -> None:
    assert client.put("/z-1", {"aliases": {"w": {"is_write_index": True}}}).status == 200
    answer = client.put("/z-2", {"aliases": {"w": {"is_write_index": True}}})
    assert (answer.status, reasons(answer)) == (500, ["alias [w] has more than one write index [z-1,z-2]"])


@pytest.mark.parametrize(
    ("path", "found", "missing"),
    [
        ("/_alias/a", {"x-1"}, None),
        ("/_alias/a,c", {"x-1", "y"}, None),
        ("/x*/_alias/g*,b", {"x-1", "x-2"}, None),
        ("/y/_alias/a", set(), "alias [a] missing"),
        ("/_alias/no,a", {"x-1"}, "alias [no] missing"),
        ("/_alias/no,nope", set(), "aliases [no,nope] missing"),
        ("/_alias/no*", set(), None),
        ("/_alias/no*,zz*,a,zz", {"x-1"}, "alias [zz] missing"),
        ("/_alias/-a", set(), "alias [-a] missing"),
        ("/_alias/a,-a", set(), "aliases [-a,a] missing"),
        ("/_alias/*,-a", {"x-1", "x-2", "y"}, None),
        ("/x-1/_alias/_all", {"x-1"}, None),
        ("/_alias", {"x-1", "x-2", "y", ".h"}, None),
        ("/_aliases", {"x-1", "x-2", "y", ".h"}, None),
        ("/b/_alias", {"x-1", "x-2"}, None),
        ("/y/_alias?expand_wildcards=none", {"y"}, None),
    ],
)
def test_get(client: Client, path: str, found: set[str], missing: str | None) -> None:
    done(
        client,
        {"add": {"index": "x-1", "alias": "a"}},
        {"add": {"index": "x-*", "alias": "b"}},
        {"add": {"index": "y", "alias": "c", "filter": FILTER, "routing": "1"}},
    )
    answer = client.get(path)
    body = answer.json()
    assert answer.status == (200 if missing is None else 404)
    assert (body.pop("error", None), body.pop("status", None)) == (missing, missing and 404)
    assert set(body) == found
    if path != "/_aliases" and "?" not in path and path != "/_alias":
        assert client.head(path).status == answer.status


def test_head_without_a_name(client: Client) -> None:
    assert client.head("/x-1/_alias").status == 200
    assert client.head("/_alias").status == 405
    assert client.get("/no/_alias").status == 404


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_one_alias(client: Client, method: str) -> None:
    body = {"filter": FILTER, "routing": 1, "is_write_index": True, "is_hidden": False}
    requests: tuple[tuple[str, Any], ...] = (
        ("/y/_alias/s1", None),
        ("/y/_aliases/s2", body),
        ("/x*/_alias/s3", {}),
        ("/y/_alias/s4", {"alias": "s5", "index": "x-1"}),
        ("/_alias/s6", {"index": "y"}),
        ("/_aliases/s7", {"index": "y"}),
        ("/x-1,y/_alias/s8", {"filter": {}}),
        ("/y/_alias/s9", {"routing": ["a"], "filter": None}),
    )
    for path, given in requests:
        answer = client.request(method, path, given)
        assert (answer.status, answer.json()) == (200, {"acknowledged": True})
    assert aliases(client, "/_alias/s*") == {
        "x-1": {"s3": {}, "s5": {}, "s8": {}},
        "x-2": {"s3": {}},
        "y": {
            "s1": {},
            "s2": {**NARROW, "is_write_index": True, "is_hidden": False},
            "s6": {},
            "s7": {},
            "s8": {},
            "s9": {"index_routing": "a", "search_routing": "a"},
        },
    }
    for path, given, reason in (
        ("/_alias/s", None, "[indices] can't be empty"),
        ("/y/_alias/s", {"foo": 1}, "unknown field [foo]"),
        ("/y/_alias/s", {"foo": {}}, "unknown field [foo]"),
        (
            "/y/_alias/s",
            {"is_write_index": "x"},
            "Failed to parse value [x] as only [true] or [false] are allowed.",
        ),
        (
            "/y/_alias/a,b",
            None,
            f"Invalid alias name [a,b]: must not contain the following characters {FORBIDDEN}",
        ),
    ):
        answer = client.request(method, path, given)
        assert (answer.status, reasons(answer)) == (400, [reason])


def test_put_without_a_name_in_the_path(client: Client) -> None:
    assert client.put("/y/_alias", {"alias": "s1"}).status == 200
    assert client.put("/_alias", {"index": "y", "alias": "s2"}).status == 200
    assert client.put("/y/_aliases", {"alias": "s3"}).status == 200
    assert aliases(client, "/y/_alias") == {"y": {"s1": {}, "s2": {}, "s3": {}}}
    assert reasons(client.put("/y/_alias")) == ["[alias] can't be empty string"]


def test_delete(client: Client) -> None:
    done(client, {"add": {"index": "y", "aliases": ["a", "b", "c"]}}, {"add": {"index": "x-1", "alias": "d"}})
    assert client.delete("/y/_alias/a").status == 200
    answer = client.delete("/y/_alias/a")
    assert (answer.status, reasons(answer)) == (404, ["aliases [a] missing"])
    assert client.delete("/y/_aliases/b,zz").status == 200
    assert client.delete("/no/_alias/x").status == 404
    assert client.delete("/_all/_alias/d").status == 200
    assert client.delete("/y/_alias/*").status == 200
    assert reasons(client.delete("/y/_alias/*")) == ["aliases [*] missing"]


def test_cat(client: Client) -> None:
    done(
        client,
        {"add": {"index": "y", "aliases": ["c", "d"], "filter": FILTER, "routing": "1"}},
        {"add": {"index": "x-1", "alias": "w", "is_write_index": False}},
    )
    assert client.get("/_cat/aliases/c,d?v").text == (
        "alias index filter routing.index routing.search is_write_index\n"
        "c     y     *      1             1              -\n"
        "d     y     *      1             1              -\n"
    )
    assert client.get("/_cat/aliases?h=a,i,fi,ri,rs,w&s=a:desc").text == (
        "w x-1 - - - false\nd y   * 1 1 -\nc y   * 1 1 -\n"
    )
    assert client.get("/_cat/aliases/no").text == ""
    assert client.get("/_cat/aliases/c?expand_wildcards=none").text == ""


def test_switching_survives_a_restart_and_writes_follow(client: Client) -> None:
    done(client, {"add": {"index": "x-1", "alias": "live"}})
    assert client.put("/live/_doc/1", {"f": "x"}).json()["_index"] == "x-1"
    done(client, {"remove": {"index": "x-1", "alias": "live"}}, {"add": {"index": "x-2", "alias": "live"}})
    assert client.put("/live/_doc/1?refresh=true", {"f": "x"}).json()["_index"] == "x-2"
    assert client.get("/live/_count").json()["count"] == 1
