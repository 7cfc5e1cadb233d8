"""A splitter of one's own: any function from a text to a list of texts."""


def split(text: str) -> list[str]:
    """Cut at blank lines."""
    return [part.strip() for part in text.split("\n\n") if part.strip()]
