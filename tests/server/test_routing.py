import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanner.server.request import Request
from lanner.server.routing import Route, Router


def handler(request: Request) -> None:
    return None


def router(*lines: str) -> Router:
    split = (line.split() for line in lines)
    return Router(Route(method, path, handler) for method, path in split)


def test_fixed_paths_and_names() -> None:
    table = router("GET /", "GET /_search", "GET /{index}", "GET /{index}/_doc/{id}", "POST /{index}/_search")
    for path, pattern, names in (
        ("/", "/", {}),
        ("/_search", "/_search", {}),
        ("/a", "/{index}", {"index": "a"}),
        ("/_x/", "/{index}", {"index": "_x"}),
        ("/a%2Fb/_doc/%25", "/{index}/_doc/{id}", {"index": "a/b", "id": "%"}),
    ):
        found = table.find("GET", path)
        assert found is not None
        assert (found[0].path, found[1]) == (pattern, names)


@pytest.mark.parametrize("path", ["", "//", "/a//", "/a/_doc", "/a/_doc/", "/a/_doc//", "/a/_doc/1/2"])
def test_paths_without_a_route(path: str) -> None:
    assert router("GET /{index}/_doc/{id}").find("GET", path) is None


def test_a_word_that_leads_nowhere_gives_way_to_a_name() -> None:
    table = router("GET /_nodes/stats", "GET /_nodes/{node}/http", "PUT /_nodes/{node}")
    found = table.find("GET", "/_nodes/stats/http")
    assert found is not None
    assert found[1] == {"node": "stats"}


def test_a_word_does_not_give_way_because_of_the_method() -> None:
    table = router("POST /_bulk", "PUT /_bulk", "GET /{index}")
    assert table.find("GET", "/_bulk") is None
    assert table.methods("/_bulk") == ["PUT", "POST"]
    assert table.methods("/other") == ["GET"]
    assert table.methods("/none/at/all") == []


def test_two_routes_of_one_path_are_refused() -> None:
    with pytest.raises(ValueError, match="two routes for GET /a"):
        router("GET /a", "GET /a")


def test_an_empty_name_stands_at_the_beginning_only() -> None:
    table = router("POST /{index}/_refresh", "GET /{index}", "GET /{index}/_doc/{id}")
    found = table.find("POST", "//_refresh")
    assert found is not None
    assert found[1] == {"index": ""}
    for path in ("//", "", "/i//x", "//idx"):
        assert table.find("GET", path) is None
        assert table.methods(path) == []


SEGMENTS = st.lists(st.sampled_from(["a", "b", "{x}"]), min_size=1, max_size=4)


@given(
    st.sets(SEGMENTS.map(tuple), min_size=1, max_size=8),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=4),
)
def test_words_come_before_names_from_the_left(patterns: set[tuple[str, ...]], path: list[str]) -> None:
    table = router(*("GET /" + "/".join(pattern) for pattern in patterns))
    fitting = [
        pattern
        for pattern in patterns
        if len(pattern) == len(path)
        and all(word in ("{x}", segment) for word, segment in zip(pattern, path, strict=True))
    ]
    for slash in ("", "/"):
        for _ in range(2):  # what was looked up is remembered
            found = table.find("GET", "/" + "/".join(path) + slash)
            if not fitting:
                assert found is None
                continue
            best = min(fitting, key=lambda pattern: [word == "{x}" for word in pattern])
            assert found is not None
            assert found[0].path == "/" + "/".join(best)
