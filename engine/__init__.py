"""What search means: mappings, queries, shards, documents, cluster state."""
