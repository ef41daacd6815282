"""The cat tables: one file each. This list is the table of the tables."""

from lanner.server.cat import aliases, count, health, indices, nodes, segments, shards

TABLES = (shards.TABLE, nodes.TABLE, indices.TABLE, segments.TABLE, count.TABLE, health.TABLE, aliases.TABLE)
