"""What depends on Java's hash codes: salts, and the order in which a hash map is walked."""

from collections.abc import Iterable


def java_hash(text: str) -> int:
    """Return the hash code that Java gives a text, as 32 bits without a sign."""
    code = 0
    units = text.encode("utf-16-le", "surrogatepass")
    for i in range(0, len(units), 2):
        code = (code * 31 + units[i] + (units[i + 1] << 8)) & 0xFFFF_FFFF
    return code


def map_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in the order in which a HashMap that they were put into gives them."""
    given = list(keys)
    size = 16
    while len(given) > size * 3 // 4:
        size *= 2

    def bucket(key: str) -> int:
        code = java_hash(key)
        return (code ^ code >> 16) & (size - 1)

    return sorted(given, key=bucket)
