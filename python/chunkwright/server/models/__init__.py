"""Tokenizers and embedders that requests may name."""
