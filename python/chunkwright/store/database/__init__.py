"""Databases of stores: one module each, behind one protocol."""
