"""Drop-in replacements for other libraries: their names and arguments, chunkwright's engine."""
