"""JSON as bytes: checking, numbers, layout."""
