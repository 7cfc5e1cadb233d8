"""Detached rows: what a chunk or elements say apart from their document, for pickles and copies."""
