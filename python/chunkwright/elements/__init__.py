"""Elements of a document, their links, and elements at places that the caller knows."""
