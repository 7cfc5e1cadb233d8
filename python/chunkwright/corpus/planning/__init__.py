"""Planning of a run: what is read, which shards it makes, and what their rows look like."""
