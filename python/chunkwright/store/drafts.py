"""Drafts of blocks: chunks as rows of a store before they have ids, none of their text left out."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwright import _core
from chunkwright.errors import ConfigError
from chunkwright.frames import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.chunks import Chunks
    from chunkwright.document import Document

BODY, OVERLAP, HEADING = 0, 1, 2
"""The core's numbers of roles: a chunk's own text, overlaps with neighbours, repeated headings."""

# Of a value that is wrong, and of text that is left out, so much is shown.
_SHOWN = 60
# Of chunks of texts without elements, and of strategies that tell no types.
_TEXT = "text"
# Made once: json.dumps makes an encoder at each call.
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ESCAPED_NUL = "\\u0000"


class Row(NamedTuple):
    """What restores a chunk from the text of its document.

    Attributes
    ----------
    pieces
        Roles, starts and ends in UTF-8 bytes.
    size
        Its size in the unit that it was measured in.
    is_oversize
        Whether it is over the limit.
    content, part, n_header_rows
        What it is made of, see the core's ``Origin``.
    html
        The HTML of a table or a part of one.
    repeated
        The texts of the pieces that are not its own, in order. None: there are none, or they are
        not known.
    subject
        Of source code what it is about: scope, name, symbol and language, empty where there is
        none.
    """

    pieces: list[list[int]]
    size: int
    is_oversize: bool = False
    content: int = 0
    part: int = 0
    n_header_rows: int = 0
    html: str | None = None
    repeated: list[str] | None = None
    subject: list[str] | None = None

    @property
    def body(self) -> tuple[int, int]:
        """Where its own text begins and ends, in bytes."""
        own = [piece for piece in self.pieces if piece[0] == BODY]
        return own[0][1], own[-1][2]

    @classmethod
    def of_json(cls, text: str) -> Row:
        """Return what :func:`stored_json` wrote.

        Raises
        ------
        ValueError
            If it is no such row.
        """
        found = json.loads(text)
        if not isinstance(found, list) or not found or not _are_pieces(found[0]):
            raise ValueError(f"it restores no chunk: {text[:_SHOWN]}")
        if not all(isinstance(each, int) for each in found[1:6]):
            raise ValueError(f"it has no numbers of a chunk: {text[:_SHOWN]}")
        return cls(*found)

    @property
    def json(self) -> str:
        """The row as a store has it."""
        values = list(self)
        while values[-1] is None:
            values.pop()
        return stored_json(values)

    def text_around(self, own: str) -> str | None:
        """Return the text of its chunk around its own one; None if only the document tells it."""
        if all(role == BODY for role, _, _ in self.pieces):
            return own
        if self.repeated is None:
            return None
        data, at, parts, others = own.encode(), 0, [], iter(self.repeated)
        for role, start, end in self.pieces:
            if role == BODY:
                parts.append(data[at : at + end - start].decode(errors="replace"))
                at += end - start
            else:
                parts.append(next(others, ""))
        return "".join(parts)

    def moved(self, by: int) -> Row:
        """Return the same in a text in which it stands so many bytes further."""
        return self._replace(pieces=[[role, a + by, b + by] for role, a, b in self.pieces])


def _are_pieces(found: object) -> bool:
    """Return whether a value is pieces, of which one is a chunk's own text."""
    if not isinstance(found, list):
        return False
    are_spans = all(
        isinstance(each, list)
        and [type(number) for number in each] == [int, int, int]
        and 0 <= each[1] <= each[2]
        for each in found
    )
    return are_spans and any(each[0] == BODY for each in found)


class Draft(NamedTuple):
    """A chunk of a document on its way into a store.

    Attributes
    ----------
    text
        Its own text: no heading, header or overlap that it repeats, and no context.
    content_hash
        Of that text, after whitespace collapse.
    searched
        What is embedded and searched: context, repeated parts and own text.
    input_hash
        SHA-256 of that, and of its vector where the caller gave one.
    row
        What restores the chunk.
    context
        Its context, outcome, why there is none, and the fingerprint of the prompt; None without.
    values
        Its columns, by the names that rows of chunks have.
    """

    text: str
    content_hash: bytes
    searched: str
    input_hash: bytes
    row: Row
    context: list[Any] | None
    values: dict[str, Any]


