"""Which shard a document lives in.

Source: OperationRouting and IndexMetadata of OpenSearch; documented as ``hash(_routing) %
num_routing_shards / routing_factor``. The hash is 32-bit Murmur3 over the UTF-16 (little endian) form of
the text.
"""

import mmh3

_MAX_SPLIT_BITS = 10  # an index may be split up to 1024 shards


def default_routing_shards(number_of_shards: int) -> int:
    """``number_of_routing_shards`` where the settings do not give it: room to double up to 1024 shards."""
    splits = max(1, _MAX_SPLIT_BITS - (number_of_shards - 1).bit_length())
    return number_of_shards << splits


def shard_of(routing: str, number_of_shards: int, routing_shards: int) -> int:
    """The shard for a routing value (the ``_id`` where none is given)."""
    if number_of_shards == 1:
        return 0
    value: int = mmh3.hash(routing.encode("utf-16-le", "surrogatepass"), 0, signed=True)
    return value % routing_shards // (routing_shards // number_of_shards)
