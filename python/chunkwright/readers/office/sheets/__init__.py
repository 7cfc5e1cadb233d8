"""Sheets of workbooks: their cells as they are shown, and the tables in them."""