def drafts_of(chunks: Chunks, rows: Sequence[Row] | None = None) -> list[Draft]:
    """Return the chunks of one document as drafts.

    Parameters
    ----------
    chunks
        The chunks, which may have been cut with others.
    rows
        What restores them, if that is known.
    """
    rows = rows_of(chunks) if rows is None else rows
    texts, rows = _own_texts(chunks, rows)
    searched = chunks.contextual_texts()
    known = chunks.columns.contexts
    contexts = None if known is None else [known[row] for row in chunks.rows]
    return [
        Draft(
            text,
            content_hash,
            whole,
            input_hash(whole),
            row,
            None if contexts is None else list(contexts[number]),
            values,
        )
        for number, (text, content_hash, whole, row, values) in enumerate(
            zip(
                texts,
                _core.content_hashes(texts),
                searched,
                rows,
                chunks.to_dicts(),
                strict=True,
            )
        )
    ]


def rows_of(chunks: Chunks) -> list[Row]:
    """Return what restores each of some chunks."""
    core = chunks.columns.core
    return [Row(*row) for row in core.block_rows(chunks.rows)]


def _own_texts(chunks: Chunks, rows: Sequence[Row]) -> tuple[list[str], list[Row]]:
    """Return the own texts of chunks, and their rows with what they repeat; most repeat nothing."""
    core, texts, found = chunks.columns.core, chunks.texts(), list(rows)
    source: str | None = None
    for number, row in enumerate(rows):
        if all(role == BODY for role, _, _ in row.pieces):
            continue
        if source is None:
            source = chunks.sources[int(chunks.doc_index[number])]
        pieces = core.pieces(chunks.rows[number])
        parts = [(role, source[start:end]) for role, start, end in pieces]
        texts[number] = "".join(text for role, text in parts if role == BODY)
        found[number] = row._replace(repeated=[text for role, text in parts if role != BODY])
    return texts, found


def input_hash(searched: str, given: bytes = b"") -> bytes:
    """Return the hash by which the vector of a text is known, or of a text with a given vector."""
    # No text has the byte that stands between them.
    said = b"\xff" + given if given else b""
    return sha256(searched.encode("utf-8", "surrogatepass") + said).digest()


def named_speakers(names: Sequence[str]) -> str | None:
    """Return names as a store has them: a list in JSON without blanks; None for none."""
    return stored_json(list(names)) if names else None


def stored_text(text: str) -> str:
    """Return a text that every database takes: U+FFFD for lone surrogates and for NUL."""
    return without_surrogates(text).replace("\0", "\ufffd")


def stored_json(value: object) -> str:
    """Return a value as JSON that every database takes."""
    text = _ENCODE(value)
    is_storable = _ESCAPED_NUL not in text and without_surrogates(text) is text
    return text if is_storable else _ENCODE(_stored(value))


def _stored(value: object) -> object:
    if isinstance(value, str):
        return stored_text(value)
    if isinstance(value, list | tuple):
        return [_stored(each) for each in value]
    if isinstance(value, dict):
        return {name: _stored(each) for name, each in value.items()}
    return value


def block_type(values: dict[str, Any]) -> str:
    """Return the type of a block, by the columns of its chunk: its block type, or its kind."""
    found: str = values.get("block_type") or values.get("kind") or _TEXT
    return found


def check_coverage(document: Document, drafts: Sequence[Draft]) -> None:
    """Raise unless blocks have all words of a document, but for elements that they leave out whole.

    Parameters
    ----------
    document
        The document, whose text UTF-8 can say.
    drafts
        Its blocks.

    Raises
    ------
    ConfigError
        If words are in no block; shows them.
    """
    data = document.body.encode("utf-8", "surrogatepass")
    for start, end in _gaps(drafts, len(data)):
        part = data[start:end].decode("utf-8", "surrogatepass")
        if any(map(str.isalnum, part)) and not _is_whole(document, data, start, end):
            shown = " ".join(part.split())[:_SHOWN]
            raise ConfigError(f"the chunks of {document.name!r} leave out its text {shown!r}")


def _gaps(drafts: Sequence[Draft], n_bytes: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that no block has, in bytes."""
    own = sorted(
        (start, end) for draft in drafts for role, start, end in draft.row.pieces if role == BODY
    )
    at = 0
    for start, end in [*own, (n_bytes, n_bytes)]:
        if start > at:
            yield at, start
        at = max(at, end)


def _is_whole(document: Document, data: bytes, start: int, end: int) -> bool:
    """Return whether a part of a text is elements, each of them whole."""
    elements = document.elements
    if elements is None:
        return False
    first, last = (len(data[:byte].decode("utf-8", "surrogatepass")) for byte in (start, end))
    own = [each for each in elements if each.start < last and first < each.end]
    return all(first <= each.start and each.end <= last for each in own)
