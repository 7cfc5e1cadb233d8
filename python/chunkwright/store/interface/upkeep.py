"""Upkeep of a store: what goes for good, and copies of all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from chunkwright.checks import checked_path, checked_text
from chunkwright.errors import ConfigError
from chunkwright.files.atomic import replacing
from chunkwright.store.erasing import Erased, erase, uncite
from chunkwright.store.interface.base import StoreBase
from chunkwright.store.model import Citation
from chunkwright.store.pruning import Pruned, prune
from chunkwright.store.reading import checked_uris
from chunkwright.store.settings import KEEP, KEEP_CITATIONS, OVERWRITE


class Upkeep(StoreBase):
    """Methods that delete for good, and copy."""

    def erase(self, uris: str | Iterable[str], *, keep_citations: bool = False) -> Erased:
        """Erase documents for good, in all versions.

        Texts, metadata, words, citations, edits, and vectors that no other document needs are
        deleted in one transaction. A SQLite file is then rewritten, so that nothing stays in its
        free pages. The guide says what PostgreSQL's server, file systems and backups keep.

        Parameters
        ----------
        uris
            One address or several; addresses that the store does not have are ignored.
        keep_citations
            Whether to keep the ids of their citations, which resolve to ``"erased"`` without text.

        Raises
        ------
        StoreError
            If the database fails.
        """
        found = erase(
            self._database,
            checked_uris([uris] if isinstance(uris, str) else uris),
            keep_citations=KEEP_CITATIONS.checked(keep_citations),
        )
        return replace(found, is_overwritten=self._overwrite())

    def uncite(self, citation: Citation | str) -> bool:
        """Delete a citation, or the id of an erased one.

        Parameters
        ----------
        citation
            The citation, or its id.

        Returns
        -------
        bool
            Whether there was one.
        """
        number = citation.id if isinstance(citation, Citation) else citation
        with self._database.writing() as session:
            return uncite(session, checked_text("citation", number))

    def prune(self, keep: int = KEEP.default) -> Pruned:
        """Remove old versions that nobody cites, and blocks and vectors that only they had.

        A removed document that nobody cites is deleted entirely, with its address, metadata and
        edits. Others may write in the meantime.

        Parameters
        ----------
        keep
            The number of versions of each document to keep besides the current one.

        Raises
        ------
        ConfigError
            If it is negative.
        """
        found = prune(self._database, KEEP.checked(keep))
        if found.n_documents:
            self._overwrite()
        elif found.n_versions:
            self._indexes.write()
        return found

    def backup(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Copy the store as it is now into a file that opens like it.

        Others may read and write in the meantime. The copy appears when it is complete, and
        contains nothing that was deleted. Back up a store in PostgreSQL with its server.

        Parameters
        ----------
        path
            The file of the copy.
        overwrite
            Whether to replace an existing file.

        Raises
        ------
        ConfigError
            If the file exists, or cannot be written; names it.
        StoreError
            If the database fails, or is not a file.
        """
        target = checked_path("path", path, what="a file")
        if target.exists() and not OVERWRITE.checked(overwrite):
            raise ConfigError(f"{target} is there: say overwrite=True", option="path")
        # SQLite would take the log of another file for that of the copy.
        log = target.with_name(f"{target.name}-wal")
        if log.exists():
            raise ConfigError(f"{log} is there: {target} is a store that is in use", option="path")
        with replacing(target) as file:
            self._database.backup(Path(file.name))
            os.fsync(file.fileno())

    def _overwrite(self) -> bool:
        """Derive anew what was lost, and overwrite what was deleted."""
        self._indexes.write()
        return self._database.scrub()
