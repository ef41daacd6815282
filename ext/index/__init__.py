"""From documents to segments: the write buffer, its segment, merges."""
