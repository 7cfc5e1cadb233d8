"""Scores of an evaluation: cutoffs, metrics, and the results with their passages."""
