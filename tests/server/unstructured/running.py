"""A service of this process, on a port of its own, for clients that make their own connections."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from chunkwright.server import Settings, create_app

uvicorn = pytest.importorskip("uvicorn", reason="the service is served by uvicorn")


@contextmanager
def running(settings: Settings) -> Iterator[str]:
    """The address of a service, which ends with the block."""
    config = uvicorn.Config(create_app(settings), port=0, log_config=None, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
