"""Which stretches of a text are shown, and what is marked in them."""
