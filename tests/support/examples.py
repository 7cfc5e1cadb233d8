"""How many examples a test has generated, as a share of those of the profile."""

from hypothesis import settings


def n_examples(share: float) -> int:
    """Return a share of the profile's number of examples, at least 1."""
    return max(1, round(share * settings().max_examples))
