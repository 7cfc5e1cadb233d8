"""Store: documents, their blocks and vectors, searched and cited over their versions."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.checks import checked_flag
from chunkwright.embed import as_embedder
from chunkwright.errors import ConfigError, MissingExtraError, ModelError, TokenizerError
from chunkwright.store.database.sqlite import SqliteDatabase
from chunkwright.store.importing.embedding import Embedding
from chunkwright.store.interface.citations import Citations
from chunkwright.store.interface.documents import Documents
from chunkwright.store.interface.imports import Imports
from chunkwright.store.interface.search import Search
from chunkwright.store.interface.upkeep import Upkeep
from chunkwright.store.searching.opened import OpenedIndexes
from chunkwright.store.settings import NO_EMBEDDER

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from chunkwright.embed import Embedder, EmbedderLike
    from chunkwright.store.database.protocol import Database

_EMBEDDER_NOTE = "embedder"
_POSTGRES = ("postgresql://", "postgres://")
# What begins as addresses of other kinds do; a drive of Windows has one letter.
_OTHERS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|file:|:memory:")


class Store(Imports, Search, Citations, Documents, Upkeep):
    r"""Documents, blocks, vectors and citations in a database.

    Open a store with :meth:`open`. Threads may share it; each process opens it for itself.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import chunkwright as cw
    >>> folder = TemporaryDirectory()
    >>> store = cw.Store.open(f"{folder.name}/kb.db")
    >>> rain = "# Rain\n\nIt rained on Monday.\n\n# Sun\n\nIt shone on Tuesday."
    >>> print(store.add(cw.read(rain.encode(), name="weather.md")))
    documents: 1 new
    blocks: 2 new, 0 kept, 0 gone, 0 moved
    embedded: 0
    >>> hit = store.search("When did it rain?", k=1)[0]
    >>> hit.document, hit.headings, hit.text
    ('weather.md', ('Rain',), '# Rain\n\nIt rained on Monday.')
    >>> citation = store.cite(hit.block, "rained on Monday")
    >>> later = "# Notes\n\nAll of this week.\n\n" + rain.replace("Tuesday", "Friday")
    >>> report = store.add(cw.read(later.encode(), name="weather.md"))
    >>> report.n_kept, report.n_new, report.n_gone
    (1, 2, 1)
    >>> store.resolve(citation).status, store.resolve(citation).place.line_start
    ('same', 7)
    >>> store.close(); folder.cleanup()
    """

    def __init__(self, database: Database, embedder: EmbedderLike | None = None) -> None:
        self._database = database
        try:
            # Made once: indexes are held for this very object.
            self._embedder = None if embedder is None else as_embedder(embedder)
            self._embedding = None if self._embedder is None else Embedding(self._embedder)
        except Exception:
            database.close()
            raise
        self._indexes = OpenedIndexes(database)

    @classmethod
    def open(
        cls,
        target: str | os.PathLike[str],
        *,
        embedder: EmbedderLike | None = None,
        read_only: bool = False,
    ) -> Store:
        """Open a store, or create it.

        Parameters
        ----------
        target
            The path of a file, or the address of a database: ``postgresql://user@host/name``.
        embedder
            The model for vectors. None: searches use words alone.
        read_only
            Whether to open an existing store that is never written.

        Raises
        ------
        ConfigError
            If the target is invalid, or the vectors of the embedder cannot be kept.
        StoreError
            If the database cannot be opened, holds something else, or is of another version.
        MissingExtraError
            If PostgreSQL needs an extra that is not installed.
        """
        is_read_only = checked_flag("read_only", read_only)
        return cls(opened(target, is_read_only=is_read_only), embedder)

    def close(self) -> None:
        """Close all connections to the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Store {self._database.name!r}>"


def opened(target: str | os.PathLike[str], *, is_read_only: bool) -> Database:
    """Open the database of a store.

    Parameters
    ----------
    target
        The path of a file of SQLite, or the address of a database of PostgreSQL.
    is_read_only
        Whether it must be there, and is never written.

    Raises
    ------
    ConfigError
        If the target is none.
    StoreError
        If it cannot be opened, holds something else, or is of another version.
    MissingExtraError
        If PostgreSQL is asked for, and psycopg is not installed.
    """
    if isinstance(target, str) and target.startswith(_POSTGRES):
        try:
            from chunkwright.store.database.postgres import PostgresDatabase
        except ModuleNotFoundError as error:
            raise MissingExtraError("a store in PostgreSQL", "postgres") from error
        return PostgresDatabase(target, is_read_only=is_read_only)
    other = _OTHERS.match(target) if isinstance(target, str) else None
    if other is not None:
        # What follows may have a password in it.
        message = f"a store is the path of a file, or an address postgresql://…, got {other[0]}…"
        raise ConfigError(message, option="target")
    return SqliteDatabase(_path_of(target), is_read_only=is_read_only)


def _path_of(target: object) -> Path:
    """Return the path of a file.

    Raises
    ------
    ConfigError
        If it is none.
    """
    try:
        return Path(target)  # type: ignore[arg-type]
    except TypeError:
        kind = type(target).__name__
        raise ConfigError(f"a store is a path or an address, got {kind}", option="target") from None


def is_there(target: str) -> bool:
    """Return whether there is a file of that name; a server's databases are taken to be there."""
    return target.startswith(_POSTGRES) or Path(target).exists()


def embedder_note(target: str) -> str | None:
    """Return the name of the embedder of the last import into a store; None if it notes none.

    Raises
    ------
    NoStoreError, StoreError
        If there is no store, or it cannot be opened.
    """
    with Store.open(target, read_only=True) as store:
        return store.note(_EMBEDDER_NOTE)


def note_embedder(store: Store, name: str) -> None:
    """Let later commands and services know the embedder of a store, by the path of its folder."""
    store.note(_EMBEDDER_NOTE, name if name == NO_EMBEDDER else str(Path(name).resolve()))


def embedder_noted(
    target: str, name: str | None, make: Callable[[str], Embedder]
) -> Embedder | None:
    """Return the embedder whose name a store notes, as `make` makes it; None for none.

    Raises
    ------
    ModelError
        If it cannot be used: says what to do where it is elsewhere now.
    """
    if name is None or name == NO_EMBEDDER:
        return None
    try:
        return make(name)
    except (ConfigError, ModelError, TokenizerError) as error:
        more = "the last import had it there: name it with --embedder, or say --embedder none"
        raise ModelError(f"{target}: {error}; {more}") from error
