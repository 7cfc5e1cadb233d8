"""Parts of `chunkwright eval`: the models of a plan, its runs, and what is written and shown."""
