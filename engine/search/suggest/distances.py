"""How alike two words are, from 0 to 1, in five ways.

Both words are known to be within two edits of each other (of insertions, deletions, changes and swaps of
neighbours), so a table of distances is only filled near its diagonal: every step off it costs one, and no
path that counts costs more than `_BAND`. Characters are UTF-16 units where Java counts such. Arithmetic is
that of 32-bit floats, because scores are shown and compared. Source: the classes of Lucene 9.12 in
org.apache.lucene.search.spell (LuceneLevenshteinDistance, LevenshteinDistance, JaroWinklerDistance,
NGramDistance); Winkler 1990 for Jaro-Winkler, Kondrak 2005 for n-grams.
"""

from collections import deque
from collections.abc import Callable

import numpy as np

from lanner.engine.common.errors import IllegalArgument

Distance = Callable[[str, str, int], float]  # word, other, edits between them
_F = np.float32
_ONE = _F(1)
_BAND = 4  # two swaps are four changes at most
_FAR = _F(1e9)
_JARO_THRESHOLD = _F(0.7)


def _units(text: str) -> list[int]:
    """Return the UTF-16 units of a text."""
    if text.isascii():
        return list(text.encode())
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def internal(word: str, other: str, edits: int) -> float:
    """Return one minus the edits per character of the shorter word."""
    if edits == 0:
        return 1.0
    shorter = min(len(word), len(other))
    return float(_ONE - _F(edits) / _F(shorter)) if shorter else float("-inf")


def damerau_levenshtein(word: str, other: str, edits: int) -> float:
    """Return the same: the edits are counted already."""
    return internal(word, other, edits)


def levenshtein(word: str, other: str, edits: int) -> float:
    """Return one minus the edits per unit of the longer word, where a swap is two edits."""
    a, b = _units(word), _units(other)
    if not a or not b:
        return 1.0 if len(a) == len(b) else 0.0
    row = [j if j <= _BAND else 10**9 for j in range(len(b) + 1)]
    for i in range(1, len(a) + 1):
        low, high = max(1, i - _BAND), min(len(b), i + _BAND)
        diagonal = row[low - 1]
        row[low - 1] = i if low == 1 else 10**9
        for j in range(low, high + 1):
            above = row[j] if j < i + _BAND else 10**9
            cost = min(diagonal + (a[i - 1] != b[j - 1]), above + 1, row[j - 1] + 1)
            diagonal = row[j]
            row[j] = cost
    return float(_ONE - _F(row[len(b)]) / _F(max(len(a), len(b))))


def jaro_winkler(word: str, other: str, edits: int) -> float:
    """Return the share of units that stand near each other in both, more for a common beginning."""
    a, b = _units(word), _units(other)
    short, long = (b, a) if len(a) > len(b) else (a, b)
    reach = max(len(long) // 2 - 1, 0)
    places: dict[int, deque[int]] = {}
    for i, unit in enumerate(long):
        places.setdefault(unit, deque()).append(i)
    taken = []
    matched = []
    for i, unit in enumerate(short):
        waiting = places.get(unit)
        while waiting and waiting[0] < i - reach:
            waiting.popleft()
        if waiting and waiting[0] <= i + reach:
            taken.append(waiting.popleft())
            matched.append(unit)
    if not matched:
        return 0.0
    moved = sum(unit != long[i] for unit, i in zip(matched, sorted(taken), strict=True)) // 2
    same = 0
    while same < len(short) and a[same] == b[same]:
        same += 1
    m = _F(len(matched))
    jaro = (m / _F(len(a)) + m / _F(len(b)) + (m - _F(moved)) / m) / _F(3)
    if jaro < _JARO_THRESHOLD:
        return float(jaro)
    return float(jaro + min(_F(0.1), _ONE / _F(len(long))) * _F(same) * (_ONE - jaro))


def ngram(word: str, other: str, edits: int) -> float:
    """Return one minus the distance of the words as sequences of pairs of units, per unit of the longer."""
    a, b = _units(word), _units(other)
    if not a or not b:
        return 1.0 if len(a) == len(b) else 0.0
    longer = _F(max(len(a), len(b)))
    if len(a) < 2 or len(b) < 2:
        same = sum(x == y for x, y in zip(a, b, strict=False))
        return float(_F(same) / longer)
    row = [_F(i) if i <= _BAND else _FAR for i in range(len(a) + 1)]
    for j in range(1, len(b) + 1):
        low, high = max(1, j - _BAND), min(len(a), j + _BAND)
        diagonal = row[low - 1]
        row[low - 1] = _F(j) if low == 1 else _FAR
        for i in range(low, high + 1):
            above = row[i] if i < j + _BAND else _FAR
            cost = min(row[i - 1] + _ONE, above + _ONE, diagonal + _pair_cost(a, i, b, j))
            diagonal = row[i]
            row[i] = cost
    return float(_ONE - row[len(a)] / longer)


def _pair_cost(a: list[int], i: int, b: list[int], j: int) -> np.float32:
    """Return how the pairs that end at two units differ; the same sign stands before both words."""
    last = a[i - 1] != b[j - 1]
    if i == 1 and j == 1:
        return _F(last)  # the equal signs before do not count
    before = i == 1 or j == 1 or a[i - 2] != b[j - 2]
    return _F(last + before) / _F(2)


DISTANCES: dict[str, Distance] = {
    "internal": internal,
    "damerau_levenshtein": damerau_levenshtein,
    "levenshtein": levenshtein,
    "jaro_winkler": jaro_winkler,
    "ngram": ngram,
}


def distance_named(name: str) -> Distance:
    """Return a way by its name; raises IllegalArgument."""
    found = DISTANCES.get(name.lower())
    if found is None:
        raise IllegalArgument(f"Illegal distance option {name}")
    return found
