"""Import of documents: read, cut, matched with what the store has, and written as versions."""
