"""File systems that fsspec reaches: the same inputs and outputs as on this machine."""

from __future__ import annotations

import gzip
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus, status
from chunkwright.corpus.inputs import places, splitting
from chunkwright.corpus.inputs.places import place_of
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.output.parquet import part_path
from chunkwright.errors import ConfigError, CorpusError, MissingExtraError
from tests.corpus.folders import files, mixed, rows, text, write_json
from tests.corpus.listening import Listener
from tests.readers.pdf.damaged import good

fsspec = pytest.importorskip("fsspec", reason="file systems of other machines")
WINDOW = cw.Window(max_chars=60)


@pytest.fixture
def memory() -> Iterator[str]:
    address = f"memory://{uuid.uuid4().hex}"
    yield address
    system = fsspec.filesystem("memory")
    if system.exists(address):
        system.rm(address, recursive=True)


def put(folder: Path, address: str) -> None:
    fsspec.filesystem("memory").put(f"{folder}/", address, recursive=True)


def listed(address: str) -> dict[str, bytes]:
    """Return the files below an address by their paths there."""
    system = fsspec.filesystem("memory")
    root = system._strip_protocol(address)
    return {path.removeprefix(f"{root}/"): system.cat_file(path) for path in system.find(address)}


def remote_rows(address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, _ in Manifest(address).plan():
        with place_of(address).open(part_path(address, name)) as file:
            found += pq.read_table(file).to_pylist()
    return found


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = mixed(tmp_path / "in", 10)
    write_json(folder / "z" / "c.jsonl", [{"text": text(400)}, {"no": "text"}])
    lines = (folder / "a.jsonl").read_bytes()
    (folder / "z" / "d.jsonl.gz").write_bytes(gzip.compress(lines))
    (folder / "z" / "e.jsonl.zst").write_bytes(pa.compress(lines, "zstd", asbytes=True))
    whole = pa.table({"text": [text(500 + n) for n in range(20)]})
    for name, new in [("f", pa.ipc.new_file), ("g", pa.ipc.new_stream)]:
        with new(folder / "z" / f"{name}.arrow", whole.schema) as writer:
            writer.write_table(whole, max_chunksize=5)
    return folder


@pytest.mark.parametrize("how", ["", "/", "/**/*.*"])
def test_inputs_are_those_of_the_same_folder_here(
    inputs: Path, tmp_path: Path, memory: str, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(splitting, "UNIT_BYTES", 1000)
    put(inputs, memory)
    remote = Corpus(f"{memory}{how}", WINDOW, shard_bytes=2500, duplicates="mark")
    local = Corpus(inputs, WINDOW, shard_bytes=2500, duplicates="mark")
    result = remote.write(tmp_path / "remote")
    wanted = local.write(tmp_path / "local")
    assert rows(tmp_path / "remote") == rows(tmp_path / "local")
    assert result.counts.documents == wanted.counts.documents == 24 + 60
    assert result.counts.failed == 1
    assert remote.write(tmp_path / "remote").n_made == 0


def test_a_file_is_called_by_its_own_name(tmp_path: Path, memory: str) -> None:
    fsspec.filesystem("memory").pipe_file(f"{memory}/deep/a.md", b"# A\n\nText.")
    fsspec.filesystem("memory").pipe_file(f"{memory}/b.pdf", good()[:100])
    result = Corpus([f"{memory}/deep/a.md", f"{memory}/b.pdf"], WINDOW).write(tmp_path)
    assert {row["document"] for row in rows(tmp_path)} == {"a.md"}
    assert [failure.unit for failure in result.failures] == ["b.pdf"]


def test_files_are_read_once_and_called_apart(tmp_path: Path, memory: str) -> None:
    (tmp_path / "a.txt").write_text("Here.")
    for folder in ("one", "two"):
        fsspec.filesystem("memory").pipe_file(f"{memory}/{folder}/a.txt", folder.encode())
    addresses = [f"{memory}/one", f"{memory}/one/*.txt", f"{memory}/one/a.txt", f"{memory}/two/"]
    Corpus([tmp_path / "a.txt", *addresses], WINDOW).write(tmp_path / "out")
    found = {row["text"]: row["document"] for row in rows(tmp_path / "out")}
    assert list(found) == ["Here.", "one", "two"]
    assert (found["one"], found["two"]) == ("one/a.txt", "two/a.txt")
    assert found["Here."].endswith("/a.txt")
    assert len(rows(tmp_path / "out")) == 3


def test_outputs_are_those_of_a_folder_here(inputs: Path, tmp_path: Path, memory: str) -> None:
    corpus = Corpus(inputs, WINDOW, shard_bytes=2500)
    result = corpus.write(memory)
    corpus.write(tmp_path / "local")
    found, wanted = listed(memory), files(tmp_path / "local")
    assert {path: found[path] for path in wanted} == wanted
    assert set(found) - set(wanted) == {
        "_run/settings.json",
        "_run/plan.json",
        "_run/run.json",
        *(f"_run/shards/{name}.json" for name, _ in Manifest(memory).plan()),
    }
    assert remote_rows(memory) == rows(tmp_path / "local")
    assert corpus.write(memory).n_made == 0
    assert status(memory).n_done == result.n_shards
    assert status(memory).running is None


def test_a_run_that_ended_early_is_gone_on_with(inputs: Path, tmp_path: Path, memory: str) -> None:
    class Ending(Listener):
        n_calls = 0

        def advance(self, counts: Any) -> None:
            del counts
            self.n_calls += 1
            if self.n_calls == 4:
                raise KeyboardInterrupt

    corpus = Corpus(inputs, WINDOW, shard_bytes=2500)
    with pytest.raises(KeyboardInterrupt):
        corpus.write(memory, progress=Ending())
    assert not [path for path in listed(memory) if path.endswith(("tmp", "lock"))]
    assert 0 < status(memory).n_done < status(memory).n_shards
    [spoiled, *_] = [path for path in listed(memory) if path.startswith("part-")]
    fsspec.filesystem("memory").pipe_file(f"{memory}/{spoiled}", b"cut short")
    corpus.write(memory)
    corpus.write(tmp_path / "local")
    wanted = files(tmp_path / "local")
    found = listed(memory)
    assert {path: found[path] for path in wanted} == wanted


def test_a_disk_that_is_full_is_told_of(
    inputs: Path, memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Any, path: str) -> Any:
        del self, path
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(places.RemotePlace, "pending", full)
        with pytest.raises(CorpusError, match=f"cannot write {memory}/.*No space left"):
            Corpus(inputs, WINDOW).write(memory)
    assert listed(memory) == {}


def test_an_input_that_vanishes_is_tried_again(tmp_path: Path, memory: str) -> None:
    system = fsspec.filesystem("memory")
    for name in ("a", "b"):
        system.pipe_file(f"{memory}/{name}.jsonl", b'{"text": "One."}\n')

    class Removing(Listener):
        def begin(self, beginning: Any) -> None:
            del beginning
            system.rm_file(f"{memory}/b.jsonl")

    corpus = Corpus(memory, WINDOW, shard_bytes=1)
    result = corpus.write(tmp_path, progress=Removing())
    assert (result.n_made, len(result.given_up)) == (1, 1)
    assert "b.jsonl: no such file any more" in result.given_up[0]
    system.pipe_file(f"{memory}/b.jsonl", b'{"text": "Two."}\n')
    assert corpus.write(tmp_path).n_made == 1
    assert [row["text"] for row in rows(tmp_path)] == ["One.", "Two."]


def test_an_output_in_an_input_is_none_of_the_inputs(memory: str) -> None:
    fsspec.filesystem("memory").pipe_file(f"{memory}/a.txt", b"One.")
    corpus = Corpus(memory, WINDOW)
    assert corpus.write(f"{memory}/out").n_made == 1
    assert corpus.write(f"{memory}/out").n_made == 0


def test_addresses_that_lead_nowhere_are_told(tmp_path: Path, memory: str) -> None:
    (tmp_path / "a.txt").write_text("Here.")
    result = Corpus([tmp_path / "a.txt", f"{memory}/none"], WINDOW).write(tmp_path / "out")
    assert [f"{memory}/none" in each for each in result.problems] == [True]
    with pytest.raises(ConfigError, match="klingon"):
        Corpus("klingon://a").plan()


def test_without_fsspec_its_extra_is_named(
    tmp_path: Path, memory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("Here.")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"memory://.*chunkwright\[corpus\]"):
        Corpus(memory).plan()
    with pytest.raises(MissingExtraError, match=r"chunkwright\[corpus\]"):
        Corpus(tmp_path).write(memory)
