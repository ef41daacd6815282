"""Numbers as int64 whose order is the order of the numbers: the sortable bits of floating-point numbers."""

import struct
from math import inf

PACK_DOUBLE = struct.Struct("<d").pack
UNPACK_DOUBLE = struct.Struct("<d").unpack
PACK_FLOAT = struct.Struct("<f").pack
UNPACK_FLOAT = struct.Struct("<f").unpack
PACK_HALF = struct.Struct("<e").pack
UNPACK_HALF = struct.Struct("<e").unpack
PACK_LONG = struct.Struct("<q").pack
UNPACK_LONG = struct.Struct("<q").unpack
PACK_INT = struct.Struct("<i").pack
UNPACK_INT = struct.Struct("<i").unpack
PACK_SHORT = struct.Struct("<h").pack
UNPACK_SHORT = struct.Struct("<h").unpack

LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1


def encode_double(value: float) -> int:
    """Return the sortable bits of a double."""
    bits: int = UNPACK_LONG(PACK_DOUBLE(value))[0]
    return bits if bits >= 0 else bits ^ 0x7FFF_FFFF_FFFF_FFFF


def decode_double(bits: int) -> float:
    """Return the double of sortable bits."""
    value: float = UNPACK_DOUBLE(PACK_LONG(bits if bits >= 0 else bits ^ 0x7FFF_FFFF_FFFF_FFFF))[0]
    return value


def to_float(value: float) -> float:
    """Round to a 32-bit float; too large becomes infinite."""
    try:
        rounded: float = UNPACK_FLOAT(PACK_FLOAT(value))[0]
    except OverflowError:
        return inf if value > 0 else -inf
    return rounded


def encode_float(value: float) -> int:
    """Return the sortable bits of a 32-bit float."""
    bits: int = UNPACK_INT(PACK_FLOAT(value))[0]
    return bits if bits >= 0 else bits ^ 0x7FFF_FFFF


def decode_float(bits: int) -> float:
    """Return the 32-bit float of sortable bits."""
    value: float = UNPACK_FLOAT(PACK_INT(bits if bits >= 0 else bits ^ 0x7FFF_FFFF))[0]
    return value


def to_half(value: float) -> float:
    """Round to a 16-bit float by way of a 32-bit one; too large becomes infinite."""
    try:
        rounded: float = UNPACK_HALF(PACK_HALF(to_float(value)))[0]
    except OverflowError:
        return inf if value > 0 else -inf
    return rounded


def encode_half(value: float) -> int:
    """Return the sortable bits of a 16-bit float."""
    bits: int = UNPACK_SHORT(PACK_HALF(value))[0]
    return bits if bits >= 0 else bits ^ 0x7FFF


def decode_half(bits: int) -> float:
    """Return the 16-bit float of sortable bits."""
    value: float = UNPACK_HALF(PACK_SHORT(bits if bits >= 0 else bits ^ 0x7FFF))[0]
    return value
