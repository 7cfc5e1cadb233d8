"""Requests a second of our unstructured-api dialect and of Unstructured's library behind FastAPI.

``python benches/service_unstructured.py [--elements N] [--requests N] [--clients N]`` starts either
server as a process of uvicorn, sends both the same files of elements to be cut by title, and prints
a Markdown table: requests and megabytes a second, the median and the slowest time, CPU seconds. It
checks that the chunks are the same. The other server does what unstructured-api does with a file,
with the same library, and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from lib.table import NOTHING, Table, duration, say, three_digits, times, versions

PATH = "/general/v0/general"
FIELDS = {"chunking_strategy": "by_title", "max_characters": "1000", "overlap": "50"}
MEGABYTE = 1e6
WORDS = [
    "rain",
    "snow",
    "wind",
    "cloud",
    "river",
    "valley",
    "hill",
    "meadow",
    "tower",
    "bridge",
    "engine",
    "paper",
    "letter",
]
OURS, THEIRS = "ours", "theirs"


class Run(NamedTuple):
    """What a server did: seconds of each request, of all, and of the processor; its peak in MB."""

    seconds: list[float]
    wall: float
    cpu: float
    peak: float


def main() -> None:
    """Print a row for each server."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--elements", type=int, default=1000, help="elements of each file")
    parser.add_argument("--requests", type=int, default=50)
    parser.add_argument("--clients", type=int, default=2, help="requests at once")
    parser.add_argument("--serve", choices=[OURS, THEIRS], help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(options.serve, options.port)
        return
    file = json.dumps(_elements(options.elements)).encode()
    say(
        f"{versions('unstructured', 'fastapi')}. {options.requests:,} requests with a file of "
        f"{options.elements:,} elements, {len(file) / MEGABYTE:.2f} MB, {options.clients} at once, "
        "cut by title. The chunks are the same."
    )
    columns = ("MB/s", "ours is", "median (ms)", "longest (ms)", "CPU time", "peak memory (MB)")
    table = Table("server", "requests/s", *columns)
    ours, expected = _measured(OURS, file, options.requests, options.clients)
    table.row("chunkwright", *_cells(ours, len(file), None))
    theirs, found = _measured(THEIRS, file, options.requests, options.clients)
    _check_same(expected, found)
    table.row("Unstructured behind FastAPI", *_cells(theirs, len(file), ours))


def _cells(run: Run, n_bytes: int, ours: Run | None) -> tuple[str, ...]:
    rate = len(run.seconds) / run.wall
    return (
        three_digits(rate),
        three_digits(rate * n_bytes / MEGABYTE),
        NOTHING if ours is None else times(run.wall / ours.wall),
        f"{statistics.median(run.seconds) * 1000:.1f}",
        f"{max(run.seconds) * 1000:.1f}",
        duration(run.cpu),
        f"{run.peak:.0f}",
    )


def _elements(n_elements: int) -> list[dict[str, Any]]:
    """Return elements as a reader gives them: a title, paragraphs, now and then a table."""
    choose = random.Random(7)  # noqa: S311 - the same each time
    found = []
    for at in range(n_elements):
        kind = "Title" if at % 12 == 0 else "Table" if at % 40 == 5 else "NarrativeText"  # noqa: PLR2004
        n_words = {"Title": 4, "Table": 12, "NarrativeText": 60}[kind]
        words = [choose.choice(WORDS) for _ in range(n_words)]
        metadata: dict[str, Any] = {"page_number": 1 + at // 30, "languages": ["eng"]}
        if kind == "Table":
            cells = "".join(f"<td>{word}</td>" for word in words)
            metadata["text_as_html"] = f"<table><tr>{cells}</tr></table>"
        text = " ".join(words)
        found.append({"type": kind, "element_id": f"e{at}", "text": text, "metadata": metadata})
    return found


def _measured(name: str, file: bytes, n_requests: int, n_clients: int) -> tuple[Run, list[Any]]:
    with (
        _started(name) as (address, process),
        httpx.Client(base_url=address, timeout=600) as client,
        ThreadPoolExecutor(n_clients) as clients,
    ):
        # What a client does with answers takes none of the servers' time: one is read, before.
        answer = json.loads(_sent(client, file)[1])
        before, began = _cpu_seconds(process.pid), time.perf_counter()
        sending = [clients.submit(_sent, client, file) for _ in range(n_requests)]
        seconds = [each.result()[0] for each in sending]
        wall = time.perf_counter() - began
        cpu = _cpu_seconds(process.pid) - before
        return Run(seconds, wall, cpu, _peak(process.pid)), answer


def _sent(client: httpx.Client, file: bytes) -> tuple[float, bytes]:
    began = time.perf_counter()
    files = {"files": ("elements.json", file, "application/json")}
    answer = client.post(PATH, files=files, data=FIELDS).raise_for_status()
    return time.perf_counter() - began, answer.content


@contextmanager
def _started(name: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, __file__, "--serve", name, "--port", str(port)]
    process = subprocess.Popen(command, env={**os.environ, "DO_NOT_TRACK": "1"})
    address = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None:
            try:
                httpx.get(f"{address}/healthcheck")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address, process
    finally:
        process.terminate()
        process.wait()


def _cpu_seconds(pid: int) -> float:
    """Return the seconds of the processor that a process has used; 0 where Linux is not."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    """Return the most memory that a process has had, in MB; 0 where Linux is not."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def _serve(name: str, port: int) -> None:
    import uvicorn

    app = _ours() if name == OURS else _theirs()
    uvicorn.run(app, port=port, log_level="warning")


def _ours() -> Any:
    from chunkwright.server import Settings, create_app

    return create_app(Settings())


def _theirs() -> Any:
    import fastapi
    from unstructured.partition.auto import partition
    from unstructured.staging.base import convert_to_isd

    app = fastapi.FastAPI()

    # A plain function: FastAPI calls it on its threads, as unstructured-api has it.
    def general(
        files: fastapi.UploadFile,
        chunking_strategy: str = fastapi.Form(),
        max_characters: int = fastapi.Form(),
        overlap: int = fastapi.Form(),
    ) -> Any:
        chunks = partition(
            file=files.file,
            metadata_filename=files.filename,
            content_type=files.content_type,
            chunking_strategy=chunking_strategy,
            max_characters=max_characters,
            overlap=overlap,
        )
        for each in chunks:
            each.metadata.filename = files.filename
            each.metadata.coordinates = each.metadata.last_modified = None
        return convert_to_isd(chunks)

    general.__annotations__["files"] = fastapi.UploadFile
    app.post(PATH, response_model=None)(general)
    return app


def _check_same(ours: list[Any], theirs: list[Any]) -> None:
    said = [
        [(each["type"], each["element_id"], each["text"]) for each in chunks]
        for chunks in (ours, theirs)
    ]
    if said[0] != said[1]:
        raise SystemExit("the chunks differ")


if __name__ == "__main__":
    main()
