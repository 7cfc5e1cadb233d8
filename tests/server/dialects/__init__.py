"""Dialects of finished applications, asked as their own code asks."""
