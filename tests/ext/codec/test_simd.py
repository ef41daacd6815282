"""The loops of simd.h against slow Python, for every width; the header is compiled here, by itself."""

import ctypes
import functools
import itertools
import operator
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.codec import pack, unpack

COMPILER = shutil.which("gcc") or shutil.which("cc")
ROOT = Path(__file__).resolve().parents[3]
PAD = 64  # bytes beyond the packed ones that a vector may load, as sections have them

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    path = tmp_path_factory.mktemp("kernels") / "kernels.so"
    checked = ["-g", "-fsanitize=address,undefined"] if os.environ.get("LANNER_CHECKED") else []
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    command = [str(COMPILER), "-O3", *checked, "-fPIC", "-shared", f"-I{ROOT / 'ext'}", "-o", str(path)]
    subprocess.run([*command, str(Path(__file__).with_name("kernels.c"))], check=True, env=environment)
    loaded = ctypes.CDLL(str(path))
    loaded.t_extract.restype = ctypes.c_uint32
    loaded.t_sum.restype = ctypes.c_uint32
    loaded.t_popcount_and.restype = ctypes.c_int64
    loaded.t_tight_at.restype = ctypes.c_uint32
    loaded.t_tight_size.restype = ctypes.c_int64
    loaded.t_shifted_pairs.restype = ctypes.c_uint32
    loaded.t_gaps.restype = ctypes.c_uint32
    loaded.t_any.restype = ctypes.c_uint32
    loaded.t_sum64.restype = ctypes.c_uint64
    return loaded


@pytest.fixture(scope="module", params=(0, 3, 4))
def kernels(library: ctypes.CDLL, request: pytest.FixtureRequest) -> ctypes.CDLL:
    """The loops for each generation of processors up to this one; an older one stands in for a newer."""
    library.t_use(min(request.param, library.t_level()))
    return library


def pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[int, list[int]]:
    """A width, and 128 values of which one at least needs it."""
    bits = draw(st.integers(0, 32))
    most = (1 << bits) - 1
    seed = draw(st.randoms(use_true_random=False))
    values = [seed.randint(0, most) if seed.random() < 0.5 else seed.choice([0, most]) for _ in range(128)]
    values[draw(st.integers(0, 127))] = most
    return bits, values


@settings(max_examples=300, deadline=None)
@given(blocks(), st.integers(0, 2**32 - 1))
def test_packing(kernels: ctypes.CDLL, block: tuple[int, list[int]], base: int) -> None:
    bits, values = block
    given_values = np.array(values, np.uint32)
    packed = np.full(16 * bits + PAD, 0xAA, np.uint8)
    kernels.t_pack(pointer(given_values), bits, pointer(packed))
    assert bytes(packed[: 16 * bits]) == pack(values, bits)
    assert set(packed[16 * bits :]) == {0xAA}
    assert unpack(bytes(packed), bits) == values
    out = np.zeros(128, np.uint32)
    kernels.t_unpack(pointer(packed), bits, pointer(out))
    assert out.tolist() == values
    kernels.t_unpack_sums(pointer(packed), bits, ctypes.c_uint32(base), pointer(out))
    assert out.tolist() == ((np.cumsum(values) + base) % 2**32).tolist()
    assert [kernels.t_extract(pointer(packed), bits, i) for i in range(128)] == values


@settings(max_examples=300, deadline=None)
@given(blocks(), st.integers(0, 127), st.integers(1, 128), st.integers(0, 2**32 - 1))
def test_part_of_a_block(
    kernels: ctypes.CDLL, block: tuple[int, list[int]], first: int, n: int, base: int
) -> None:
    bits, values = block
    part = values[first : first + n]
    packed = np.frombuffer(pack(values, bits) + bytes(PAD), np.uint8)
    out = np.zeros(len(part) + 15, np.uint32)
    kernels.t_some_sums(pointer(packed), bits, first, len(part), ctypes.c_uint32(base), pointer(out))
    assert out[: len(part)].tolist() == ((np.cumsum(part) + base) % 2**32).tolist()
    exact = np.array(part, np.uint32)
    assert kernels.t_sum(pointer(exact), len(part)) == sum(part) % 2**32


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=128), st.integers(0, 2**32 - 1))
def test_what_a_writer_asks_of_a_run(kernels: ctypes.CDLL, values: list[int], base: int) -> None:
    for run in (values, sorted(values), sorted(set(values))):
        array = np.array(run, np.uint32)
        gaps = [(after - before) % 2**32 for before, after in itertools.pairwise([base, *run])]
        out = np.zeros(len(run), np.uint32)
        found = kernels.t_gaps(pointer(array), len(run), ctypes.c_uint32(base), pointer(out))
        assert out.tolist() == gaps
        assert found == functools.reduce(operator.or_, gaps)
        size = ctypes.c_int64(len(run))
        assert kernels.t_any(pointer(array), size) == functools.reduce(operator.or_, run)
        assert kernels.t_sum64(pointer(array), size) == sum(run)
        assert bool(kernels.t_ascend(pointer(array), size)) == (run == sorted(set(run)))


