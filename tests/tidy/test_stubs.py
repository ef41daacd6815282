"""Every compiled module has a stub, and every package says what it is for."""

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_pyx_has_a_stub() -> None:
    missing = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "ext").rglob("*.pyx")
        if not path.with_suffix(".pyi").exists()
    ]
    assert missing == []


def test_no_file_is_called_by_what_it_is_not() -> None:
    banned = {"util", "utils", "helper", "helpers", "misc", "manager"}
    found = [
        str(path.relative_to(ROOT))
        for top in ("engine", "ext", "server")
        for path in (ROOT / top).rglob("*.py*")
        if path.stem in banned
    ]
    assert found == []
