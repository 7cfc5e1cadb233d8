"""Displays of the command line: chunks, comparisons, progress and reports on a terminal."""
