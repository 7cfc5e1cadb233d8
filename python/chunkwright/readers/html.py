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

    The text is that which the page shows, with a blank line between two elements and single blanks
    between words; ``pre`` keeps its whitespace, ``<br>`` ends a line. Errors in the HTML are
    repaired as in browsers. Hidden parts are left out: scripts, styles, templates, ``noscript``,
    and everything with ``hidden``, ``aria-hidden="true"`` or ``style="display: none"``.

    Elements are headings (``level`` 1 to 6), paragraphs, lists and their items (``level`` is the
    depth, ``parent`` the list, or the item for what else stands in it), tables, code, quotes,
    figures (the ``alt`` of images that stand alone), captions and formulas. A list itself has no
    text. Code has the ``language`` that a class of it, or of a ``div`` around it, states. A
    table's cells are separated by blanks, its rows by line ends; the contents of a cell, even
    another table, are text of that cell. A table with ``role="presentation"`` is not a table.
    ``element.place`` is the place of an element in ``source``, including its tags,
    ``element.html`` the HTML of a table, and ``element.links`` has the targets of links and images.
    Nothing is ever fetched.

    Parameters
    ----------
    source
        The HTML itself, as ``str`` or ``bytes``, or the path of a file as ``os.PathLike``.
    name
        The name of the document, from which ids are derived; by default the ``<title>``, which is
        not part of the text.
    drop
        Parts to leave out, recognised by tag or role: ``"nav"``, ``"header"``, ``"footer"``,
        ``"aside"``. Headers and footers of an article, a section and the like are kept.
    encoding
        The encoding of bytes, whatever the page states. By default it is that of the byte order
        mark, else of the ``charset`` of a ``<meta>`` in the first 1,024 bytes, else of the XML
        declaration. If there is none, or it states UTF-8 and is wrong: UTF-8 if the bytes are
        valid, else that of a later ``<meta>``, else a guess from the bytes.
    errors
        What to do with invalid bytes, as in ``bytes.decode``. By default they become U+FFFD, as in
        browsers, and a warning in the log counts them.

    Returns
    -------
    Document
        The text, its elements, and its name.

    Raises
    ------
    ReadError
        If the file cannot be read, or its bytes are not valid in their encoding; names the offset
        of the first invalid byte.
    ConfigError
        If ``drop``, ``encoding`` or ``errors`` has an unknown name, or the source cannot be read.

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
