"""A text to be cut, and where it is from."""

from dataclasses import dataclass

from chunkwright.cli.rows import Carried


@dataclass(frozen=True, slots=True)
class Entry:
    """A text to be cut.

    Parameters
    ----------
    name
        The document's name, from which ids are derived.
    place
        Where it was found, for messages.
    text
        The text.
    carried
        What else its row has.
    """

    name: str
    place: str
    text: str
    carried: Carried | None = None
