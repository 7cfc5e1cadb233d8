"""Methods of a store, by what they are about."""
