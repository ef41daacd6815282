"""Where the shared data folder is; tests that need it are skipped without it."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("LANNER_SHARED") or Path(__file__).resolve().parents[4] / "shared")


def lines(*parts: str) -> Iterator[str]:
    """Yield the lines of a compressed file."""
    path = FOLDER.joinpath("data", "analysis", *parts)
    if not path.is_file():
        pytest.skip(f"needs {path} (set LANNER_SHARED)")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file
