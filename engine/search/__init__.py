"""A search over shards: request, query phase, reduce, fetch phase, answer."""
