"""The parts of a hit beyond its id and score."""
