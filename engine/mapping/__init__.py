"""Fields and documents: what an index knows about its fields, and how JSON becomes columns."""
