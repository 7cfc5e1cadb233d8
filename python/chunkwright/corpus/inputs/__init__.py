"""Inputs of a corpus: files, folders, globs and addresses, as units that are read by themselves."""
