"""What is asked of documents: write, read, update, delete, many at once."""
