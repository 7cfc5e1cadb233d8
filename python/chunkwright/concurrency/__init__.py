"""Threads and event loops that others compute on: they know nothing of models or texts."""
