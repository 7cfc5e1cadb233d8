"""DoclingDocuments, as JSON, dicts or objects, with their headings, lists, tables and pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from chunkwright import _core
from chunkwright.document import Document
from chunkwright.elements.elements import Elements
from chunkwright.errors import ConfigError, ReadError

# What is not read need not be written: pictures, and the grid that is made of a table's cells.
_SKIPPED: Any = {
    "pages": {"__all__": {"image"}},
    "pictures": {"__all__": {"image"}},
    "tables": {"__all__": {"data": {"grid"}, "image": True}},
}


def read_docling(source: object, *, name: str | None = None) -> Document:
    r"""Read a DoclingDocument as a document, without needing Docling.

    The text consists of the items of the body, in reading order, each once. Items are separated by
    a blank line, the items of a list by a line end. The text has marks of Markdown:
    ``**bold**``, ``*italic*``, ``~~struck through~~``, ``[text](target)``,
    ```code` ``` in a line of text, formulas in ``$`` or ``$$``, rows of tables in ``|``. Nothing is
    escaped, and a heading has no ``#``.

    - ``"heading"``: of ``level`` 1 is the title, of 2 a section header of level 1, and so on. In a
      list, a cell or a picture headings are paragraphs: they begin no section.
    - ``"list item"``: with its marker or number; nested ones are moved by 4 blanks. ``level`` is
      how deep it is nested, ``parent`` its list.
    - ``"table"``: a line for each row, cells between ``|``, below the header a line of dashes. Each
      cell stands there once, with all that is in it; rows that say nothing are left out. Strategies
      cut it between rows and repeat the header.
    - ``"caption"`` stands before what it is of, ``"footnote"`` of a table or picture behind it.
    - ``"figure"``: what describes the picture, if anything does. Texts in the picture follow it;
      so does the table of a chart.
    - ``"code"``: with its ``language``; ``"formula"``: of a line of its own.
    - ``"paragraph"``: all other text; runs of inline pieces are one, and so is a field of a form
      (``key: value``).

    ``element.item`` is the reference of the item, such as ``"#/texts/3"``; ``element.pages`` and
    ``element.boxes`` are those of its ``prov``. Boxes are measured from the top of the page, if the
    document knows its height.

    Content layers other than the body are left out: headers and footers of pages, backgrounds,
    notes. Images are never decoded.

    Parameters
    ----------
    source
        The JSON as ``str`` or ``bytes``, the dict of it, or the ``DoclingDocument`` itself. Schemas
        1.0 to 1.10 are read, older ones as Docling brings them up to date.
    name
        The name of the document, from which ids are derived; by default the name in its JSON.

    Returns
    -------
    Document
        Its text, its elements, and its name.

    Raises
    ------
    ReadError
        If it is not a DoclingDocument, has an unknown version, or contradicts itself; names the
        reference, field or value.
    ConfigError
        If ``source`` or ``name`` is of another type.

    Examples
    --------
    >>> import chunkwright as cw
    >>> texts = [
    ...     {"label": "title", "text": "Rain"},
    ...     {"label": "text", "text": "It rained."},
    ... ]
    >>> for i, text in enumerate(texts):
    ...     text |= {"self_ref": f"#/texts/{i}", "parent": {"$ref": "#/body"}}
    >>> body = {"self_ref": "#/body", "children": [{"$ref": t["self_ref"]} for t in texts]}
    >>> source = {"schema_name": "DoclingDocument", "name": "rain", "body": body, "texts": texts}
    >>> document = cw.read_docling(source)
    >>> document.name, document.text
    ('rain', 'Rain\n\nIt rained.')
    >>> paragraph = document.elements[1]
    >>> paragraph.headings, paragraph.item
    (('Rain',), '#/texts/1')
    """
    if not isinstance(name, str | None):
        raise ConfigError(f"name must be a str or None, got {name!r}")
    core = _core.Elements.of_docling(_json_of(source))
    return Document(elements=Elements(core), name=name if name is not None else core.name or None)


def _json_of(source: object) -> bytes:
    """Return the JSON of a document in whatever form it is at hand.

    Raises
    ------
    ReadError
        If it has none: a dict that holds itself.
    ConfigError
        If it is nothing that has.
    """
    if isinstance(source, bytes | bytearray):
        return bytes(source).removeprefix(b"\xef\xbb\xbf")
    try:
        if isinstance(source, str):
            return _utf8(source.removeprefix("\ufeff"))
        if isinstance(source, Mapping):
            written = json.dumps(source, ensure_ascii=False, allow_nan=False, default=_plain)
            return _utf8(written)
        is_document = getattr(source, "schema_name", None) == "DoclingDocument"
        if is_document and hasattr(source, "model_dump_json"):
            return _dumped(source)
    except (ValueError, TypeError, RecursionError) as error:
        raise ReadError(f"the DoclingDocument has no JSON: {error}") from error
    allowed = "JSON, a dict or a DoclingDocument"
    raise ConfigError(f"source must be {allowed}, got {type(source).__name__}")


def _dumped(document: Any) -> bytes:
    options = {"by_alias": True, "exclude": _SKIPPED, "warnings": False}
    try:
        try:
            return str(document.model_dump_json(**options)).encode()
        except ValueError as error:
            _raise_interrupt(error)
            # Of a lone surrogate pydantic makes no JSON.
            dumped = document.model_dump(mode="json", **options)
            return _utf8(json.dumps(dumped, ensure_ascii=False, allow_nan=False))
    except ValueError as error:
        _raise_interrupt(error)
        raise


def _raise_interrupt(error: ValueError) -> None:
    """Raise the Ctrl-C that came in a serializer: pydantic tells of it in words alone."""
    if str(error).rstrip().endswith("KeyboardInterrupt:"):
        raise KeyboardInterrupt from error


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8, which has no lone surrogates: each is U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _plain(value: object) -> str:
    """Return a URL or a path, which dumped models hold, as a text."""
    if hasattr(value, "__fspath__") or type(value).__name__.endswith("Url"):
        return str(value)
    raise TypeError(f"a {type(value).__name__} is not a JSON value")
