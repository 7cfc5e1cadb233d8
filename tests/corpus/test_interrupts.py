"""Runs that are interrupted from the keyboard: they end soon, and leave what is done."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus, status
from tests.corpus.folders import files, text, write_json

PROGRAM = """
import sys, time
import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.report import Counts

class Shown:
    def __call__(self, step):
        if isinstance(step.about, Counts) and step.about.shards:
            print("shard", flush=True)
            # However long the signal is on its way, the run is not over by then.
            time.sleep(600)

corpus = Corpus(sys.argv[1], cw.Recursive(max_tokens=100), shard_bytes=200_000, workers=1)
try:
    corpus.write(sys.argv[2], progress=Shown())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of other systems")
def test_a_run_that_is_interrupted_leaves_what_is_done(tmp_path: Path) -> None:
    inputs = tmp_path / "in"
    for number in range(60):
        rows = ({"text": text(1000 * number + n, 200)} for n in range(150))
        write_json(inputs / f"{number:02}.jsonl", rows)
    out = tmp_path / "out"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(inputs), str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "shard\n"
        child.send_signal(signal.SIGINT)
        said, problems = child.communicate(timeout=60)
    assert (child.returncode, problems) == (0, "")
    assert said.splitlines()[-1] == "interrupted"
    assert not list(out.rglob("*tmp"))
    before = status(str(out))
    assert 0 < before.n_done < before.n_shards
    assert before.running is None
    corpus = Corpus(inputs, cw.Recursive(max_tokens=100), shard_bytes=200_000, workers=1)
    assert corpus.write(out).n_skipped == before.n_done
    corpus.write(tmp_path / "whole")
    assert files(out) == files(tmp_path / "whole")
