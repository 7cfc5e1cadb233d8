"""Search of a store: candidates by words and vectors, shadows of borderline ones, expansion."""
