"""Worker processes on one file: each knows the tasks of all, and does those of killed ones."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result, TaskLimits
from tests.server.tasks.running import LONG, Meeting, WorkerProcess, shared_clock

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
LEASE = 10.0


@pytest.fixture
def clock() -> Any:
    """Return a clock that stands still, so that no lease of a slow process ends by itself."""
    return shared_clock()


@pytest.fixture
def start(path: Path, clock: Any) -> Iterator[Callable[..., WorkerProcess]]:
    """Return what starts a worker on one file; all are ended behind the test."""
    started: list[WorkerProcess] = []

    def start(**limits: Any) -> WorkerProcess:
        started.append(WorkerProcess(path, clock, TaskLimits(lease=LEASE, **limits)))
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.fixture
def meeting(tmp_path: Path) -> Meeting:
    """Return a meeting with a task."""
    folder = tmp_path / "meeting"
    folder.mkdir()
    return Meeting(folder)


def test_each_process_knows_the_tasks_of_the_other(start: Callable[..., WorkerProcess]) -> None:
    first, second = start(), start()
    for asked, other in [(first, second), (second, first)]:
        task = asked.ask("submit", "echo", b"asked", "me")
        assert other.ask("get", task.id, "me").id == task.id
        assert other.ask("wait", task.id, "me", LONG).state == "success"
        assert other.ask("result", task.id, "me") == Result("text/plain", b"asked")
        with pytest.raises(Problem, match="there is no task"):
            other.ask("get", task.id, "you")
    assert [each.end() for each in (first, second)] == [0, 0]


def test_a_wait_notices_what_another_process_has_done(
    start: Callable[..., WorkerProcess], meeting: Meeting
) -> None:
    # One does nothing itself.
    asked, works = start(at_once=0), start()
    task = asked.ask("submit", "meet", meeting.request, "")
    assert meeting.begun() == works.pid
    assert asked.ask("wait", task.id, "", 0.01).state == "started"
    meeting.go_on()
    assert asked.ask("wait", task.id, "", LONG).state == "success"


def test_tasks_of_a_process_that_has_ended_are_kept(start: Callable[..., WorkerProcess]) -> None:
    first = start(at_once=0)
    names = [first.ask("submit", "echo", str(i).encode(), "").id for i in range(3)]
    assert first.end() == 0
    second = start()
    for i, name in enumerate(names):
        assert second.ask("wait", name, "", LONG).state == "success"
        assert int(second.ask("result", name, "").body) == i


def test_the_task_of_a_killed_process_is_done_by_another_when_its_lease_ends(
    start: Callable[..., WorkerProcess], meeting: Meeting, clock: Any
) -> None:
    workers = {each.pid: each for each in (start(), start())}
    asked = next(iter(workers.values()))
    name = asked.ask("submit", "meet", meeting.request, "").id
    killed = workers.pop(meeting.begun())
    killed.process.kill()
    assert killed.ended() == -signal.SIGKILL
    (left,) = workers.values()
    assert left.ask("get", name, "").state == "started"
    clock.value += LEASE
    assert meeting.begun() == left.pid
    meeting.go_on()
    task = left.ask("wait", name, "", LONG)
    assert (task.state, task.attempts) == ("success", 2)
    assert left.ask("result", name, "").body == b"met"


@pytest.mark.slow
def test_a_task_that_kills_its_workers_fails_and_the_last_one_lives(
    start: Callable[..., WorkerProcess], clock: Any
) -> None:
    quiet = start(at_once=0)
    name = quiet.ask("submit", "die", b"", "").id
    for _ in range(3):
        assert start().ended() == -signal.SIGKILL
        clock.value += LEASE
    last = start()
    task = last.ask("wait", name, "", LONG)
    assert (task.state, task.attempts, task.error.code) == ("failure", 3, "worker_ended")
    with pytest.raises(Problem, match="3 workers ended"):
        quiet.ask("result", name, "")
    assert last.end() == 0


def test_a_task_is_stopped_by_its_deletion_in_another_process(
    start: Callable[..., WorkerProcess], tmp_path: Path
) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    os.mkfifo(begun)
    os.mkfifo(ended)
    asked, works = start(at_once=0), start()
    name = asked.ask("submit", "spin", f"{begun}\n{ended}".encode(), "").id
    assert begun.read_text() == "begun"
    asked.ask("delete", name, "")
    assert ended.read_text() == "ended"
    for each in (asked, works):
        with pytest.raises(Problem, match="was deleted"):
            each.ask("result", name, "")
    # The place of the task is free.
    other = asked.ask("submit", "pid", b"", "").id
    assert asked.ask("wait", other, "", LONG).state == "success"
    assert int(asked.ask("result", other, "").body) == works.pid


def test_many_tasks_of_several_processes_are_each_done_once(
    start: Callable[..., WorkerProcess],
) -> None:
    workers = [start(at_once=4) for _ in range(2)]
    n_tasks = 60
    names: dict[str, int] = {}
    for each in workers:
        calls = [("submit", "echo", str(len(names) + i).encode(), "") for i in range(n_tasks)]
        names |= {task.id: len(names) + i for i, task in enumerate(each.ask_all(calls))}
    for each in workers:
        done = each.ask_all([("wait", name, "", LONG) for name in names])
        assert {(task.state, task.attempts) for task in done} == {("success", 1)}
        results = each.ask_all([("result", name, "") for name in names])
        assert [int(result.body) for result in results] == list(names.values())


def test_a_process_that_ends_gives_its_task_back(
    start: Callable[..., WorkerProcess], meeting: Meeting
) -> None:
    first = start()
    name = first.ask("submit", "meet", meeting.request, "").id
    assert meeting.begun() == first.pid
    assert first.end() == 0
    second = start()
    # No lease has to end first, since the clock stands still.
    assert meeting.begun() == second.pid
    meeting.go_on()
    task = second.ask("wait", name, "", LONG)
    assert (task.state, task.attempts) == ("success", 1)
