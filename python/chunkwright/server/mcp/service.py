"""Service behind the tools: a store, folders of files, models and threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwright.server.reading_roots import Roots
from chunkwright.server.service import Service

if TYPE_CHECKING:
    from chunkwright.server.settings import Settings


class AgentService(Service):
    """What all calls of tools share.

    Parameters
    ----------
    settings
        The settings: those of the service over HTTP.
    embedder
        The path of the model of the store's vectors, or ``"none"``; None: that of the last import.
    is_writing
        Whether there are tools that write to the store.

    Raises
    ------
    ConfigError, StoreError, ModelError
        If there is no such store or folder, or they cannot be used.
    """

    def __init__(
        self, settings: Settings, *, embedder: str | None = None, is_writing: bool = False
    ) -> None:
        super().__init__(settings)
        self.embedder = embedder
        self.is_writing = is_writing
        self.roots: Roots = Roots(settings.roots)
        if settings.store is not None:
            # Opened here, so that a store that cannot be used ends the start.
            _ = self.store
