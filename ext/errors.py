"""What the boundaries of the compiled code raise besides ValueError and MemoryError."""


class CorruptIndexError(Exception):
    """Bytes of an index that are not what was written; the message names the place inside the file."""


class FormatVersionError(Exception):
    """A file of a format, or of a version of a format, that this release does not read."""
