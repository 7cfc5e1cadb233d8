"""Output of a run: the folder with its manifest, and what takes the chunks."""
