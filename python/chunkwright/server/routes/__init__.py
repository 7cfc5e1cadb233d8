"""Our own routes, one file a subject."""
