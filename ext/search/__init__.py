"""Running a weight over a shard: counts, top docs, sorted hits."""
