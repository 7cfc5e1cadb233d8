"""Store of documents, blocks, vectors and citations, in one file of SQLite or in PostgreSQL."""
