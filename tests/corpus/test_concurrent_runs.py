"""Runs on one output: the second one refuses or waits; locks of runs that are dead are free."""

from __future__ import annotations

import json
import os
import re
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chunkwright.corpus import Corpus, status
from chunkwright.corpus.inputs.places import place_of, read_bytes
from chunkwright.corpus.output import lock
from chunkwright.corpus.output.lock import holder, locked
from chunkwright.errors import CorpusError
from tests.corpus import children
from tests.corpus.folders import files, mixed
from tests.corpus.listening import Listener


def hold(path: str, seconds: float) -> None:
    """Hold a lock in a process of its own."""
    with locked(path):
        Path(f"{path}.held").touch()
        time.sleep(seconds)


def holding(path: Path, seconds: float) -> Any:
    """Return a process that has a lock."""
    child = children.started(hold, str(path), seconds)
    while not Path(f"{path}.held").exists():
        time.sleep(0.01)
    return child


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return mixed(tmp_path / "in", 5)


def test_a_second_run_refuses_and_names_the_first(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    child = holding(out / "_run" / "lock", 60)
    try:
        words = f"process {child.pid} on {re.escape(socket.gethostname())}"
        with pytest.raises(CorpusError, match=f"{out} is written by {words}"):
            Corpus(inputs).write(out)
        assert (
            holder(str(out / "_run" / "lock")) == f"process {child.pid} on {socket.gethostname()}"
        )
        # Nothing was begun.
        assert not list(out.glob("*.parquet"))
    finally:
        child.kill()
        child.join()
    # What was killed holds nothing.
    assert holder(str(out / "_run" / "lock")) is None
    assert Corpus(inputs).write(out).n_made == 1


@pytest.mark.parametrize(
    "said", [b"", b"[1]", b'{"time": 1e400}', b'{"time": ' + b"9" * 400 + b"}", b"[" * 200_000]
)
def test_locks_that_say_nothing_are_of_another_run(said: bytes) -> None:
    assert lock._age(said) < 1
    assert lock._words(said) == "another run"


def test_a_second_run_waits_if_it_is_told_to(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    child = holding(out / "_run" / "lock", 0.3)
    assert Corpus(inputs).write(out, waits=True).n_made == 1
    child.join()
    assert child.exitcode == 0


def test_runs_in_threads_exclude_each_other_too(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told: list[CorpusError] = []

    class Again(Listener):
        def begin(self, beginning: Any) -> None:
            del beginning
            with pytest.raises(CorpusError) as error:
                Corpus(inputs).write(out)
            told.append(error.value)

    assert Corpus(inputs).write(out, progress=Again()).n_made == 1
    assert f"process {os.getpid()}" in str(told[0])


def test_runs_that_wait_for_each_other_write_all_once(inputs: Path, tmp_path: Path) -> None:
    made: list[int] = []

    def write() -> None:
        corpus = Corpus(inputs, shard_bytes=1500)
        made.append(corpus.write(tmp_path / "out", waits=True).n_made)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made)[:3] == [0, 0, 0]
    assert max(made) == Corpus(inputs, shard_bytes=1500).write(tmp_path / "one").n_made
    assert files(tmp_path / "out") == files(tmp_path / "one")


def test_asking_how_far_runs_are_does_not_stop_them_from_beginning(
    inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    Corpus(inputs).write(out)
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            status(str(out))

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        for _ in range(20):
            assert Corpus(inputs).write(out).n_made == 0
    finally:
        is_over.set()
        thread.join()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(inputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    with pytest.raises(CorpusError, match=f"cannot write {out}"):
        Corpus(inputs).write(out)


def test_an_output_that_is_a_file_is_named(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(
        CorpusError, match=f"cannot write {tmp_path}/out/_run/lock: Not a directory"
    ):
        Corpus(inputs).write(tmp_path / "out")


@pytest.fixture
def remote() -> Iterator[str]:
    fsspec = pytest.importorskip("fsspec", reason="file systems of other machines")
    address = f"memory://{uuid.uuid4().hex}"
    yield address
    fsspec.filesystem("memory").rm(address, recursive=True)


def said(address: str) -> dict[str, Any]:
    data = read_bytes(place_of(address), f"{address}/_run/lock")
    assert data is not None
    found: dict[str, Any] = json.loads(data)
    return found


def write_lock(address: str, age: float) -> None:
    text = json.dumps({"host": "far", "process": 7, "time": time.time() - age})
    assert place_of(address).create(f"{address}/_run/lock", text.encode())


def test_elsewhere_a_run_says_that_it_is_alive(
    remote: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_BEAT", 0.01)
    path = f"{remote}/_run/lock"
    with locked(path):
        first = said(remote)
        assert first["process"] == os.getpid()
        while said(remote)["time"] == first["time"]:
            time.sleep(0.01)
        with pytest.raises(CorpusError, match=f"{remote} is written by process {os.getpid()} on"):
            locked(path).__enter__()
        assert holder(path) == f"process {os.getpid()} on {socket.gethostname()}"
    assert holder(path) is None
    assert [thread for thread in threading.enumerate() if "_beat" in thread.name] == []


def test_elsewhere_a_run_that_is_alive_is_waited_for(remote: str, inputs: Path) -> None:
    write_lock(remote, 0)
    with pytest.raises(CorpusError, match="process 7 on far"):
        Corpus(inputs).write(remote)
    timer = threading.Timer(0.3, place_of(remote).remove, [f"{remote}/_run/lock"])
    timer.start()
    assert Corpus(inputs).write(remote, waits=True).n_made == 1
    timer.join()


def test_elsewhere_a_run_that_is_dead_is_taken_over(remote: str, inputs: Path) -> None:
    write_lock(remote, 200)
    assert holder(f"{remote}/_run/lock") is None
    assert Corpus(inputs).write(remote).n_made == 1
    assert read_bytes(place_of(remote), f"{remote}/_run/lock") is None
