"""Runs over corpora: documents of many sources in, rows of chunks out."""
