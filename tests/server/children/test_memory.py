"""Memory that processes alone have: with those that they start, and without mapped files."""

import mmap
import subprocess
import sys
from tempfile import TemporaryFile
from typing import IO

import pytest

if not sys.platform.startswith("linux"):
    pytest.skip("needs Linux, which says what memory a process has", allow_module_level=True)

from chunkwright.server.children.memory import is_known, own_memory, tree_memory

MEGABYTE = 10**6
TAKING = "import sys; taken = b'x' * {size}; {then}; print('there', flush=True); sys.stdin.read()"
STARTING = "import subprocess; subprocess.Popen([sys.executable, '-c', {inner!r}]).stdin"


def written(data: bytes) -> IO[bytes]:
    """Return a file on a disk: one in memory counts as memory."""
    file = TemporaryFile(dir="/var/tmp")  # noqa: SIM115 - its caller closes it
    file.write(data)
    file.flush()
    return file


def test_a_mapped_file_is_not_counted_and_memory_is() -> None:
    assert is_known()
    before = own_memory()
    with (
        written(bytes(50 * MEGABYTE)) as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
    ):
        assert mapped.find(b"x") == -1
        assert own_memory() < before + 30 * MEGABYTE
    taken = b"x" * 50 * MEGABYTE
    assert own_memory() > before + 40 * MEGABYTE
    assert len(taken) == 50 * MEGABYTE


def test_what_a_process_starts_is_counted_and_one_that_has_ended_has_none() -> None:
    inner = TAKING.format(size=40 * MEGABYTE, then="pass")
    outer = TAKING.format(size=10 * MEGABYTE, then=STARTING.format(inner=inner))
    process = subprocess.Popen(
        [sys.executable, "-c", outer],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)] == [b"there\n"] * 2
    assert 10 * MEGABYTE < own_memory(process.pid) < 40 * MEGABYTE
    assert tree_memory(process.pid) > 50 * MEGABYTE
    process.stdin.close()
    process.wait()
    process.stdout.close()
    assert own_memory(process.pid) == tree_memory(process.pid) == 0
