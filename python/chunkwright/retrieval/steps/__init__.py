"""Steps of a search: words, vectors, neighbours, fusion and the best of them, over arrays."""
