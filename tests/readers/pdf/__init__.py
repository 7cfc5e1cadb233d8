"""Tests of PDF documents, which are drawn as they are needed."""
