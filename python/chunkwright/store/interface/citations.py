"""Citations of a store, and what became of them."""

from __future__ import annotations

from chunkwright.checks import checked_text
from chunkwright.errors import ConfigError
from chunkwright.store.citing.citations import Citation, citations, cite
from chunkwright.store.citing.citations import citation as stored_citation
from chunkwright.store.citing.resolving import Resolution, resolve
from chunkwright.store.interface.base import StoreBase


class Citations(StoreBase):
    """Methods that cite blocks."""

    def cite(self, block: str, quote: str | None = None, *, by: str | None = None) -> Citation:
        """Cite a block: its words are found again in later versions.

        Parameters
        ----------
        block
            The id of the block.
        quote
            Words of it; None: all of it.
        by
            What cites it, for the caller's own use.

        Raises
        ------
        StoreError
            If there is no such block.
        ConfigError
            If the block has no such words.
        """
        for name, value in (("quote", quote), ("by", by)):
            if value is not None:
                checked_text(name, value)
        with self._database.writing() as session:
            return cite(session, checked_text("block", block), quote, by)

    def citations(self, uri: str | None = None) -> list[Citation]:
        """Return the citations, of all documents or of one, in the order they were made in."""
        with self._database.reading() as session:
            return citations(session, uri)

    def resolve(self, citation: Citation | str) -> Resolution:
        """Return where cited words stand today, or what became of them.

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
            return resolve(session, stored_citation(session, number))
