"""Opening of the store that a service answers from, with the model of its vectors."""

from __future__ import annotations

from chunkwright.embed import as_embedder
from chunkwright.errors import ConfigError
from chunkwright.store import Store
from chunkwright.store.settings import NO_EMBEDDER
from chunkwright.store.store import embedder_note, embedder_noted, is_there


def opened_store(target: str, *, embedder: str | None = None, read_only: bool = False) -> Store:
    """Open a store that is there, with the embedder of that name, or that of the last import.

    Raises
    ------
    ConfigError
        If there is no such store.
    StoreError
        If it cannot be opened.
    ModelError
        If its embedder cannot be used.
    """
    if not is_there(target):
        message = f"there is no store {target}: chunkwright index makes one"
        raise ConfigError(message, option="store")
    if embedder is None:
        model = embedder_noted(target, embedder_note(target), as_embedder)
    else:
        model = None if embedder == NO_EMBEDDER else as_embedder(embedder)
    return Store.open(target, embedder=model, read_only=read_only)
