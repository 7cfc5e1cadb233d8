"""Leases of tasks: one worker at a time, another one when it is killed, and clocks that jump."""

from __future__ import annotations

import pytest

from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result, TaskLimits
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from chunkwright.server.tasks.leases import Leases
from tests.server.tasks.running import Clock

LIMITS = TaskLimits(lease=10)
DONE = Result("text/plain", b"done")


@pytest.fixture
def file(database: TaskDatabase, clock: Clock) -> TaskFile:
    return TaskFile(database, LIMITS, clock)


@pytest.fixture
def leases(database: TaskDatabase, clock: Clock) -> Leases:
    return Leases(database, LIMITS, clock)


def claimed(leases: Leases) -> str:
    claim = leases.claim(["echo"])
    assert claim is not None
    return claim.lease


def test_a_task_is_taken_once_while_its_lease_is_renewed(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    name = file.submit("echo", b"", "").id
    lease = claimed(leases)
    for _ in range(5):
        clock.now += 9
        assert leases.claim(["echo"]) is None
        leases.renew([lease])
    assert leases.held([lease, "none"]) == {lease}
    assert leases.succeed(lease, DONE)
    assert file.get(name, "").attempts == 1


def test_a_task_whose_lease_has_ended_is_taken_again_and_the_first_worker_refused(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    name = file.submit("echo", b"asked", "").id
    first = claimed(leases)
    clock.now += 10
    second = leases.claim(["echo"])
    assert second is not None
    assert second.request == b"asked"
    assert leases.held([first, second.lease]) == {second.lease}
    leases.renew([first])
    leases.give_back(first)
    assert not leases.succeed(first, Result("text/plain", b"late"))
    assert not leases.fail(first, Problem(500, "internal", "late"))
    assert file.get(name, "").state == "started"
    assert leases.succeed(second.lease, DONE)
    assert file.get(name, "").attempts == 2
    assert file.result(name, "") == DONE


def test_a_worker_that_is_late_but_alone_still_ends_its_task(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    name = file.submit("echo", b"", "").id
    lease = claimed(leases)
    clock.now += 1000
    assert leases.succeed(lease, DONE)
    assert file.result(name, "") == DONE


def test_a_task_that_kills_its_workers_fails_after_three(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    name, other = (file.submit("echo", b"", "").id for _ in range(2))
    for attempt in range(3):
        claim = leases.claim(["echo"])
        assert claim is not None
        assert (claim.id, file.get(name, "").attempts) == (name, attempt + 1)
        clock.now += 10
    claim = leases.claim(["echo"])
    assert claim is not None
    assert claim.id == other
    task = file.get(name, "")
    assert (task.state, task.attempts, task.ended) == ("failure", 3, clock.now)
    with pytest.raises(Problem, match="3 workers ended while they did the task") as raised:
        file.result(name, "")
    assert (raised.value.status, raised.value.code) == (500, "worker_ended")


def test_a_task_that_is_given_back_waits_as_before(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    before, _ = (file.submit("echo", b"asked", "") for _ in range(2))
    for _ in range(5):
        clock.now += 1
        leases.give_back(claimed(leases))
        assert file.get(before.id, "") == before
    claim = leases.claim(["echo"])
    assert claim is not None
    assert (claim.id, claim.request) == (before.id, b"asked")


def test_a_deleted_task_takes_its_lease_along(file: TaskFile, leases: Leases) -> None:
    name = file.submit("echo", b"", "").id
    lease = claimed(leases)
    file.delete(name, "")
    assert leases.held([lease]) == set()
    assert not leases.succeed(lease, DONE)
    with pytest.raises(Problem, match="was deleted"):
        file.result(name, "")


def test_a_clock_that_is_set_back_leaves_no_task_behind(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    file.submit("echo", b"", "")
    lost = claimed(leases)
    clock.now -= 86_400
    again = claimed(leases)
    assert leases.held([lost, again]) == {again}


def test_a_clock_that_is_set_back_a_little_takes_no_task_away(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    file.submit("echo", b"", "")
    lease = claimed(leases)
    clock.now -= 9
    assert leases.claim(["echo"]) is None
    leases.renew([lease])
    clock.now += 9
    assert leases.claim(["echo"]) is None


def test_a_clock_that_is_set_back_does_not_expire_results(
    file: TaskFile, leases: Leases, clock: Clock
) -> None:
    name = file.submit("echo", b"", "").id
    leases.succeed(claimed(leases), DONE)
    clock.now -= 86_400
    leases.sweep()
    assert file.result(name, "") == DONE
