"""Tests of docling-serve's dialect."""
