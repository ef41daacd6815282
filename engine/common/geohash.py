"""Geohashes: cells of the earth as texts, five bits of longitude and latitude in turn a letter.

Source: Niemeyer's geohash.org, 2008.
"""

import math

from lanner.engine.common.geo import Point

BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz"
MOST_LETTERS = 12
_EQUATOR = 2 * math.pi * 6378137.0  # metres, WGS 84
_POLE_TO_POLE = math.pi * 6356752.314245


def encode(point: Point, letters: int) -> str:
    """Return the cell of a point as so many letters, twelve at most."""
    letters = max(0, min(letters, MOST_LETTERS))
    east_bits, north_bits = _bits(letters)
    east = _part(point.lon, 360.0, east_bits)
    north = _part(point.lat, 180.0, north_bits)
    return _text(east, north, letters)


def neighbours(cell: str) -> list[str]:
    """Return the cells around a cell: around the earth, but not beyond a pole."""
    east_bits, north_bits = _bits(len(cell))
    east, north = _numbers(cell)
    return [
        _text((east + right) % (1 << east_bits), north + up, len(cell))
        for up in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (up or right) and 0 <= north + up < 1 << north_bits
    ]


def letters_for(metres: float) -> int:
    """Return how many letters make cells that are no larger than a distance."""
    if metres == 0:
        return MOST_LETTERS
    width = metres / (1 + _POLE_TO_POLE / _EQUATOR)
    parts = math.ceil(_EQUATOR / width)
    if parts == 1:
        return 1
    full, left = divmod(math.ceil(math.log(parts) / math.log(2)), 5)
    return full + (left > 0) + full + (left > 3)


def _bits(letters: int) -> tuple[int, int]:
    """Return how many bits are of the longitude, and of the latitude."""
    return (5 * letters + 1) // 2, 5 * letters // 2


def _part(degrees: float, whole: float, bits: int) -> int:
    share = (degrees + whole / 2) / whole
    return max(0, min(int(share * (1 << bits)), (1 << bits) - 1))


def _text(east: int, north: int, letters: int) -> str:
    east_bits, north_bits = _bits(letters)
    bits = 0
    for i in range(5 * letters):
        if i % 2 == 0:
            east_bits -= 1
            bits = bits << 1 | (east >> east_bits & 1)
        else:
            north_bits -= 1
            bits = bits << 1 | (north >> north_bits & 1)
    return "".join(BASE32[bits >> 5 * (letters - 1 - i) & 31] for i in range(letters))


def _numbers(cell: str) -> tuple[int, int]:
    east = north = 0
    bit = 0
    for letter in cell:
        digit = BASE32.index(letter)
        for shift in (4, 3, 2, 1, 0):
            if bit % 2 == 0:
                east = east << 1 | (digit >> shift & 1)
            else:
                north = north << 1 | (digit >> shift & 1)
            bit += 1
    return east, north
