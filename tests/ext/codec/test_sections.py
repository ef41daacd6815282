"""The file format of all parts of an index."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanner.ext.codec.sections import ALIGNMENT, FOOTER, HEADER, MAGIC, VERSION, read_sections, write_sections
from lanner.ext.errors import CorruptIndexError, FormatVersionError


def whole(sections: dict[str, list[bytes]], unsummed: frozenset[str] = frozenset()) -> bytes:
    return b"".join(map(bytes, write_sections("idx", sections.items(), unsummed=unsummed)))


@given(st.dictionaries(st.text(max_size=8), st.lists(st.binary(max_size=100), max_size=3), max_size=6))
def test_what_is_written_is_read(sections: dict[str, list[bytes]]) -> None:
    file = whole(sections)
    found = read_sections("idx", file, verify=True)
    assert {name: bytes(part) for name, part in found.items()} == {
        name: b"".join(parts) for name, parts in sections.items()
    }


def test_sections_begin_at_whole_cache_lines_and_zeros_follow_the_last() -> None:
    file = whole({"a": [b"x"], "b": [b"y" * 65]})
    start = memoryview(file)
    for name, at in (("a", ALIGNMENT), ("b", 2 * ALIGNMENT)):
        part = read_sections("idx", file, verify=True)[name]
        assert bytes(start[at : at + len(part)]) == bytes(part)
    assert file[-FOOTER.size :][:64] == bytes(64)


@settings(max_examples=200)
@given(st.data())
def test_every_flip_and_every_cut_is_noticed(data: st.DataObject) -> None:
    file = bytearray(whole({"a": [b"some bytes"], "empty": [], "b": [b"\0" * 70, b"more"]}))
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(file) - 1))
        file[at] ^= data.draw(st.integers(1, 255))
    else:
        del file[data.draw(st.integers(0, len(file) - 1)) :]
    with pytest.raises((CorruptIndexError, FormatVersionError)):
        read_sections("idx", bytes(file), verify=True)


@pytest.mark.parametrize("version", [0, VERSION + 1, 2**32 - 1])
def test_another_version_is_told_from_damage(version: int) -> None:
    file = whole({"a": [b"x"]})
    head = HEADER.pack(MAGIC, b"idx\0", version)
    with pytest.raises(FormatVersionError, match=f"format version {version} is not {VERSION}"):
        read_sections("idx", head + file[HEADER.size : -HEADER.size] + head, verify=True)


def test_another_kind_of_file_is_refused() -> None:
    with pytest.raises(CorruptIndexError, match="header"):
        read_sections("src", whole({"a": [b"x"]}), verify=True)


def test_sections_that_guard_themselves_are_not_compared() -> None:
    file = bytearray(whole({"a": [b"self"], "b": [b"sum"]}, frozenset(["a"])))
    file[ALIGNMENT] ^= 1
    assert bytes(read_sections("idx", bytes(file), verify=True)["a"]) == b"relf"
    file[2 * ALIGNMENT] ^= 1
    read_sections("idx", bytes(file), verify=False)
    with pytest.raises(CorruptIndexError, match="section b does not match"):
        read_sections("idx", bytes(file), verify=True)
