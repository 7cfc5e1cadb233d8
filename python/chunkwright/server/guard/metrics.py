"""Metrics of a service, as Prometheus reads them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from chunkwright import telemetry
from chunkwright.server.settings import SHARED_FOLDER

if TYPE_CHECKING:
    from chunkwright.server.pool import Pool

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """Numbers of one process, which those of others are added to where there are several."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self._requests = Counter(
            "chunkwright_requests",
            "Requests that were answered.",
            ("route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "chunkwright_request_seconds",
            "Seconds from the head of a request to the end of its answer.",
            ("route",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._bytes = Counter(
            "chunkwright_body_bytes",
            "Bytes of the bodies of requests and answers.",
            ("direction",),
            registry=registry,
        )
        self._chunks = Counter(
            "chunkwright_chunks", "Chunks that were answered.", registry=registry
        )
        self._busy, self._waiting = (
            Gauge(f"chunkwright_pool_{name}", about, registry=registry, multiprocess_mode="livesum")
            for name, about in (
                ("busy", "Threads that work."),
                ("waiting", "Requests that wait for a thread."),
            )
        )

    def watch(self, *pools: Pool) -> None:
        """Say from now on how many threads of pools are busy, and how many requests wait."""

        def write() -> None:
            self._busy.set(sum(pool.n_busy for pool in pools))
            self._waiting.set(sum(pool.n_waiting for pool in pools))

        # Each process writes its own number down: it cannot be asked when metrics are read.
        for pool in pools:
            pool.watch(write)

    def answered(self, route: str, status: int, seconds: float, sizes: tuple[int, int]) -> None:
        """Count an answer: its route, its status, and the bytes of both bodies."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        for direction, size in zip(("in", "out"), sizes, strict=True):
            self._bytes.labels(direction).inc(size)

    def chunks(self, n: int) -> None:
        """Count chunks."""
        self._chunks.inc(n)
        telemetry.add("chunks", n)

    def text(self) -> bytes:
        """Return the metrics as Prometheus reads them."""
        if SHARED_FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
