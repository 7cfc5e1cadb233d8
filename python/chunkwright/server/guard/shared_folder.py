"""Folder in which the processes of one service put their metrics."""

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Variable of the environment that names it; the library reads it when it is imported."""
