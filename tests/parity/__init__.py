"""Compatible surfaces against the libraries they stand in for."""
