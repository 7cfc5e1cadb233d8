"""Tests of the adapters to other frameworks."""
