"""Progress of a run: what it is told adds up to what was done."""

from pathlib import Path

import pyarrow as pa
import pytest

import chunkwright as cw
from chunkwright.corpus import Beginning, Corpus, Counts, Failure
from chunkwright.corpus.reading import tables
from chunkwright.io.batches import ROWS
from tests.corpus.folders import mixed, text
from tests.corpus.listening import Listener


class Told(Listener):
    """What a run tells."""

    def __init__(self) -> None:
        self.beginning: Beginning | None = None
        self.steps: list[int] = []
        self.counts = Counts()

    def begin(self, beginning: Beginning) -> None:
        self.beginning = beginning

    def advance(self, counts: Counts) -> None:
        self.counts.add(counts)
        self.steps.append(counts.input_bytes)

    def fail(self, failure: Failure) -> None:
        raise AssertionError(failure)


def test_bytes_advance_within_a_shard_and_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "ROWS", ROWS._replace(n=5))
    folder = mixed(tmp_path / "in")
    batches = [pa.record_batch({"text": [text(i)], "year": [i]}) for i in range(4)]
    with pa.ipc.new_file(folder / "c.arrow", batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    told = Told()
    result = Corpus(folder, cw.Window(max_chars=50)).write(tmp_path / "out", progress=told)
    assert told.beginning is not None
    assert told.beginning.n_shards == result.n_shards == told.counts.shards == 1
    assert sum(told.steps) == told.beginning.size == result.counts.input_bytes
    assert sum(step > 0 for step in told.steps) > 5
    assert max(told.steps) < told.beginning.size / 2
    assert told.counts.documents == result.counts.documents
    assert told.counts.chunks == result.counts.chunks


def test_progress_is_a_function(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "in")
    with pytest.raises(cw.ConfigError, match="progress must be callable, got 3") as caught:
        Corpus(folder).write(tmp_path / "out", progress=3)  # type: ignore[arg-type]
    assert caught.value.option == "progress"
    assert not (tmp_path / "out").exists()
