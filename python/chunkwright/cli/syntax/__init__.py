"""Syntax of the command line: its commands, their arguments and flags, and their help."""
