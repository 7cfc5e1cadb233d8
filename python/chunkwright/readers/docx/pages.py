"""Pages of a Word file: where Word broke them when it last showed the document."""

from __future__ import annotations

from chunkwright.readers.docx.parts.names import Node, full


class Pages:
    """The page that the reader is on, if the file says where pages end.

    A break that the author set is written again as a rendered one, behind it.

    Parameters
    ----------
    root
        The document.
    """

    def __init__(self, root: Node) -> None:
        self.are_known: bool = next(root.iter(full("w:lastRenderedPageBreak")), None) is not None
        self._is_set = False
        self.number: int = 1

    def rendered(self) -> None:
        """Begin a page where Word did, unless it is the one that the author began just now."""
        self.number += not self._is_set
        self._is_set = False

    def set(self) -> None:
        """Begin a page where the author does."""
        self.number += 1
        self._is_set = True

    def text(self) -> int:
        """Return the page of a text that stands here."""
        self._is_set = False
        return self.number

    def here(self) -> tuple[int, ...]:
        """Return the page; none if the file does not say where they end."""
        return (self.number,) if self.are_known else ()
