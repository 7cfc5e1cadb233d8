"""Hostile PDF documents end in a document or a typed error, in time and in memory; threads."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import chunkwright as cw
from tests.readers.pdf.damaged import HOSTILE, cases, compressed, mutated
from tests.readers.pdf.drawing import Sheets, prose
from tests.support.mostly_slow import mostly_slow

pytest.importorskip("resource", reason="limits of memory")

ROOT = Path(__file__).parents[3]
SECONDS, MEGABYTES = 10, 500
N_MUTATED = 40
BATCH = 20


def ends_well(first: int, last: int, n_mutated: int) -> None:
    """Read some of the documents in a process of its own, and look at how each ends."""
    numbers = map(str, (first, last, n_mutated, MEGABYTES))
    command = [sys.executable, "-m", "tests.readers.pdf.reading", *numbers]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{reports[-1:]}: {done.stderr[-2000:]}"
    ends = [report for report in reports if report[1] != "begins"]
    assert len(ends) == last - first
    bad = [
        (name, ending, seconds, megabytes)
        for name, ending, seconds, megabytes in ends
        if ending.startswith("untyped") or seconds > SECONDS or megabytes > MEGABYTES
    ]
    assert bad == []


@pytest.mark.parametrize("first", mostly_slow(range(0, len(HOSTILE) + N_MUTATED, BATCH), quick=2))
def test_hostile_documents_end_in_a_document_or_a_typed_error(first: int) -> None:
    ends_well(first, min(first + BATCH, len(HOSTILE) + N_MUTATED), N_MUTATED)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(len(HOSTILE), len(HOSTILE) + 500, 100))
def test_mutated_documents_end_in_a_document_or_a_typed_error(first: int) -> None:
    ends_well(first, first + 100, 500)


def test_mutations_are_of_all_kinds() -> None:
    """Some can be read and some cannot, or nothing would be tested."""
    endings = {"document": 0, "error": 0}
    for seed in range(40):
        try:
            cw.read_pdf(mutated(seed))
        except cw.ChunkwrightError:
            endings["error"] += 1
        else:
            endings["document"] += 1
    assert min(endings.values()) > 8
    assert len({name for name, _ in cases(5)}) == len(HOSTILE) + 5


def test_what_can_be_read_of_hostile_documents_is_read() -> None:
    wanted = ["numbers that are none", "large numbers", "a page upside down", "short lines"]
    for name in wanted:
        assert "It rained for days." in cw.read_pdf(HOSTILE[name]()).body, name


def test_threads_read_what_one_thread_reads() -> None:
    def made(seed: int) -> bytes:
        sheets = Sheets()
        for page in range(1 + seed % 3):
            sheets.line(72, 80, f"Heading {'ABC'[page]}", size=16)
            sheets.paragraph(110, prose(3 * seed + page, 20))
            sheets.next()
        return sheets.data()

    files = [made(seed) for seed in range(36)] + [compressed(), *map(mutated, range(3))]

    def read(data: bytes) -> cw.Document | str:
        try:
            return cw.read_pdf(data)
        except cw.ReadError as error:
            return str(error)

    expected = [read(data) for data in files]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(2):
            assert list(pool.map(read, files)) == expected
