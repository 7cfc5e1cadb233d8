"""Tokenizers: by name, file or object, what counts for each, and counts of spans."""
