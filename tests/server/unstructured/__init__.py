"""Tests of the dialect of the unstructured-api."""
