"""Detached chunks: what a chunk tells apart from its document, for pickles and copies."""
