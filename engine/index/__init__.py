"""One shard, durable: buffer, translog, segments, commits, merges."""
