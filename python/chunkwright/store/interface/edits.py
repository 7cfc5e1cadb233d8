"""Edits of blocks by hand."""

from __future__ import annotations

from chunkwright.checks import checked_text
from chunkwright.errors import StoreError
from chunkwright.store.edits import Edit, edit, edits, searched_of
from chunkwright.store.importing.drafts import input_hash
from chunkwright.store.importing.works import Works
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.versions import TOKENIZER
from chunkwright.tokens.tokenizer import as_tokenizer


class Edits(StoreBase):
    """Methods that write blocks."""

    def edit(self, block: str, text: str) -> Edit:
        """Write a block by hand in the place of one that was cut.

        It is found in its place, and an import keeps it while the text that it stands for is
        unchanged. Where that has changed, it is stale: kept, and not found. The block that was cut
        stays as it is; its citations are held to the edit, and say that it is one.

        Parameters
        ----------
        block
            The id of a block of a current version.
        text
            The new text.

        Raises
        ------
        StoreError
            If no current version has the block.
        ConfigError
            If the text is empty.
        ModelError
            If the embedder fails.
        """
        n_tokens = as_tokenizer(TOKENIZER).count(checked_text("text", text))
        vectors = {}
        if self._embedding is not None:
            with self._database.reading() as session:
                searched = searched_of(session, block, text)
            vectors[input_hash(searched)] = self._embedding.vectors([searched])[0]
        with self._database.writing() as session:
            own = edit(session, block, text, n_tokens)
            if self._embedding is not None:
                Works(self._database, None).write_vectors(session, vectors, self._embedding)
            found = edits(session, own)
            if not found:
                raise StoreError(f"the block that {block!r} was cut as is damaged")
            return found[0]

    def edits(self) -> list[Edit]:
        """Return the blocks that were written by hand, those that are stale too."""
        with self._database.reading() as session:
            return edits(session)
