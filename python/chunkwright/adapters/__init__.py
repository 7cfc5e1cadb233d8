"""Adapters of stores to other frameworks: each in the module of its name, with an extra."""
