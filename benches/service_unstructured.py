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
import resource
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
    """What a server did: seconds of each request, seconds of all, and seconds of the processor."""

    seconds: list[float]
    wall: float
    cpu: float


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
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{len(file) / MEGABYTE:.2f} MB a file, {options.clients} clients\n")
    print("| server | requests/s | MB/s | median (ms) | slowest (ms) | CPU (s) |")
    print("|---|---|---|---|---|---|")
    answers = {}
    for name in (OURS, THEIRS):
        run, answers[name] = _measured(name, file, options.requests, options.clients)
        rate = options.requests / run.wall
        median, slowest = statistics.median(run.seconds), max(run.seconds)
        print(
            f"| {name} | {rate:.1f} | {rate * len(file) / MEGABYTE:.2f} | {median * 1000:.1f}"
            f" | {slowest * 1000:.1f} | {run.cpu:.2f} |"
        )
    _check_same(answers[OURS], answers[THEIRS])


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
        answer = _sent(client, file)[1]
        before, began = _cpu_seconds(process.pid), time.perf_counter()
        sending = [clients.submit(_sent, client, file) for _ in range(n_requests)]
        seconds = [each.result()[0] for each in sending]
        wall = time.perf_counter() - began
        return Run(seconds, wall, _cpu_seconds(process.pid) - before), answer


def _sent(client: httpx.Client, file: bytes) -> tuple[float, list[Any]]:
    began = time.perf_counter()
    files = {"files": ("elements.json", file, "application/json")}
    answer = client.post(PATH, files=files, data=FIELDS).raise_for_status()
    return time.perf_counter() - began, answer.json()


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


def _serve(name: str, port: int) -> None:
    import uvicorn

    app = _ours() if name == OURS else _theirs()
    uvicorn.run(app, port=port, log_level="warning")
    print(f"{name}: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


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
