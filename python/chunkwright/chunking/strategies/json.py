"""JSON strategy: chunks that are JSON or YAML again, under the path to where they stand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chunkwright import _core
from chunkwright.chunking.bases.options import Takes
from chunkwright.chunking.bases.strategy import Strategy
from chunkwright.document import Document
from chunkwright.errors import ReadError
from chunkwright.messages.logs import skipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright.chunking.option_types import Syntax
    from chunkwright.chunks import Chunks

_VALUES = (dict, list, tuple, bool, int, float, type(None))
# Most chunks of YAML have a path: after so many without one, its places are looked for.
_LEADING = 64


@dataclass(frozen=True, kw_only=True)
class Json(Strategy):
    r"""Cut JSON, or YAML, between items and members; each chunk is JSON or YAML again.

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

    With ``syntax="yaml"`` the text is YAML, and a chunk is a slice of whole lines between the
    entries of block mappings and sequences. In front of it the lines of the keys above it, and the
    dashes of the items, are repeated with their indentation (``"heading"``); nothing has to be
    closed. Comments and blank lines stay with what follows them. Where the places of entries cannot
    be told (beside an empty ``?``, say), the text is cut between lines, and a message of the logger
    ``chunkwright`` says so, but for tables of Arrow. A long block scalar is cut
    between lines, under its key and header; a long plain or quoted scalar between words, under its
    key, and each part of a quoted one has its quotes. Put together, the parts of a literal block
    that keeps its last line break, and those of a double-quoted scalar, are the whole.

    Some parts do not say alone what they say in the whole: an alias whose anchor is in another
    part does not load; a part of a plain scalar may be read as a number; a flow collection, or an
    entry with a key that is a collection or marked with ``?``, is not gone into, and is cut
    between lines and words, as is a comment, if it is over the limit by itself; and of a path
    without room the outer keys are missing. Nothing is lost, and the limit holds.

    Parameters
    ----------
    syntax
        The syntax of the text: ``"json"``, or ``"yaml"``, which includes JSON. It is never guessed,
        since almost any text is YAML. Objects that are no texts are cut as JSON only.
    soft_max
        The size at which a chunk is full; the limit itself by default. A value that is larger stays
        whole up to the limit.
    min_size
        The smallest size of a chunk: a smaller one joins a neighbour if both fit into the limit; 0
        by default. It matters where ``soft_max`` is less than the limit.
    overlap
        Not for this strategy: what is repeated would be there twice when parts are put together.
    overlap_at
        Not for this strategy: what is repeated would be there twice when parts are put together.
    split_at
        Not for this strategy: only strategies over text cut at marks that you choose.
    keep_mark
        Not for this strategy: only strategies over text cut at marks that you choose.
    max_tokens, max_chars, tokenizer
        See :class:`chunkwright.chunking.bases.options.Sizes`.

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
    >>> text = "shop:\n  open: true\n  items:\n    - id: 1\n    - id: 2\n    - id: 3\n"
    >>> for chunk in cw.Json(max_chars=48, syntax="yaml")(text):
    ...     print(chunk.text, end="")
    shop:
      open: true
      items:
        - id: 1
    shop:
      items:
        - id: 2
        - id: 3
    """

    name = "json"
    takes: ClassVar[tuple[Takes, ...]] = ("json",)

    syntax: Syntax = "json"

    _singles = (str, bytes, bytearray, Document, dict)

    def __call__(self, text: object, *, name: str | None = None) -> Chunks:
        """Cut ``text``.

        Parameters
        ----------
        text
            A text that is JSON or JSON Lines, or YAML as ``syntax`` says; a
            :class:`chunkwright.Document` with such a text; or what :func:`json.dumps` makes one
            of: a dict, a list, a number.
        name
            The document's name, from which ids are derived.

        Returns
        -------
        Chunks
            No chunks for an empty text, and for one of whitespace only.

        Raises
        ------
        ConfigError
            If it is nothing of the kind.
        ReadError
            If the text is no JSON, or no YAML, with the line and column of what is wrong; or if
            an object has no JSON.
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
            What :class:`Json` made, of one text or of many that are JSON.

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

    def _log(self, chunks: Chunks) -> Chunks:
        if self.syntax == "yaml":
            log_unplaced(chunks, lambda _: True)
        return chunks

    def _read(self, source: object, at: int | None = None) -> Document:
        if self.syntax == "yaml" or not isinstance(source, _VALUES):
            return super()._read(source, at)
        try:
            return Document(text=json.dumps(source, ensure_ascii=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise ReadError(f"{type(source).__name__} has no JSON: {error}") from error


def log_unplaced(chunks: Chunks, is_yaml: Callable[[Document], bool]) -> None:
    """Log which YAML texts were cut between lines, as the places of their entries are not known.

    Parameters
    ----------
    chunks
        Those of one document or of several.
    is_yaml
        Says of a document whether it was cut as YAML.
    """
    import numpy as np

    numbers, firsts = np.unique(chunks.doc_index, return_index=True)
    ends = [*firsts[1:].tolist(), len(chunks)] if len(chunks) else []
    for number, first, end in zip(numbers.tolist(), firsts.tolist(), ends, strict=True):
        document = chunks.documents[number]
        # A path in front of a chunk is that of a place; what is not cut needs none.
        leading = range(first, min(end, first + _LEADING))
        if end - first == 1 or any(len(chunks[row].pieces) > 1 for row in leading):
            continue
        if is_yaml(document) and (why := _why_unplaced(document.text)):
            skipped(f"the structure of {document.name or f'text {number}'}", why)


def _why_unplaced(text: str) -> str | None:
    try:
        has_places = _core.has_yaml_places(text)
    except ReadError as error:
        # The strategy auto cuts it as any other text.
        return str(error)
    return None if has_places else "the places of its YAML's entries are not known"
