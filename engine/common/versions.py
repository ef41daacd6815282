"""The version that this service answers with, and its number on the wire and in index settings."""

NUMBER = "2.19.1"
LUCENE = "9.12.1"
MINIMUM_WIRE = "7.10.0"
MINIMUM_INDEX = "7.0.0"
MASK = 0x08000000  # what tells the numbers of this family from the ones before the fork


def version_id(text: str) -> int:
    """The number that stands for a version: ``2.19.1`` is 136407927."""
    major, minor, patch = (int(part) for part in text.split("."))
    return MASK ^ (major * 1_000_000 + minor * 10_000 + patch * 100 + 99)


CREATED = version_id(NUMBER)
