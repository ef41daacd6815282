"""What is wanted, as values that bind to a searcher."""
