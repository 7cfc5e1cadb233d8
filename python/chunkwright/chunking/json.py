"""JSON strategy: chunks that are JSON again, under the path to where they stand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright import _core
from chunkwright.chunking.strategy import Strategy
from chunkwright.document import Document
from chunkwright.errors import ConfigError, ReadError

if TYPE_CHECKING:
    from chunkwright.chunks import Chunks

_VALUES = (dict, list, tuple, bool, int, float, type(None))


@dataclass(frozen=True, kw_only=True)
class Json(Strategy):
    r"""Cut JSON between items and members; each chunk is JSON again.

    A chunk is a slice of the text from the start of an item or member to the end of another one, at
    any depth. In front of it the keys and brackets around it are repeated (pieces of the role
    ``"heading"``), behind it the brackets that close what is open there (``"header"``). All of it
    is text of the source and counts against the limit, and ``json.loads(chunk.text)`` gives the
    part with the path to it. Spaces, numbers and duplicate keys stay as they were written.

    As many values as fit make a chunk. A value that fits into a chunk of its own is never cut: it
    begins the next one. A larger array or object is gone into, and its values stand with their
    neighbours around it. A larger string is cut between words, never within an escape, and each
    part is a string under its key; it begins in a chunk of which less than half is used, else in
    the next one. Commas and whitespace between chunks are in none of them.

    A path takes at most half of ``soft_max``: of a longer one the innermost keys are repeated. A
    key that does not fit with its value is a string of its own, cut if need be, and the value
    stands without it. The one thing that is no JSON is a number, or a text without room for its
    quotes, that is over the limit by itself: its parts are chunks of one piece.

    The text may be JSON Lines, or any values one after another: then a chunk may hold several, as
    lines. ``NaN`` and ``Infinity`` are numbers, and a byte order mark is left out.

    Parameters
    ----------
    max_tokens, max_chars, tokenizer
        See :class:`chunkwright.chunking.options.Sizes`.
    soft_max
        The size at which a chunk is full, in the unit of the limit; the limit itself by default. A
        value that is larger stays whole up to the limit.
    min_size
        Smaller chunks are joined with a neighbour where both fit into the limit, in its unit; 0 by
        default. It matters where ``soft_max`` is less than the limit.
    overlap, overlap_at
        Not for JSON: what is repeated would be there twice when parts are put together.

    Raises
    ------
    ConfigError
        If an option makes no sense, or an overlap is asked for.

    Examples
    --------
    >>> import chunkwright as cw
    >>> text = '{"shop": {"open": true, "items": [{"id": 1}, {"id": 2}, {"id": 3}]}}'
    >>> chunks = cw.Json(max_chars=50)(text)
    >>> for chunk in chunks:
    ...     print(chunk.text)
    {"shop": {"open": true, "items": [{"id": 1}]}}
    {"shop": {"items": [{"id": 2}, {"id": 3}]}}
    >>> cw.Json.pointers(chunks)
    ['', '/shop/items/1']
    """

    _singles = (str, bytes, bytearray, Document, dict)

    def __call__(self, text: object, *, name: str | None = None) -> Chunks:
        """Cut ``text``.

        Parameters
        ----------
        text
            A text that is JSON or JSON Lines, a :class:`chunkwright.Document` with such a text, or
            what :func:`json.dumps` makes one of: a dict, a list, a number.
        name
            The document's name, from which ids are derived.

        Returns
        -------
        Chunks
            None for an empty text, and for one of whitespace only.

        Raises
        ------
        ConfigError
            If it is nothing of the kind.
        ReadError
            If the text is no JSON, with the line and column of what is wrong; or if an object
            has no JSON.
        TokenizerError
            If a callable tokenizer gives no count.

        Examples
        --------
        >>> import chunkwright as cw
        >>> cw.Json(max_chars=18)({"a": [1, 2, 3], "b": "é"}).texts()
        ['{"a": [1, 2, 3]}', '{"b": "é"}']
        """
        return super().__call__(text, name=name)  # type: ignore[arg-type]

    @staticmethod
    def pointers(chunks: Chunks) -> list[str]:
        """Return for each chunk the JSON Pointer (RFC 6901) of the first value in it.

        It names keys and, from 0, the numbers of items, which the text of a part of an array does
        not say. In JSON Lines each pointer begins with the number of its value. A string that was
        cut has the same pointer in all its parts. O(n) in the texts.

        Parameters
        ----------
        chunks
            What :class:`Json` made, of one text or of many.

        Raises
        ------
        ReadError
            If the chunks are of a text that is no JSON.

        Examples
        --------
        >>> import chunkwright as cw
        >>> cw.Json.pointers(cw.Json(max_chars=12)({"a": [1, 2, 3], "b/c": 4}))
        ['', '/a/1', '/b~1c']
        """
        pointers: list[str] = []
        starts: dict[int, list[int]] = {}
        for chunk in chunks:
            body = next(piece for piece in chunk.pieces if piece.role == "body")
            starts.setdefault(chunk.doc_index, []).append(body.start)
        for document, places in starts.items():
            pointers += _core.json_pointers(chunks.documents[document].text, places)
        return pointers

    def _read(self, source: object, at: int | None = None) -> Document:
        if not isinstance(source, _VALUES):
            return super()._read(source, at)
        try:
            return Document(text=json.dumps(source, ensure_ascii=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise ReadError(f"{type(source).__name__} has no JSON: {error}") from error

    def _make_cutter(self, unit: _core.Unit, limits: _core.Limits) -> _core.Cutter:
        if self.overlap:
            raise ConfigError(f"strategy 'json' has no overlap, got overlap={self.overlap!r}")
        return _core.Cutter.json(unit, limits)
