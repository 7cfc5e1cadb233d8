"""reStructuredText as a document whose text is the source, with its headings, code and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.readers.kinds import read_source

if TYPE_CHECKING:
    from chunkwright.document import Document


def read_rst(text: str, *, name: str | None = None) -> Document:
    r"""Read reStructuredText as a document: as docutils has it, with the directives of Sphinx.

    The text of the document is the source itself, so that chunks and elements are places in it.
    An element is a block with its marks:

    - ``"heading"``: a title with its adornment; ``level`` is the order in which adornments come in
      the file, and in ``element.headings`` titles stand without them
    - ``"list item"``: an item with its first paragraph: of a list with bullets or numbers, a field,
      an option, a term, and an object such as ``.. function::``; ``level`` says how many lists it
      stands in, and what else is nested in it has the item as its ``parent``
    - ``"code"``: literal blocks, sessions of Python, ``code-block`` and others, with their
      ``language``, if it is stated
    - ``"table"``: simple tables, grid tables, ``list-table`` and ``csv-table``; parts repeat the
      header where a table is split between rows, and a title is its ``"caption"``
    - ``"figure"`` with its ``"caption"``, ``"formula"``, ``"quote"``, ``"footnote"``
    - ``"paragraph"``: all other text; notes and other directives with their first paragraph, of
      which what else they hold has them as ``parent``

    Comments, labels and directives that show nothing, such as ``.. index::``, are not elements.
    They stay in the text, and so in the chunks around them.

    ``element.links`` gives the targets of references, pictures and addresses. Roles such as
    ``:ref:`` are text.

    Parameters
    ----------
    text
        The source. Any text can be read; time and memory are linear in it.
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
    >>> text = "Rain\n====\n\nIt fell::\n\n    rain --more\n\n.. note:: It stopped.\n"
    >>> document = cw.read_rst(text)
    >>> [element.kind for element in document.elements]
    ['heading', 'paragraph', 'code', 'paragraph']
    >>> document.elements[2].headings
    ('Rain',)
    """
    return read_source("rst", text, name)
