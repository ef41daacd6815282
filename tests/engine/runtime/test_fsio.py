"""The real disk and the simulated one behave alike."""

from pathlib import Path

import pytest

from lanner.engine.runtime.fsio import FileSystem, RealFileSystem
from tests.crash.simulated import MemoryFileSystem


@pytest.fixture(params=["real", "memory"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[FileSystem, str]:
    if request.param == "real":
        return RealFileSystem(), str(tmp_path)
    return MemoryFileSystem(folders={"/d"}), "/d"


def test_files(disk: tuple[FileSystem, str]) -> None:
    files, root = disk
    path = f"{root}/a"
    file = files.create(path)
    files.append(file, [b"ab", b"", memoryview(b"cdef")])
    files.append(file, [b"%d" % (number % 10) for number in range(1300)])
    assert file.size == files.size(path) == 1306
    files.write_at(file, 1, b"XY")
    assert files.read_at(file, 0, 6) == b"aXYdef"
    assert files.read_at(file, 1300, 100) == b"456789"
    files.truncate(file, 4)
    files.fsync(file)
    files.fdatasync(file)
    files.close(file)
    files.close(file)
    assert files.read(path) == bytes(files.map(path)) == b"aXYd"
    again = files.open(path)
    files.append(again, [b"!"])
    files.close(again)
    assert files.read(path) == b"aXYd!"
    with pytest.raises(FileExistsError):
        files.create(path)


def test_names(disk: tuple[FileSystem, str]) -> None:
    files, root = disk
    files.mkdir(f"{root}/x")
    files.mkdir(f"{root}/x")
    assert files.write_new(f"{root}/x/1", [b"one"], sync=True) == 3
    files.write_new(f"{root}/x/2", [], sync=False)
    files.rename(f"{root}/x/1", f"{root}/x/2")
    files.fsync_dir(f"{root}/x")
    assert files.list(f"{root}/x") == ["2"]
    assert files.read(f"{root}/x/2") == b"one"
    assert files.is_dir(f"{root}/x")
    assert not files.is_dir(f"{root}/x/2")
    assert files.exists(f"{root}/x/2")
    assert not files.exists(f"{root}/x/1")
    for call in (files.read, files.open, files.unlink, files.size, files.map, files.list):
        with pytest.raises(FileNotFoundError):
            call(f"{root}/nosuch")
    files.remove_tree(f"{root}/x")
    files.remove_tree(f"{root}/x")
    assert files.list(root) == []


def test_mapping_outlives_its_file(tmp_path: Path) -> None:
    files = RealFileSystem()
    path = str(tmp_path / "a")
    files.write_new(path, [b"hello"], sync=False)
    mapped = files.map(path)
    files.unlink(path)
    assert bytes(mapped) == b"hello"