@pytest.mark.parametrize("n", [1, 15, 16, 100, 128])
def test_impacts_round_after_every_step(kernels: ctypes.CDLL, n: int) -> None:
    rnd = np.random.default_rng(n)
    docs = np.sort(rnd.choice(1000, n, replace=False)).astype(np.uint32)
    rest = rnd.integers(0, 50, n).astype(np.uint32)
    norms = rnd.integers(0, 256, 1000).astype(np.uint8)
    inverse = rnd.random(256).astype(np.float32)
    one = np.float32(1)
    for freqs, lengths in ((rest, norms), (None, norms), (rest, None), (None, None)):
        x = inverse[lengths[docs]] if lengths is not None else np.full(n, inverse[1])
        if freqs is not None:
            x = (freqs + 1).astype(np.float32) * x
        out = np.zeros(n, np.float32)
        kernels.t_impacts(
            pointer(docs),
            pointer(freqs) if freqs is not None else None,
            pointer(lengths) if lengths is not None else None,
            pointer(inverse),
            n,
            pointer(out),
        )
        assert out.tolist() == (one - one / (one + x)).tolist()


def test_width(kernels: ctypes.CDLL) -> None:
    for bits in range(33):
        assert kernels.t_width(ctypes.c_uint32((1 << bits) - 1)) == bits
        if bits:
            assert kernels.t_width(ctypes.c_uint32(1 << (bits - 1))) == bits


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 700), min_size=1, max_size=255, unique=True),
    st.lists(st.integers(0, 700), min_size=1, max_size=256, unique=True),
)
def test_meet(kernels: ctypes.CDLL, among: list[int], wanted: list[int]) -> None:
    among, wanted = sorted(among), sorted(wanted)
    sorted_ = np.array(among + [0x7FFFFFFF] * 16, np.uint32)
    values = np.array(wanted, np.uint32)
    mine, theirs = np.zeros(len(wanted), np.uint8), np.zeros(len(wanted), np.uint8)
    hits = kernels.t_meet(
        pointer(values), len(wanted), pointer(sorted_), len(among), pointer(mine), pointer(theirs)
    )
    common = [value for value in wanted if value in among]
    assert mine[:hits].tolist() == [wanted.index(value) for value in common]
    assert theirs[:hits].tolist() == [among.index(value) for value in common]


@settings(max_examples=300, deadline=None)
@given(
    st.integers(1, 3000),
    st.integers(1, 256),
    st.sampled_from([60, 700, 4000, 65536]),
    st.lists(st.integers(0, 65535), min_size=64, max_size=64),
    st.integers(0, 2**32 - 1),
)
def test_meet16(kernels: ctypes.CDLL, n: int, m: int, universe: int, behind: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    among = np.sort(rng.choice(universe, min(n, universe), replace=False)).astype(np.uint16)
    wanted = np.sort(rng.choice(universe, min(m, universe), replace=False)).astype(np.uint16)
    readable = np.concatenate([among, np.array(behind, np.uint16)])
    mine, theirs = np.zeros(len(wanted), np.uint8), np.zeros(len(wanted), np.uint16)
    hits = kernels.t_meet16(
        pointer(wanted), len(wanted), pointer(readable), len(among), pointer(mine), pointer(theirs)
    )
    _, in_wanted, in_among = np.intersect1d(wanted, among, return_indices=True)
    assert mine[:hits].tolist() == in_wanted.tolist()
    assert theirs[:hits].tolist() == in_among.tolist()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=128), st.integers(1, 400), st.booleans())
