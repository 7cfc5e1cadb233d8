"""HTML pages as documents: their visible text, and the headings, lists, tables and code in it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError
from chunkwright.readers.encodings import Decoded, decode_as_read
from chunkwright.readers.kinds import checked_parts
from chunkwright.readers.text import check_decoding, read_bytes


def read_html(
    source: str | bytes | os.PathLike[str],
    *,
    name: str | None = None,
    drop: Sequence[str] = (),
    encoding: str | None = None,
    errors: str | None = None,
) -> Document:
    r"""Read an HTML page as a document.

    The document's text is what the page shows, a blank line between two elements, each with single
    blanks between its words; ``pre`` keeps its whitespace, ``<br>`` ends a line. Whatever is wrong
    in the HTML is read as browsers do. What is not shown is left out: scripts, styles, templates,
    ``noscript``, and what ``hidden``, ``aria-hidden="true"`` or ``style="display: none"`` hides.

    Elements are headings (``level`` 1 to 6), paragraphs, lists and their items (``level`` is the
    depth, ``parent`` the list, or the item for what else stands in it), tables, code, quotes,
    figures (the ``alt`` of images that stand alone), captions and formulas. A list itself has no
    text. Code has the ``language`` that a class of it, or of a ``div`` around it, states. A
    table's cells are split by blanks, its rows by line ends; what stands in a cell, another
    table included, is text of that cell. A table with ``role="presentation"`` is none.
    ``element.place`` says where an element is in ``source``, its tags included, and
    ``element.html`` gives the HTML of a table, ``element.links`` the targets of links and images.
    Nothing is ever fetched.

    Parameters
    ----------
    source
        The HTML itself, as ``str`` or ``bytes``, or the path of a file as ``os.PathLike``.
    name
        What the document is called, from which ids are derived; by default what ``<title>`` says,
        which is no text of the page.
    drop
        Parts to leave out: ``"nav"``, ``"header"``, ``"footer"``, ``"aside"``, told by tag or by
        role. Headers and footers of an article, a section and the like are kept.
    encoding
        The encoding of bytes, whatever they say themselves. By default it is told by their byte
        order mark, else by the ``charset`` of a ``<meta>`` in the first 1,024 bytes, else by the
        XML declaration in front of the page. If there is none, or it says UTF-8 and that is wrong,
        it is UTF-8 if the bytes are that, else what a ``<meta>`` further behind says, else what
        the bytes look like.
    errors
        What to do with bytes that are no text; as in ``bytes.decode``. By default they are U+FFFD,
        as in browsers, and a warning in the log counts them.

    Returns
    -------
    Document
        The text, its elements, and its name.

    Raises
    ------
    ReadError
        If the file cannot be read, or bytes are not text in their encoding: names the first
        offending byte's offset.
    ConfigError
        If ``drop``, ``encoding`` or ``errors`` names something unknown, or the source is nothing
        that can be read.

    Examples
    --------
    >>> import chunkwright as cw
    >>> html = "<title>Log</title><h1>Rain</h1><p>It <b>rained</b>.<ul><li>a<li>b</ul>"
    >>> page = cw.read_html(html)
    >>> page.text
    'Rain\n\nIt rained.\n\na\n\nb'
    >>> [(element.kind, element.text) for element in page.elements][-2:]
    [('list item', 'a'), ('list item', 'b')]
    >>> page.name, page.elements[1].headings, page.elements[1].place
    ('Log', ('Rain',), (31, 51))
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    parts = checked_parts(drop)
    known = None
    if isinstance(source, str):
        html = source
    else:
        html, known = _decoded(source, name, encoding, errors)
    core = _core.Elements.of_html(html.removeprefix("\ufeff") if known else html, parts)
    called = name if name is not None else core.name or None
    return Document(elements=Elements(core), name=called).with_encoding(known)


def _decoded(source: object, name: str | None, encoding: str | None, errors: str | None) -> Decoded:
    if isinstance(source, os.PathLike):
        data, name = read_bytes(source), str(os.fspath(source))
    elif isinstance(source, bytes | bytearray):
        data = bytes(source)
    else:
        allowed = "a str, bytes or the path of a file as os.PathLike"
        raise ConfigError(f"source must be {allowed}, got {type(source).__name__}")
    check_decoding(encoding, errors)
    place = name or "input"
    return decode_as_read(data, encoding=encoding, errors=errors, is_html=True, name=place)
