"""Reading of units as batches of documents."""
