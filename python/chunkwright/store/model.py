"""Records of a store: documents, blocks and citations as its rows have them, without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from chunkwright.store.drafts import Row

CUT: Final = "cut"
"""The origin of a block that a strategy has cut."""
MANUAL: Final = "manual"
"""The origin of a block that was written by hand."""

GIVEN: Final = "given"
"""A document or chunks of the caller, and no file."""
FILE: Final = "file"
"""A whole file."""
ROW: Final = "row"
"""A row of a table."""


class Origin(NamedTuple):
    """What a document was read from.

    Attributes
    ----------
    kind
        ``GIVEN``, ``FILE`` or ``ROW``; None: it is not known, since an older version
        imported it.
    file
        The absolute path of the file; None: there is none, or it is not known, or UTF-8 cannot say
        it.
    row
        The row's id, or its number.
    id_column
        The column that the id is in; None: the row has its number.
    """

    kind: str | None
    file: str | None = None
    row: str | None = None
    id_column: str | None = None


ORIGIN_COLUMNS: Final = ("origin", "file", "row_key", "id_column")
"""The columns of documents that an origin stands in, in order."""


class DocumentState(NamedTuple):
    """A document of a store.

    Attributes
    ----------
    id
        Its number.
    uri
        Its address in the store.
    version
        The current version; None if it was removed.
    source_hash
        The hash of what was read, and how.
    fingerprint
        The number of the fingerprint that the current version depends on.
    revision
        How often what is searched of it has changed.
    key
        What the ids of its blocks are derived from: the address that it had first.
    origin
        What it was read from last.
    """

    id: int
    uri: str
    version: int | None
    source_hash: str
    fingerprint: int
    revision: int
    key: str
    origin: Origin


class FromFile(NamedTuple):
    """A document that was read from a file, or from a row of it.

    Attributes
    ----------
    uri
        Its address.
    source_hash
        The hash of the file, or of the row.
    origin
        Where it is looked for.
    """

    uri: str
    source_hash: str
    origin: Origin


class Known(NamedTuple):
    """A block that a document has had.

    Attributes
    ----------
    id
        Its id.
    content_hash
        The hash of its text.
    occurrence
        Its number among the blocks of the document with that hash.
    """

    id: str
    content_hash: bytes
    occurrence: int


class Placed(NamedTuple):
    """A block in the current version of a document.

    Attributes
    ----------
    ordinal
        Its number in the version.
    block
        The id of the block that stands there.
    base
        The id of the block that was cut there: another one where that was edited by hand.
    content_hash
        The hash of the text that was cut.
    text
        That text.
    row
        What restores the chunk.
    input_hash
        The hash of what is embedded and searched.
    context
        The chunk's context, as :class:`~chunkwright.store.drafts.Draft` has it.
    """

    ordinal: int
    block: str
    base: str
    content_hash: bytes
    text: str
    row: Row
    input_hash: bytes
    context: list[Any] | None


class Edited(NamedTuple):
    """A block that was edited by hand, in the place of another one."""

    id: str
    text: str


class Before(NamedTuple):
    """What a new version of a document depends on.

    Attributes
    ----------
    placed
        The blocks of the current version; none if the document was removed.
    known
        All blocks that were ever cut from the document.
    edits
        Blocks that were written by hand, by the ids of those in whose places they are.
    content, content_hash
        The current version as it was read, and its hash.
    fingerprint
        What it depends on beside its source.
    """

    placed: list[Placed]
    known: list[Known]
    edits: dict[str, Edited]
    content: bytes | None
    content_hash: bytes | None
    fingerprint: str | None


@dataclass(frozen=True)
class Citation:
    """A quote of a block.

    Attributes
    ----------
    id
        Its id, 32 hexadecimal digits.
    document
        The address of the document.
    version
        The version that was quoted.
    block
        The id of the block.
    quote
        The words, as they stand in the block.
    start, end
        The place in the text of the block, in code points. If the words continue in the following
        blocks, `end` lies beyond the text of the block: it is `start` plus the length of the quote.
    cited_by
        Who or what cites it, as the caller said.
    created_at
        The time of the citation, in UTC and ISO 8601.
    """

    id: str
    document: str
    version: int
    block: str
    quote: str
    start: int
    end: int
    cited_by: str | None
    created_at: str
