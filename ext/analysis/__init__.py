"""Compiled analysis: char filters, tokenizers and token filters that run without the GIL."""
