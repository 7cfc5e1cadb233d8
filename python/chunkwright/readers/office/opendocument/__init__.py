"""Readers of OpenDocument files: texts, spreadsheets and presentations."""
