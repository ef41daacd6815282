"""The cluster state, and what is asked of indices."""
