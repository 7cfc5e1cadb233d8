"""Readers of office files and books: slides, sheets, texts, and those of before 2007."""
