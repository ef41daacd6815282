import logging
from pathlib import Path

import pytest

from lanner.server.config import ConfigError, bind_host, load_settings, parse_overrides, port_range


def load(folder: Path, *pairs: str, **environment: str) -> dict[str, str]:
    names = {name.replace("__", "."): value for name, value in environment.items()}
    return load_settings(parse_overrides(pairs), environment=names, folder=folder)


def test_defaults(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert bind_host(settings) == "127.0.0.1"
    assert port_range(settings) == range(9200, 9301)
    assert settings["path.data"] == "data"


def test_later_sources_win(tmp_path: Path) -> None:
    (tmp_path / "opensearch.yml").write_text(
        "cluster.name: file\nnode:\n  name: file\n  attr: {zone: a}\npath.repo: [x, y]\n"
    )
    settings = load(tmp_path, "node.name=line", cluster__name="env", node__name="env")
    assert settings["cluster.name"] == "env"
    assert settings["node.name"] == "line"
    assert settings["node.attr.zone"] == "a"
    assert settings["path.repo"] == "x,y"


def test_our_file_comes_first(tmp_path: Path) -> None:
    (tmp_path / "opensearch.yml").write_text("cluster.name: theirs\n")
    (tmp_path / "lanner.yml").write_text("cluster.name: ours\n")
    assert load(tmp_path)["cluster.name"] == "ours"
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "lanner.yml").write_text("cluster.name: other\n")
    assert load(tmp_path, OPENSEARCH_PATH_CONF=str(tmp_path / "conf"))["cluster.name"] == "other"


def test_variables_of_the_image_are_taken_or_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        settings = load(
            tmp_path, discovery__type="single-node", OPENSEARCH_JAVA_OPTS="-Xmx1g", LANNER_PORT="0"
        )
    assert "OPENSEARCH_JAVA_OPTS" in caplog.text
    assert port_range(settings) == range(1)


def test_unknown_keys_are_named_with_the_nearest(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    load(tmp_path, "http.prot=1")
    assert "unknown setting [http.prot] is ignored, did you mean [http.port]?" in caplog.text


def test_the_server_is_chosen(tmp_path: Path) -> None:
    assert load(tmp_path)["http.type"] == "lanner"
    assert load(tmp_path, "http.type=granian")["http.type"] == "granian"
    assert load(tmp_path, "http.type=netty4")["http.type"] == "lanner"  # of a file that served before
    with pytest.raises(ConfigError, match=r"unknown http type \[nginx\]"):
        load(tmp_path, "http.type=nginx")


@pytest.mark.parametrize("text", ["a: [", "- 1\n"])
def test_broken_files(tmp_path: Path, text: str) -> None:
    (tmp_path / "lanner.yml").write_text(text)
    with pytest.raises(ConfigError, match=r"lanner\.yml"):
        load(tmp_path)


@pytest.mark.parametrize("pair", ["x", "=1", ""])
def test_bad_overrides(pair: str) -> None:
    with pytest.raises(ConfigError):
        parse_overrides([pair])


@pytest.mark.parametrize("text", ["x", "1-x", "70000", "5-4", "-1"])
def test_bad_ports(text: str) -> None:
    with pytest.raises(ConfigError):
        port_range({"http.port": text})


@pytest.mark.parametrize(
    ("text", "host"), [("_local_", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("localhost", "127.0.0.1")]
)
def test_hosts(text: str, host: str) -> None:
    assert bind_host({"network.host": text}) == host
