"""Coverage of a version by its blocks: no text of a document is lost on the way into a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.errors import ConfigError
from chunkwright.store.importing.drafts import BODY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chunkwright.document import Document
    from chunkwright.store.importing.drafts import Draft

# Of text that is left out, so much is shown.
_SHOWN = 60


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
