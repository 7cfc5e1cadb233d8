"""Opening of the store that a service answers from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from chunkwright.errors import ChunkwrightError, ConfigError, ModelError
from chunkwright.store import Store

if TYPE_CHECKING:
    from chunkwright.embed import Embedder

_POSTGRES = ("postgresql://", "postgres://")
# As the command line notes it, and what it notes for no embedder.
_NOTE, _NONE = "embedder", "none"


def opened_store(target: str, *, embedder: str | None = None, read_only: bool = False) -> Store:
    """Open a store that is there, with the embedder of its vectors.

    Parameters
    ----------
    target
        The path of a file, or the address of a database.
    embedder
        The path of the model of its vectors, or ``"none"``; None: that of the last import.
    read_only
        Whether nothing is ever written.

    Raises
    ------
    ConfigError
        If there is no such store.
    StoreError
        If it cannot be opened.
    ModelError
        If its embedder cannot be used.
    """
    if not target.startswith(_POSTGRES) and not Path(target).exists():
        raise ConfigError(
            f"there is no store {target}: chunkwright index makes one", option="store"
        )
    if embedder is None:
        with Store.open(target, read_only=True) as store:
            model = _model(target, store.note(_NOTE))
    else:
        model = _named(embedder)
    return Store.open(target, embedder=model, read_only=read_only)


def _named(embedder: str | None) -> Embedder | None:
    from chunkwright.embed import as_embedder

    return None if embedder in {None, _NONE} else as_embedder(str(embedder))


def _model(target: str, noted: str | None) -> Embedder | None:
    try:
        return _named(noted)
    except ChunkwrightError as error:
        more = "the last import had it there: name it with --embedder, or say --embedder none"
        raise ModelError(f"{target}: {error}; {more}") from error
