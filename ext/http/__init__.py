"""HTTP messages read where Python is too slow."""
