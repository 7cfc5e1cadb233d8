"""Markdown as a document whose text is the source, with its headings, items, code and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.elements.elements import Elements
from chunkwright.readers.kinds import read_source

if TYPE_CHECKING:
    from chunkwright.document import Document


def read_markdown(text: str, *, name: str | None = None) -> Document:
    r"""Read Markdown as a document: CommonMark with tables, footnotes, formulas and front matter.

    The text of the document is the source itself, so that chunks and elements are places in it.
    An element is a block with its marks (``#``, ``-``, ``>``, ``\`\`\```):

    - ``"heading"``: of ``level`` 1 to 6, outside lists and quotes; in ``element.headings`` those
      above it stand without marks
    - ``"list item"``: the item's own text; ``level`` says how many lists it stands in, and what is
      nested in it has the item as its ``parent``
    - ``"code"``: with its ``language``, if it is stated; front matter is code in ``"yaml"`` or
      ``"toml"``
    - ``"table"``, whose parts repeat the header where it is split between rows
    - ``"quote"``: of ``level`` 1, in a quote in a quote of 2; ``"footnote"``: its definition
    - ``"figure"``: a paragraph of images alone; ``"formula"``: of a displayed formula
    - ``"paragraph"``: all other text, blocks of HTML and definitions of references

    ``element.links`` gives the targets of links and images, those by reference included.

    Parameters
    ----------
    text
        The source. Any text is Markdown; time and memory are linear in it.
    name
        The name of the document, from which ids are derived.

    Returns
    -------
    Document
        The source and its elements.

    Raises
    ------
    ConfigError
        If ``text`` or ``name`` is not a ``str``.

    Examples
    --------
    >>> import chunkwright as cw
    >>> document = cw.read_markdown("# Rain\n\nIt rained.\n\n```sh\n# no heading\n```\n")
    >>> [element.kind for element in document.elements]
    ['heading', 'paragraph', 'code']
    >>> code = document.elements[2]
    >>> code.language, code.headings, code.lines
    ('sh', ('Rain',), (5, 7))
    """
    return read_source("markdown", text, name)


def markdown_elements(text: str) -> Elements:
    """Return the elements of a Markdown text."""
    return Elements(_core.Elements.of_kind("markdown", text))
