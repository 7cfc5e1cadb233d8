"""Boundaries that a language model is asked for: windows of pieces, requests, answers."""
