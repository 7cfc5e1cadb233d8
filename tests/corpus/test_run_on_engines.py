"""Runs on Ray and on Spark: the files of this machine's own, also where workers are killed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus, Result
from chunkwright.corpus.output.manifest import Manifest
from chunkwright.corpus.settings import ENGINES, LOCAL
from chunkwright.errors import ConfigError, CorpusError
from tests.corpus.folders import files, marks, mixed, text, write_json

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore:Tip. In future versions of Ray:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(params=[name for name in ENGINES if name != LOCAL])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine that is running; what has to be started has a fixture of its name."""
    name: str = request.param
    with contextlib.suppress(pytest.FixtureLookupError):
        request.getfixturevalue(name)
    return name


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A hundred documents in files of several kinds, some of which fail."""
    folder = mixed(tmp_path / "inputs", 48)
    write_json(folder / "odd.jsonl", [{"text": None, "year": 1}, {"no": "text"}])
    return folder


def killing(flag: Path) -> Callable[[str], int]:
    """Make a counter that kills the first process that it is called in, if there is a file."""

    # Pickled as a whole: workers cannot import tests.
    def count(words: str) -> int:
        if flag.exists():
            flag.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return len(words.split())

    return count


def written(inputs: Path, out: Path, engine: str, strategy: Any = None, **options: Any) -> Result:
    strategy = strategy or cw.Recursive(max_tokens=16)
    corpus = Corpus(inputs, strategy, shard_bytes=2000, **options)
    return corpus.write(out, engine=engine)


def test_files_are_those_of_this_machine(engine: str, inputs: Path, tmp_path: Path) -> None:
    here = written(inputs, tmp_path / "here", "local")
    there = written(inputs, tmp_path / "there", engine)
    assert there.n_made == here.n_made > 2
    assert there.counts.documents == here.counts.documents > 90
    assert there.counts.failed == here.counts.failed == 2
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert marks(tmp_path / "there") == marks(tmp_path / "here")
    messages = [sorted(each.message for each in run.failures) for run in (here, there)]
    assert messages[0] == messages[1]
    assert written(inputs, tmp_path / "there", "local").n_made == 0


def test_a_run_is_gone_on_with_by_another_engine(engine: str, inputs: Path, tmp_path: Path) -> None:
    whole = written(inputs, tmp_path / "whole", "local")
    out = tmp_path / "out"
    written(inputs, out, "local")
    names = [name for name, _ in Manifest(str(out)).plan()][::2]
    Manifest(str(out)).remove(names)
    result = written(inputs, out, engine)
    assert (result.n_made, result.n_skipped) == (len(names), whole.n_shards - len(names))
    assert files(out) == files(tmp_path / "whole")


def test_a_killed_worker_loses_nothing(ray: Any, inputs: Path, tmp_path: Path) -> None:
    del ray  # it is running
    flag = tmp_path / "flag"
    strategy = cw.Window(max_tokens=16, tokenizer=killing(flag))
    written(inputs, tmp_path / "here", "local", strategy, fingerprint="words")
    flag.touch()
    result = written(inputs, tmp_path / "there", "ray", strategy, fingerprint="words")
    assert not flag.exists()
    assert result.n_made == result.n_shards
    assert files(tmp_path / "there") == files(tmp_path / "here")


def test_an_output_that_cannot_be_written_ends_the_run(
    engine: str, inputs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    written(inputs, out, "local")
    plan = Manifest(str(out)).plan()
    Manifest(str(out)).remove([plan[0][0]])
    part = out / f"part-{plan[0][0]}.parquet"
    part.unlink()
    # Nobody, root included, can put a file in the place of a folder that is not empty.
    (part / "in the way").mkdir(parents=True)
    with pytest.raises(CorpusError, match="cannot write"):
        written(inputs, out, engine)


def test_a_store_is_written_by_this_machine_alone(engine: str, tmp_path: Path) -> None:
    source = write_json(tmp_path / "a.jsonl", [{"text": text(1)}])
    with cw.Store.open(tmp_path / "kb.db") as store, pytest.raises(ConfigError, match="'local'"):
        Corpus(source, cw.Recursive(max_tokens=16)).write(
            tmp_path / "out", engine=engine, store=store
        )
