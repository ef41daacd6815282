"""Internet addresses as 16 bytes: version 4 addresses are mapped into version 6, as the index stores them."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from lanner.engine.common.errors import IllegalArgument

_MAPPED = b"\x00" * 10 + b"\xff\xff"
MAX_ADDRESS = b"\xff" * 16
MIN_ADDRESS = b"\x00" * 16


def parse_ip(text: str) -> bytes:
    """Return the 16 bytes of an address; raises IllegalArgument."""
    try:
        packed = ip_address(text).packed
    except ValueError:
        raise IllegalArgument(f"'{text}' is not an IP string literal.") from None
    return packed if len(packed) == 16 else _MAPPED + packed


@lru_cache(maxsize=256)
def parse_network(text: str) -> tuple[bytes, bytes]:
    """Return the first and last address of ``address/prefix``; raises IllegalArgument."""
    address, _, length = text.partition("/")
    if "/" in length or not (length.isascii() and length.isdigit()):
        raise IllegalArgument(f"Expected [ip/prefix] but was [{text}]")
    packed = parse_ip(address)
    bits = int(length)
    if ":" not in address:
        if bits > 32:
            raise IllegalArgument(
                f"Illegal prefix length [{bits}] in [{text}]. Must be 0-32 for IPv4 ranges, 0-128 "
                "for IPv6 ranges"
            )
        bits += 96
    elif bits > 128:
        raise IllegalArgument(
            f"Illegal prefix length [{bits}] in [{text}]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges"
        )
    low = int.from_bytes(packed, "big") >> (128 - bits) << (128 - bits)
    high = low | ((1 << (128 - bits)) - 1)
    return low.to_bytes(16, "big"), high.to_bytes(16, "big")


def render_ip(packed: bytes) -> str:
    """Print 16 bytes as the API does: mapped addresses as version 4, others compressed."""
    if packed.startswith(_MAPPED):
        return str(IPv4Address(packed[12:]))
    return str(IPv6Address(packed))


def next_address(packed: bytes) -> bytes | None:
    """Return the address after one, or None after the last."""
    number = int.from_bytes(packed, "big") + 1
    return None if number >> 128 else number.to_bytes(16, "big")


def previous_address(packed: bytes) -> bytes | None:
    """Return the address before one, or None before the first."""
    number = int.from_bytes(packed, "big")
    return None if number == 0 else (number - 1).to_bytes(16, "big")
