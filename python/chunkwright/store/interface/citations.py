"""Citations of a store, and what became of them."""

from __future__ import annotations

from functools import cached_property

from chunkwright.checks import checked_int, checked_text
from chunkwright.errors import ConfigError, StoreError
from chunkwright.retrieval.retriever import Retriever
from chunkwright.store.citing.citations import citation as stored_citation
from chunkwright.store.citing.citations import citations, cite
from chunkwright.store.citing.quoted_texts import QuotedTexts, QuoteFilters
from chunkwright.store.citing.resolution import Resolution, resolved_as_erased
from chunkwright.store.citing.resolving import resolve
from chunkwright.store.citing.verifying import (
    Asked,
    Searched,
    Verification,
    verify,
    with_edits,
)
from chunkwright.store.database.damage import decoding
from chunkwright.store.erasing import tombstone
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.model import Citation
from chunkwright.store.reading import state_by_spelling
from chunkwright.telemetry import spanned

# Hits of a quote whose documents are looked at first.
_LIKELY = 20


class Citations(StoreBase):
    """Methods that cite blocks."""

    @cached_property
    def _quoted(self) -> QuotedTexts:
        """Texts that quotes are looked for in, of which the last ones are held."""
        return QuotedTexts()

    @cached_property
    def _filters(self) -> QuoteFilters:
        """Filters of these: two threads may make them at once, and those of one are kept."""
        return QuoteFilters()

    @spanned("store.cite")
    def cite(self, block: str, quote: str | None = None, *, by: str | None = None) -> Citation:
        """Cite a block, or words that begin in it, to find them again in later versions.

        Parameters
        ----------
        block
            The id of the block.
        quote
            Whole words of the block, letter for letter except whitespace; they may continue in the
            following blocks. None: the whole block.
        by
            Who or what cites it, for the caller's own use.

        Raises
        ------
        StoreError
            If there is no such block.
        ConfigError
            If the words do not begin in the block, its document was removed, or they are in a page
            header or footer, which cannot be cited.
        """
        for name, value in (("quote", quote), ("by", by)):
            if value is not None:
                checked_text(name, value)
        if not block:
            message = f"block must be an id, got {block!r}: page headers and footers have none"
            raise ConfigError(message, option="block")
        with self._database.writing() as session:
            return cite(session, checked_text("block", block), quote, by)

    @spanned("store.verify")
    def verify(self, quote: str, document: str | None = None, *, limit: int = 10) -> Verification:
        """Verify a quote: whether its words stand in the documents, and where.

        The words are compared letter for letter. Only white space, hyphens at ends of lines,
        ligatures, quotation marks, case and markup may differ (docs/citations.md has the list).
        Words are found across boundaries of blocks and pages, in page headers and footers, in old
        versions, and in blocks that were edited by hand.

        Parameters
        ----------
        quote
            The quote: at least two words, or one of at least 12 bytes in UTF-8.
        document
            The address of the document that it should be from; None for any.
        limit
            The largest number of places to return.

        Raises
        ------
        ConfigError
            If the quote is too short.
        StoreError
            If there is no such document.
        """
        words, n_places = checked_text("quote", quote), checked_int("limit", limit, least=1)
        opened = self._indexes.of(Retriever(skip_duplicate_text=False))
        rows = opened.index.search(words, _LIKELY).indices.tolist()
        near = [opened.rows.version(row)[0] for row in rows]
        with self._database.reading() as session:
            own = None
            if document is not None:
                uri = checked_text("document", document)
                state = state_by_spelling(session, uri)
                if state is None:
                    raise StoreError(f"the store has no document {uri!r}")
                own = state.id
            searched = Searched(session, self._quoted, self._filters)
            found = verify(searched, Asked(words, own, near, n_places))
            found = with_edits(session, found, words, own, n_places)
        self._filters.write(self._database)
        return found

    def citations(self, uri: str | None = None) -> list[Citation]:
        """Return the citations of all documents, or of one, in the order of their making."""
        with self._database.reading() as session:
            return citations(session, uri)

    @spanned("store.resolve")
    def resolve(self, citation: Citation | str) -> Resolution:
        """Return where the cited words stand today, or what happened to them.

        Parameters
        ----------
        citation
            The citation, or its id.

        Raises
        ------
        StoreError
            If there is no such citation.
        """
        number = citation.id if isinstance(citation, Citation) else citation
        if not isinstance(number, str):
            kind = type(number).__name__
            message = f"citation must be a Citation or the id of one, got {kind}"
            raise ConfigError(message, option="citation")
        with self._database.reading() as session:
            erased_at = tombstone(session, number)
            if erased_at is not None:
                return resolved_as_erased(number, erased_at)
            with decoding(self._database.name, ConfigError):
                return resolve(session, stored_citation(session, number))
