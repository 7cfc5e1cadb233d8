"""Service under load: latency at a steady rate, throughput, time to the first answer, memory.

The client is a process of its own, so that what it does is not counted as the service's. Requests
of a steady rate are due at fixed times, and their latency counts from then on: a service that
stops for a while is charged for all that was due meanwhile. What is printed is Markdown.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple, cast

import numpy as np
from lib.table import NOTHING, Table, at_most, say, three_digits, versions

TEXT = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")
AIM_P99 = 5.0
_TIMER = 0.002


class Load(NamedTuple):
    """What a client asks.

    Attributes
    ----------
    size
        Characters of each text.
    rate
        Requests a second; 0: as many as are answered.
    seconds
        How long.
    n_connections
        Connections.
    """

    size: int
    rate: float
    seconds: float
    n_connections: int


def request_of(size: int) -> bytes:
    """Return a request for a text of that many characters."""
    text = (TEXT * (size // len(TEXT) + 1))[:size]
    body = json.dumps({"text": text}).encode()
    head = (
        "POST /v1/chunk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(head.decode("latin-1"))
    found = re.search(rb"content-length: (\d+)", head)
    await reader.readexactly(int(found[1]) if found else 0)


async def _wait_until(due: float) -> None:
    # Timers are exact to a millisecond, which would be a part of what is measured.
    await asyncio.sleep(due - time.perf_counter() - _TIMER)
    while time.perf_counter() < due:  # noqa: ASYNC110 - nothing else tells of a time
        await asyncio.sleep(0)


async def _client(port: int, load: Load) -> list[float]:
    data = request_of(load.size)
    taken: list[float] = []
    begin = time.perf_counter() + 0.2
    n_asked = 0

    async def ask_in_turn() -> None:
        nonlocal n_asked
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        try:
            while True:
                due = begin + n_asked / load.rate if load.rate else time.perf_counter()
                n_asked += 1
                if due > begin + load.seconds:
                    return
                await _wait_until(due)
                due = due if load.rate else time.perf_counter()
                await _asked(reader, writer, data)
                taken.append(time.perf_counter() - due)
        finally:
            writer.close()

    await asyncio.gather(*(ask_in_turn() for _ in range(load.n_connections)))
    return taken


def _run_client(port: int, load: Load) -> list[float]:
    return asyncio.run(_client(port, load))


def measured(port: int, load: Load) -> np.ndarray:
    """Return how long each answer took, in milliseconds."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return np.array(pool.apply(_run_client, (port, load))) * 1e3


@contextmanager
def serving(*flags: str) -> Iterator[tuple[int, int, float]]:
    """Start a service; give its port, its process id and the seconds to its first answer."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "chunkwright", "serve", "--port", "0", *flags],
        stderr=subprocess.PIPE,
        text=True,
    )
    log = cast("IO[str]", process.stderr)
    try:
        found = next(filter(None, map(LISTENING.search, log)))
        Thread(target=log.read, daemon=True).start()
        port = int(found[1])
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(request_of(100))
            line.recv(1)
        yield port, process.pid, time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def resident(pid: int) -> float:
    """Return the megabytes of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000, help="characters of each text")
    parser.add_argument("--rate", type=float, default=200, help="requests a second")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--requests", type=int, default=100_000, help="for memory; 0: not measured")
    parser.add_argument("flags", nargs="*", help="of `chunkwright serve`")
    given = parser.parse_args()
    with serving(*given.flags) as (port, pid, first):
        say(
            f"{versions('fastapi', 'uvicorn')}. Chunks of texts of {given.size:,} characters, by "
            "the clock. At a steady rate a request counts from when it is due."
        )
        columns = ("requests/s", "median (ms)", "95 % within (ms)", "99 % within (ms)", "wanted")
        table = Table("load", *columns, "longest (ms)")
        at_start = resident(pid)
        measured(port, Load(given.size, 0, 1, given.connections))
        for rate in (given.rate, 0):
            taken = measured(port, Load(given.size, rate, given.seconds, given.connections))
            p50, p95, p99, most = (np.percentile(taken, q) for q in (50, 95, 99, 100))
            table.row(
                f"{rate:g} requests/s" if rate else f"{given.connections} clients at once",
                f"{len(taken) / given.seconds:,.0f}",
                *map(three_digits, (p50, p95, p99)),
                at_most(AIM_P99, p99, "ms") if rate else NOTHING,
                three_digits(most),
            )
        say(
            f"The first answer came {first:.2f} s after the start, with {at_start:.0f} MB of "
            "memory."
        )
        if given.requests:
            _print_memory(port, pid, given)


def _print_memory(port: int, pid: int, given: argparse.Namespace) -> None:
    before, n = resident(pid), 0
    while n < given.requests:
        n += len(measured(port, Load(1000, 0, 10, given.connections)))
    say(f"Memory was {before:.0f} MB before and {resident(pid):.0f} MB after {n:,} requests more.")


if __name__ == "__main__":
    main()
