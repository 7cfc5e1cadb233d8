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
        """Erase documents: nothing of them is left, in no version.

        Texts, metadata, words, citations, edits, and vectors that no other document needs go in one
        transaction, and a file is then written anew, so that nothing stands in its free pages. See
        the guide for what PostgreSQL's server, file systems and backups keep.

        Parameters
        ----------
        uris
            The address of one, or those of several; what the store does not have is not counted.
        keep_citations
            Whether ids of their citations stay: they resolve to ``"erased"``, without any text.

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
        """Delete a citation, or what was kept of an erased one.

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

        Of a document that was removed, and that nobody cites, nothing is left: its address,
        metadata and edits go with its versions. Others may write meanwhile.

        Parameters
        ----------
        keep
            How many versions of a document stay beside the current one.

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
        """Write a copy of the store as it is now, which can be opened like it.

        Others may read and write meanwhile. The copy appears when it is whole, and has nothing in
        it that was deleted. A store in PostgreSQL is backed up with its server.

        Parameters
        ----------
        path
            The file of the copy.
        overwrite
            Whether it takes the place of a file that is there.

        Raises
        ------
        ConfigError
            If the file is there, or cannot be written; names it.
        StoreError
            If the database fails, or is no file.
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
