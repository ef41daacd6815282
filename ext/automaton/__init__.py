"""Sets of terms as machines, and their walk over a dictionary."""
