"""Arrow tables of documents as tables of chunks: one object for all engines."""
