"""Data of an evaluation: corpora, and questions with the passages that answer them."""
