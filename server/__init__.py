"""HTTP: requests in, answers out. Knows the engine; the engine does not know it."""
