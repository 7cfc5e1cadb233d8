"""Files that are whole or not there, and the cache on disk."""