def test_narrow(kernels: ctypes.CDLL, docs: list[int], greatest: int, ascending: bool) -> None:
    if ascending:
        docs = sorted(set(docs))
    gaps = [doc % greatest for doc in docs]
    lows, bytes_ = np.zeros(len(docs), np.uint16), np.zeros(len(docs), np.uint8)
    wide, wide_gaps = np.array(docs, np.uint32), np.array(gaps, np.uint32)
    flags = kernels.t_narrow(pointer(wide), pointer(wide_gaps), len(docs), pointer(lows), pointer(bytes_))
    assert lows.tolist() == [doc & 0xFFFF for doc in docs]
    assert bytes_.tolist() == [min(gap, 255) for gap in gaps]
    assert flags & 1 == all(a < b for a, b in zip(docs, docs[1:], strict=False))
    assert flags >> 1 == (max(gaps) < 255)
    assert kernels.t_sum8(pointer(bytes_), len(docs)) == sum(bytes_.tolist())


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 128), st.integers(0, 2**32 - 1))
def test_score_is_that_of_single_floats(kernels: ctypes.CDLL, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    docs = np.sort(rng.choice(1000, 128, replace=False)).astype(np.uint32)
    gaps = rng.integers(0, 2 ** rng.integers(0, 24), 128).astype(np.uint32)
    norms = rng.integers(0, 256, 1000).astype(np.uint8)
    inverse = rng.random(256).astype(np.float32)
    weight = np.float32(rng.random() * 20)
    out = np.zeros(128, np.float32)
    arguments = pointer(docs), pointer(gaps), pointer(norms), pointer(inverse), ctypes.c_float(float(weight))
    kernels.t_score(*arguments, n, pointer(out))
    one = np.float32(1)
    expected = weight - weight / (one + (gaps.astype(np.float32) + one) * inverse[norms[docs]])
    # the compiler may join a product and a sum into one rounding
    assert out[:n].tolist() == pytest.approx(expected[:n].tolist(), rel=1e-5, abs=float(weight) * 2e-7)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 128), st.floats(0, 1, width=32), st.integers(0, 2**32 - 1))
def test_keep_and_gather(kernels: ctypes.CDLL, n: int, least: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 9, 2048 + 16).astype(np.float32) / 8
    docs = np.arange(100, 100 + len(cells), dtype=np.uint32)
    out_docs, out_scores = np.zeros(2048 + 16, np.uint32), np.zeros(2048 + 16, np.float32)
    m = kernels.t_keep(
        pointer(docs), pointer(cells), n, ctypes.c_float(least), pointer(out_docs), pointer(out_scores)
    )
    kept = np.flatnonzero(cells[:n] >= np.float32(least))
    assert out_docs[:m].tolist() == (kept + 100).tolist()
    assert out_scores[:m].tolist() == cells[kept].tolist()
    m = kernels.t_gather(
        pointer(cells),
        2048,
        ctypes.c_float(least),
        ctypes.c_uint32(7),
        pointer(out_docs),
        pointer(out_scores),
    )
    kept = np.flatnonzero(cells[:2048] >= np.float32(least))
    assert out_docs[:m].tolist() == (kept + 7).tolist()
    assert out_scores[:m].tolist() == cells[kept].tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5), st.integers(0, 2**32 - 1), st.data())
