"""Tasks of engines on other machines, as a worker process receives them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.corpus.engines.remote import Task
from tests.corpus.folders import mixed


@pytest.fixture
def task(tmp_path: Path) -> Task:
    corpus = Corpus(mixed(tmp_path / "inputs", 12), cw.Window(max_chars=60))
    return Task(corpus.plan().job, str(tmp_path / "out"))


def test_a_process_makes_one_task_of_all_that_it_is_sent(task: Task) -> None:
    # Whose models are then loaded once, and not once a shard.
    one, two = (pickle.loads(pickle.dumps(task)) for _ in range(2))
    assert one is two
    assert one.job.fingerprint == task.job.fingerprint


def test_a_task_of_another_output_is_another(task: Task, tmp_path: Path) -> None:
    other = Task(task.job, str(tmp_path / "other"))
    one, two = (pickle.loads(pickle.dumps(each)) for each in (task, other))
    assert one is not two
    assert two.folder == other.folder
