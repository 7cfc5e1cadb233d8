"""Sources, documents, batches of chunks, and what is missing."""
