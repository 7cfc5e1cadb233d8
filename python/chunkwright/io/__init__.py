"""Sources and sinks of documents and chunks: files, JSON lines, Parquet, Arrow."""