def test_ranges(kernels: ctypes.CDLL, kind: Any, words: int, seed: int, data: st.DataObject) -> None:
    most = int(np.iinfo(kind).max)
    lo = data.draw(st.integers(0, most))
    hi = data.draw(st.integers(lo, most))
    rng = np.random.default_rng(seed)
    values = rng.integers(0, most, 64 * words, dtype=kind, endpoint=True)
    values[: 64 * words : 3] = rng.choice(
        np.array([lo, hi, max(lo, 1) - 1, min(hi, most - 1) + 1], kind), len(values[::3])
    )
    out = np.ones(words + 1, np.uint64)  # what is set stays set
    function = getattr(kernels, f"t_range{8 * np.dtype(kind).itemsize}")
    function(
        pointer(values), ctypes.c_int64(64 * words), ctypes.c_uint64(lo), ctypes.c_uint64(hi), pointer(out)
    )
    hit = [lo <= int(v) <= hi for v in values]
    expected = [sum(1 << i for i in range(64) if hit[64 * w + i]) | 1 for w in range(words)]
    assert out.tolist() == [*expected, 1]
    other = rng.integers(0, 2**63, words + 1, dtype=np.uint64)
    common = sum((int(a) & int(b)).bit_count() for a, b in zip(out, other, strict=True))
    assert kernels.t_popcount_and(pointer(out), pointer(other), ctypes.c_int64(words + 1)) == common


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 32), st.integers(0, 400), st.integers(0, 2**32 - 1), st.integers(0, 2**31))
def test_tight_packing(kernels: ctypes.CDLL, bits: int, n: int, seed: int, base: int) -> None:
    values = np.random.default_rng(seed).integers(0, 2**bits, n, np.uint64).astype(np.uint32)
    size = (n * bits + 7) // 8
    packed = np.full(size + 16, 0xAA, np.uint8)
    assert kernels.t_tight_size(ctypes.c_uint64(n), bits) == size
    kernels.t_tight_pack(pointer(values), bits, ctypes.c_int64(n), pointer(packed))
    whole = int.from_bytes(bytes(packed[:size]), "little")
    assert [whole >> i * bits & (1 << bits) - 1 for i in range(n)] == values.tolist()
    assert set(packed[size + 8 :]) == {0xAA}
    out = np.zeros(n + 1, np.uint32)
    kernels.t_tight_unpack(pointer(packed), bits, n, pointer(out))
    assert out.tolist() == [*values.tolist(), 0]
    kernels.t_tight_sums(pointer(packed), bits, n, ctypes.c_uint32(base), pointer(out))
    assert out[:n].tolist() == ((np.cumsum(values.astype(np.uint64)) + base) % 2**32).tolist()
    at = [kernels.t_tight_at(pointer(packed), bits, ctypes.c_uint64(i)) for i in range(n)]
    assert at == values.tolist()


def some_positions(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.sort(rng.choice(max(3 * n, 4), n, replace=False)).astype(np.uint32)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 90), st.integers(1, 90), st.integers(-40, 40), st.integers(0, 2**32 - 1))
def test_shifted_pairs(kernels: ctypes.CDLL, n: int, m: int, delta: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = some_positions(rng, n), some_positions(rng, m)
    wanted = len({int(x) + delta for x in a} & {int(x) for x in b})
    assert kernels.t_shifted_pairs(pointer(a), n, pointer(b), m, ctypes.c_uint32(delta % 2**32)) == wanted


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 128), st.integers(-3, 3), st.integers(0, 2**32 - 1))
def test_phrase_freqs(kernels: ctypes.CDLL, n: int, delta: int, seed: int) -> None:
    """Two blocks of n documents: sums of positions run on from one to the next, from before the first."""
    rng = np.random.default_rng(seed)
    sides = []
    for _ in range(2):
        each = [some_positions(rng, int(k)) for k in rng.choice([1, 1, 2, 5, 40, 100], n)]
        gaps = [np.diff(x, prepend=np.uint32(0)) for x in each]
        before = rng.integers(0, 9, int(rng.integers(0, 4)))
        summed = np.cumsum(np.concatenate([before, *gaps])).astype(np.uint32)
        starts = (np.cumsum([0, *map(len, each[:-1])]) + len(before)).astype(np.uint32)
        counts = np.array([len(x) - 1 for x in each], np.uint32)
        sides.append((each, (starts, counts, summed)))
    at = [np.sort(rng.choice(n, min(n, 20), replace=False)).astype(np.uint8) for _ in sides]
    freqs = np.zeros(len(at[0]), np.uint32)
    arguments = [pointer(x) for _, arrays in sides for x in arrays]
    kernels.t_phrase_freqs(
        pointer(at[0]),
        pointer(at[1]),
        len(freqs),
        *arguments,
        ctypes.c_uint32(delta % 2**32),
        pointer(freqs),
    )
    assert freqs.tolist() == [
        len({int(x) + delta for x in sides[0][0][i]} & {int(x) for x in sides[1][0][j]})
        for i, j in zip(at[0], at[1], strict=True)
    ]
