"""Section paths: a document's title, and the headings above its chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks
    from chunkwright.elements.elements import Elements

BETWEEN = " > "
# A path is repeated for each chunk and its neighbours, however long the headings are.
_MAX_CHARS = 500


def path_of(names: Sequence[str]) -> str:
    r"""Return headings as one line, from the outermost on: its first 500 code points.

    Examples
    --------
    >>> path_of(["Report", "Sales in\n2023", ""])
    'Report > Sales in 2023'
    """
    said = (" ".join(name[:_MAX_CHARS].split()) for name in names)
    return BETWEEN.join(filter(None, said))[:_MAX_CHARS]


def below(title: str, section: str) -> str:
    """Return a section's path below the title of its document, which it may begin with.

    Examples
    --------
    >>> below("Report", "Report > Sales"), below("report.md", "Report > Sales")
    ('Report > Sales', 'report.md > Report > Sales')
    """
    if not title or section == title or section.startswith(title + BETWEEN):
        return section
    return path_of([title, section]) if section else title


class Sections:
    """Title and sections of one document.

    Parameters
    ----------
    name
        The document's.
    elements
        Its elements; None for a plain text.
    """

    def __init__(self, name: str | None, elements: Elements | None) -> None:
        self._elements = elements
        self._paths: dict[tuple[str, ...], str] = {}
        self.title: str = path_of([name or self._title_heading()])

    def of(self, first: int, end: int) -> str:
        """Return the path of the section that a run of elements is from, as a chunk's headings."""
        if self._elements is None:
            return ""
        headings = self._elements.section(first, end)
        if headings not in self._paths:
            self._paths[headings] = path_of(headings)
        return self._paths[headings]

    def _title_heading(self) -> str:
        """Return what the first heading says, if it stands above all others."""
        if self._elements is None:
            return ""
        kinds = self._elements.kinds[: self._elements.n_body]
        headings = [i for i, kind in enumerate(kinds) if kind == "heading"]
        if not headings or not all(map(self._elements.headings, headings[1:])):
            return ""
        return self._elements.section(headings[0], headings[0] + 1)[-1]


def sections_of(chunks: Chunks, sections: Sequence[Sections]) -> list[str]:
    """Return the path of the section that each chunk is from.

    Parameters
    ----------
    chunks
        Those of any documents.
    sections
        The sections of each document.
    """
    numbers = zip(
        chunks.doc_index.tolist(),
        chunks.first_elements.tolist(),
        chunks.last_elements.tolist(),
        strict=True,
    )
    return [sections[doc].of(first, last + 1) for doc, first, last in numbers]
