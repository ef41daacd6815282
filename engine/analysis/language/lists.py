"""Reads the lists of words that lie in the folder lists."""

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "lists"


def read_list(name: str) -> Iterator[str]:
    """Yield the lines of a list, without comments."""
    with (FOLDER / name).open(encoding="utf-8") as file:
        for line in file:
            stripped = line.strip()
            if stripped and not stripped.startswith("#"):
                yield stripped


def read_sections(name: str) -> dict[str, list[str]]:
    """Return the words of each section; the name of a section stands in brackets on a line of its own."""
    sections: dict[str, list[str]] = {}
    words: list[str] = []
    for line in read_list(name):
        if line.startswith("["):
            words = sections.setdefault(line.strip("[]"), [])
        else:
            words += line.split()
    return sections
