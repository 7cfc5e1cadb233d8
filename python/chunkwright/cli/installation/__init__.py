"""Installed package: what it is, what it lacks, and what each extra brings."""
