"""Runs of many requests to a language model: in order, cached, counted, within a budget."""
