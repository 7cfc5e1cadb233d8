"""Strategies, one module each: options with their checks, and what the core is told of them."""
