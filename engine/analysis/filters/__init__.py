"""Token filters: factories by family. Which names they go by stands in token_filters.py."""
