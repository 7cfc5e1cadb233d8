"""Base classes of strategies: options that several share, and the calls that cut by them."""
