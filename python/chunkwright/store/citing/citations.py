"""Citations: how they are made and read, and what a version makes of those of a document."""

from __future__ import annotations

import uuid
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from chunkwright.errors import ConfigError, StoreError
from chunkwright.store.citing.quotes import Cut, Cuts, first_place, places_of
from chunkwright.store.citing.resolving import Resolver
from chunkwright.store.citing.views import View
from chunkwright.store.drafts import stored_text
from chunkwright.store.model import Citation
from chunkwright.store.reading import known_state, spellings_of
from chunkwright.store.schema import now

if TYPE_CHECKING:
    from chunkwright.store.database.protocol import Session
    from chunkwright.store.model import DocumentState

# Of a quote that is not there, so much is shown.
_SHOWN = 80


_SELECT = (
    "SELECT c.id, d.uri, c.version, c.block, c.quote, c.char_start, c.char_end, c.cited_by,"
    " c.created_at FROM citations c JOIN documents d ON d.id = c.document"
)


def cite(session: Session, block: str, quote: str | None, cited_by: str | None) -> Citation:
    """Write a citation of a block, or of words that begin in it.

    Parameters
    ----------
    session
        The transaction.
    block
        The id of the block.
    quote
        Words of it, which may go on in the blocks behind it; None: all of it.
    cited_by
        What cites it.

    Raises
    ------
    StoreError
        If there is no such block.
    ConfigError
        If no such words begin in the block, or its document was removed.
    """
    row = session.row(
        "SELECT b.document, b.text, d.uri, d.current_version, (SELECT max(p.version)"
        " FROM placements p WHERE p.block = b.id) FROM blocks b"
        " JOIN documents d ON d.id = b.document WHERE b.id = ?",
        (block,),
    )
    if row is None:
        raise StoreError(f"the store has no block {block!r}")
    document, text, uri, current, version = row
    if current is None:
        message = f"block {block} is of {uri!r}, which was removed: import it again to cite it"
        raise ConfigError(message, option="block")
    if version is None:
        raise StoreError(f"the block {block!r} stands in no version that was not pruned")
    if quote is None:
        start, end, words = 0, len(text), text
    else:
        start, end, words = _part(session, (uri, version, block, text), quote)
    by = None if cited_by is None else stored_text(cited_by)
    number = uuid.uuid4().hex
    session.insert("citations", [(number, document, version, block, words, start, end, by, now())])
    return citation(session, number)


def _part(session: Session, of: tuple[str, int, str, str], quote: str) -> tuple[int, int, str]:
    """Return where a quote begins and ends in a block or behind it, and its words there.

    Raises
    ------
    ConfigError
        If it does not begin in the block.
    """
    uri, version, block, text = of
    own = first_place(quote, text)
    if own is not None:
        return *own, text[slice(*own)]
    state, _ = known_state(session, uri, version)
    view = View(session, state, version)
    standing = view.blocks[view.numbers[block]]
    for cut in (Cut.BORDER, Cut.JOINED):
        for start, end in places_of(quote, view.text, Cuts(cut, cut)):
            if standing.start <= start < standing.end < end:
                first = view.part_of(standing, start)
                return first, first + end - start, view.text[start:end]
    shown = repr(quote if len(quote) <= _SHOWN else f"{quote[:_SHOWN]}...")
    where = " but inside of others" if quote.strip() and "".join(quote.split()) in text else ""
    message = f"block {block} has no words {shown}{where}"
    raise ConfigError(message, option="quote")


def citation(session: Session, number: str) -> Citation:
    """Return a citation.

    Raises
    ------
    StoreError
        If there is none.
    """
    row = session.row(f"{_SELECT} WHERE c.id = ?", (number,))
    if row is None:
        raise StoreError(f"the store has no citation {number!r}")
    return Citation(*row)


def citations(session: Session, uri: str | None) -> list[Citation]:
    """Return all citations, or those of a document, in the order in which they were made."""
    spellings = [] if uri is None else spellings_of(uri)
    where = f" WHERE d.uri IN ({', '.join('?' * len(spellings))})" if spellings else ""
    order = " ORDER BY c.created_at, c.id"
    rows = session.rows(f"{_SELECT}{where}{order}", spellings)
    return [Citation(*row) for row in rows]


def citations_after(session: Session, state: DocumentState, version: int | None) -> dict[str, Any]:
    """Return how many citations of a document resolve, have moved and are broken in a version.

    Parameters
    ----------
    session
        The transaction.
    state
        The document.
    version
        The number of the version; None if the document was removed.

    Returns
    -------
    dict
        What :class:`~chunkwright.store.importing.report.DocumentReport` says of citations; empty
        if there are none.
    """
    cited = citations(session, state.uri)
    if not cited:
        return {}
    resolver = Resolver(session, state, version)
    found = []
    for each in cited:
        # A version that cannot be read costs its citations, not the import.
        with suppress(StoreError):
            found.append(resolver.resolution(each))
    statuses = Counter(each.status for each in found)
    n_resolved, n_moved = statuses["same"], statuses["moved"]
    changes = Counter(change for each in found for change in each.changes)
    return {
        "citations_resolved": n_resolved,
        "citations_moved": n_moved,
        "citations_broken": len(cited) - n_resolved - n_moved,
        "citations_altered": statuses["altered"],
        "citation_changes": dict(sorted(changes.items())),
    }
