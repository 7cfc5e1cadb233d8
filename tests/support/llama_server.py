"""llama.cpp's server with a tiny random model, as `scripts/build_llama_server.py` leaves it."""

from __future__ import annotations

import runpy
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

NO_SERVER = "needs llama.cpp's server: CONTRIBUTING.md, A real server"
KEY = "key-of-the-test"
# Of a request and its reply.
CONTEXT_TOKENS = 2048
_SCRIPT = Path(__file__).parents[2] / "scripts" / "build_llama_server.py"
# Seconds until it has read its model, on a busy machine.
_PATIENCE = 60.0


def is_built() -> bool:
    """Return whether the server and its model are there."""
    made = runpy.run_path(str(_SCRIPT))
    return all(made[name].exists() for name in ("SERVER", "MODEL"))


@contextmanager
def llama_server(n_slots: int) -> Iterator[str]:
    """Run the server, which answers so many requests at once; give its URL."""
    made = runpy.run_path(str(_SCRIPT))
    with kept_port() as port:
        options = {
            "--model": made["MODEL"],
            "--host": "127.0.0.1",
            "--port": port,
            "--ctx-size": n_slots * CONTEXT_TOKENS,
            "--parallel": n_slots,
            "--threads": 1,
            "--api-key": KEY,
        }
        command = [made["SERVER"], *(part for option in options.items() for part in option)]
        yield from _served(list(map(str, command)), f"http://127.0.0.1:{port}")


@contextmanager
def kept_port() -> Iterator[int]:
    """Keep a port for a program that may share it with us, and that no other takes meanwhile."""
    with socket.socket() as kept:
        # Servers ask for one of both, as who keeps the port has to.
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            kept.setsockopt(socket.SOL_SOCKET, option, 1)
        kept.bind(("127.0.0.1", 0))
        yield kept.getsockname()[1]


def _served(command: list[str], url: str) -> Iterator[str]:
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=silent, stderr=silent) as process:
        try:
            _wait(url, process)
            yield url
        finally:
            # It would wait for connections that are open, and they for it.
            process.kill()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            if httpx2.get(f"{url}/health").is_success:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"the server was not there in {_PATIENCE:g} s")
