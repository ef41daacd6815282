"""Nothing is exported to Python: the functions are cimported."""
