"""Tasks of a service of two processes: each process knows those of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
import pytest

from tests.server.running import PATIENCE, serving

from . import sources

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("httptools", reason="needs the extra server")

N_TASKS = 6


def test_a_task_is_found_by_whichever_process_is_asked(model: Path) -> None:
    flags = ("--tokenizer", f"sentence-transformers/all-MiniLM-L6-v2={model}")
    files = {"files": ("rivers.md", sources.MARKDOWN)}
    with serving("--workers", "2", *flags) as running:
        address = f"http://127.0.0.1:{running.port}"
        # Each call has a connection of its own, which either process may take.
        path = f"{address}/v1/chunk/hybrid/file"
        plain = httpx2.post(path, files=files, timeout=PATIENCE).json()["chunks"]
        assert plain
        for _ in range(N_TASKS):
            asked = httpx2.post(f"{path}/async", files=files, timeout=PATIENCE)
            task = asked.json()["task_id"]
            url = f"{address}/v1/status/poll/{task}?wait=60"
            assert httpx2.get(url, timeout=PATIENCE).json()["task_status"] == "success"
            found = httpx2.get(f"{address}/v1/result/{task}", timeout=PATIENCE)
            assert found.json()["chunks"] == plain
