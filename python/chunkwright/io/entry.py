"""A text to be cut, and where it is from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.io.rows import Carried

if TYPE_CHECKING:
    from chunkwright.document import Document


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
    elements
        The text as elements, if it is made of some.
    """

    name: str
    place: str
    text: str
    carried: Carried | None = None
    elements: "Document | None" = None

    @property
    def document(self) -> "Document":
        """What is cut."""
        from chunkwright.document import Document

        return self.elements or Document(text=self.text, name=self.name)
