"""Imports point downwards: server -> engine -> ext, and inside engine along ENGINE_ORDER."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {"ext": {"ext"}, "engine": {"engine", "ext"}, "server": {"server", "engine", "ext"}}
ENGINE_ORDER = [
    "common",
    "runtime",
    "analysis",
    "query",
    "mapping",
    "script",
    "dsl",
    "aggregation",
    "index",
    "search",
    "ingest",
    "cluster",
    "document",
    "snapshot",
    "security",
    "notifications",
    "monitor",
    "node",
]  # lowest first
IMPORT = re.compile(r"^\s*(?:from|c?import)\s+lanner\.(\w+)(?:\.(\w+))?", re.MULTILINE)
# The server takes from ext what reads HTTP, renders and checks JSON, and tells the cost of a search.
SERVER_FROM_EXT = {"http", "json", "search"}


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".pyx", ".pxd"})


@pytest.mark.parametrize("top", MAY_IMPORT)
def test_folders_import_downwards(top: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports lanner.{name}"
        for path in sources(ROOT / top)
        for name, _ in IMPORT.findall(path.read_text())
        if name not in MAY_IMPORT[top]
    ]
    assert wrong == []


@pytest.mark.parametrize("package", ENGINE_ORDER)
def test_engine_packages_import_downwards(package: str) -> None:
    allowed = set(ENGINE_ORDER[: ENGINE_ORDER.index(package) + 1])
    home = ROOT / "engine" / package
    wrong = [
        f"{path.relative_to(ROOT)} imports lanner.engine.{name}"
        for path in (
            sources(home) if home.is_dir() else [home.with_suffix(".py")] * home.with_suffix(".py").exists()
        )
        for top, name in IMPORT.findall(path.read_text())
        if top == "engine" and name not in allowed
    ]
    assert wrong == []


def test_the_server_takes_little_from_ext() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports lanner.ext.{name}"
        for path in sources(ROOT / "server")
        for top, name in IMPORT.findall(path.read_text())
        if top == "ext" and name not in SERVER_FROM_EXT
    ]
    assert wrong == []


def test_every_package_of_the_engine_is_in_the_order() -> None:
    found = {path.parent.name for path in (ROOT / "engine").glob("*/__init__.py")}
    assert found <= set(ENGINE_ORDER)
