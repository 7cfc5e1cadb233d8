"""Streams of documents in and of rows out, over one request."""
