"""Readers: from files and foreign objects to text."""
