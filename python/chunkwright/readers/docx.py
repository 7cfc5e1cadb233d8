"""Word files (DOCX) as documents: headings, lists, tables, notes and the rest in reading order."""

from __future__ import annotations

import os

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.readers.files import file_of
from chunkwright.readers.text import naming


def read_docx(source: str | os.PathLike[str] | bytes, *, name: str | None = None) -> Document:
    r"""Read a Word file as a document.

    The text is that which Word shows, with a blank line between two elements and a line end between
    the items of a list. Tracked insertions are included; tracked deletions, comments, hidden text
    and prompts of content controls are not.

    - ``"heading"``: a paragraph with an outline level, its own or its style's, with its number. The
      style *Title* is level 1; if there is a title, *Heading 1* is level 2, else 1.
    - ``"list item"``: with its number as Word counts, or ``-``; nested ones are moved by 4 blanks.
    - ``"table"``: merged cells once, tables in a cell as its text. A table of one cell is a frame:
      what is in it is read as if it stood outside.
    - ``"formula"``: an equation alone in its paragraph, as LaTeX in ``$$``; else it is text in
      ``$``.
    - ``"figure"``: what describes the picture; ``"caption"``: with the table or figure beside it.
    - ``"code"``, ``"quote"``: paragraphs of styles for these.
    - ``"footnote"``: footnotes and endnotes, behind what refers to them, which is their parent.
    - ``"page header"``, ``"page footer"``: those of all sections, each once, behind the body.
    - ``"paragraph"``: all else; what is in text boxes stands where they are anchored.

    ``element.pages`` are the pages of the program that saved the file, if it wrote page breaks.

    Parameters
    ----------
    source
        The path of a file, as ``str`` or ``os.PathLike``, or its contents, as ``bytes``.
    name
        The name of the document; by default its path.

    Returns
    -------
    Document
        Its text, its elements and its name.

    Raises
    ------
    ReadError
        If it is not a Word file, or is encrypted, damaged or too large; names the file and the
        part.
    ConfigError
        If ``source`` or ``name`` is of another type.
    """
    file = file_of(source, name)
    with naming(file.place):
        return document_in(file.data, name=file.name)


def document_in(data: bytes, *, name: str | None = None) -> Document:
    """Read the bytes of a Word file; see :func:`read_docx`.

    Raises
    ------
    ReadError
        As there, without the file's name.
    """
    return Document(elements=Elements(_core.elements_of_file("docx", data)), name=name)
