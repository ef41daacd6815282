"""How the parts of a segment lie in bytes."""
