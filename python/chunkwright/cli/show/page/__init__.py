"""Pages of chunks that the command line writes: their questions, changes and pictures."""
