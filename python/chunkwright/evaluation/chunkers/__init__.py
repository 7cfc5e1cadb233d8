"""Chunkers of any library: called, named, their chunks kept on disk and placed in the corpora."""
