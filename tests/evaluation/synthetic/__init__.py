"""Tests of questions that a model makes."""
