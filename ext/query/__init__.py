"""Weights and scorers: one module per way of matching."""
