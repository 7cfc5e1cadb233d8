"""Bodies of requests: bytes, files and sources of documents, within limits."""
