"""Runs of an evaluation: their plan and its file, the pipeline, and the cache of finished ones."""
