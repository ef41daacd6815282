"""Analysis: from the settings of an index to analyzers that turn text into terms, and the _analyze answer."""
