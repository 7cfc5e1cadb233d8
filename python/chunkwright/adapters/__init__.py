"""Adapters of strategies and stores to other frameworks: each in the module of its name."""
