"""File of tasks: ids, owners, bounds, expiry, and bytes that are counted right."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result, TaskLimits
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from chunkwright.server.tasks.leases import Leases
from tests.server.tasks.running import START, Clock

ABSENT = "a3bb189e-8bf9-4888-9912-ace4e6543002"


class Both:
    """File of tasks as clients see it, and its leases."""

    def __init__(self, database: TaskDatabase, clock: Clock, **limits: Any) -> None:
        self.file = TaskFile(database, TaskLimits(**limits), clock)
        self.leases = Leases(database, TaskLimits(**limits), clock)

    def done(self, request: bytes, result: bytes) -> str:
        """Submit a task and do it; return its id."""
        task = self.file.submit("echo", request, "")
        claim = self.leases.claim(["echo"])
        assert claim is not None
        assert self.leases.succeed(claim.lease, Result("text/plain", result))
        return task.id


def test_a_task_is_pending_then_started_then_a_success(
    database: TaskDatabase, clock: Clock
) -> None:
    both = Both(database, clock)
    task = both.file.submit("echo", b"asked", "me")
    assert UUID(task.id).version == 4
    assert task[1:] == ("echo", "pending", 1, START, None, None, 0, None)
    clock.now += 1
    claim = both.leases.claim(["echo"])
    assert claim is not None
    assert claim[1:] == (task.id, "echo", b"asked")
    assert both.file.get(task.id, "me")[2:] == ("started", None, START, START + 1, None, 1, None)
    with pytest.raises(Problem, match=f"{task.id} has not ended: it is started") as not_ended:
        both.file.result(task.id, "me")
    assert (not_ended.value.status, not_ended.value.code) == (409, "not_ended")
    clock.now += 1
    assert both.leases.succeed(claim.lease, Result("text/plain", b"told"))
    done = both.file.get(task.id, "me")
    assert done[2:] == ("success", None, START, START + 1, START + 2, 1, None)
    for _ in range(2):
        assert both.file.result(task.id, "me") == ("text/plain", b"told")


def test_a_failure_is_told_as_the_request_would_have_been(
    database: TaskDatabase, clock: Clock
) -> None:
    both = Both(database, clock)
    task = both.file.submit("echo", b"", "")
    claim = both.leases.claim(["echo"])
    assert claim is not None
    problem = Problem(422, "invalid_value", "max_chars is 0", field="max_chars")
    assert both.leases.fail(claim.lease, problem)
    error = both.file.get(task.id, "").error
    assert error is not None
    assert (error.status, error.row) == (422, problem.row)
    with pytest.raises(Problem, match="max_chars is 0") as raised:
        both.file.result(task.id, "")
    assert raised.value.row == problem.row


def test_tasks_wait_in_the_order_in_which_they_came(database: TaskDatabase, clock: Clock) -> None:
    both = Both(database, clock)
    ids = [both.file.submit("echo", b"", "").id for _ in range(4)]
    assert [both.file.get(each, "").position for each in ids] == [1, 2, 3, 4]
    claims = [both.leases.claim(["echo"]) for _ in range(2)]
    assert [claim.id for claim in claims if claim] == ids[:2]
    both.file.delete(ids[2], "")
    assert both.file.get(ids[3], "").position == 1


def test_tasks_of_kinds_that_a_worker_does_not_know_are_left(
    database: TaskDatabase, clock: Clock
) -> None:
    both = Both(database, clock)
    both.file.submit("newer", b"", "")
    task = both.file.submit("echo", b"", "")
    claim = both.leases.claim(["echo", "older"])
    assert claim is not None
    assert claim.id == task.id
    assert both.leases.claim(["echo", "older"]) is None
    assert both.leases.claim([]) is None


@pytest.mark.parametrize("call", ["get", "result", "delete"])
def test_other_owners_have_no_such_task(database: TaskDatabase, clock: Clock, call: str) -> None:
    both = Both(database, clock)
    name = both.done(b"asked", b"told")
    with pytest.raises(Problem) as other:
        getattr(both.file, call)(name, "other")
    with pytest.raises(Problem) as none:
        getattr(both.file, call)(ABSENT, "other")
    # Nothing tells a task of somebody else from one that never was.
    assert other.value.status == 404
    assert other.value.message.replace(name, ABSENT) == none.value.message
    assert other.value.code == none.value.code == "no_task"
    assert both.file.result(name, "").body == b"told"


def test_what_became_of_a_task_is_told_to_its_owner_alone(
    database: TaskDatabase, clock: Clock
) -> None:
    both = Both(database, clock, keep=10)
    name = both.done(b"", b"told")
    clock.now += 10
    both.leases.sweep()
    for owner, code in [("", "task_expired"), ("other", "no_task")]:
        with pytest.raises(Problem) as gone:
            both.file.get(name, owner)
        assert (gone.value.status, gone.value.code) == (404, code)


@pytest.mark.parametrize(
    "name",
    [
        *("", "x", "../etc/passwd", "\udcff", "\0", "a" * 10_000, "' OR 1=1 --"),
        *(f"{{{ABSENT}}}", ABSENT.upper(), f"urn:uuid:{ABSENT}"),
    ],
)
def test_what_is_no_id_is_no_task(database: TaskDatabase, clock: Clock, name: str) -> None:
    both = Both(database, clock)
    both.file.submit("echo", b"", "")
    with pytest.raises(Problem, match="there is no task") as raised:
        both.file.get(name, "")
    assert raised.value.status == 404
    assert len(raised.value.message) < 1000


@pytest.mark.parametrize("is_swept", [False, True])
def test_results_expire_and_it_is_said_so(
    database: TaskDatabase, clock: Clock, *, is_swept: bool
) -> None:
    both = Both(database, clock, keep=60)
    name = both.done(b"asked", b"told")
    clock.now += 59.5
    if is_swept:
        both.leases.sweep()
    assert both.file.result(name, "").body == b"told"
    clock.now += 0.5
    if is_swept:
        both.leases.sweep()
    with pytest.raises(Problem, match=f"{name} has expired: results are kept for 60 s") as raised:
        both.file.result(name, "")
    assert (raised.value.status, raised.value.code) == (404, "task_expired")


def test_deleted_tasks_are_said_to_be_so(database: TaskDatabase, clock: Clock) -> None:
    both = Both(database, clock)
    name = both.file.submit("echo", b"asked", "").id
    both.file.delete(name, "")
    with pytest.raises(Problem, match=f"{name} was deleted") as raised:
        both.file.delete(name, "")
    assert (raised.value.status, raised.value.code) == (404, "task_deleted")
    assert both.leases.claim(["echo"]) is None


def test_more_tasks_than_may_wait_are_refused(database: TaskDatabase, clock: Clock) -> None:
    both = Both(database, clock, most_waiting=2)
    names = [both.file.submit("echo", b"", "").id for _ in range(2)]
    with pytest.raises(Problem, match="2 tasks wait") as raised:
        both.file.submit("echo", b"", "")
    assert raised.value.status == 429
    assert int(raised.value.headers["Retry-After"]) > 0
    assert both.leases.claim(["echo"]) is not None
    both.file.submit("echo", b"", "")
    both.file.delete(names[1], "")
    both.file.submit("echo", b"", "")


def test_more_bytes_than_may_be_kept_are_refused_until_results_expire(
    database: TaskDatabase, clock: Clock
) -> None:
    both = Both(database, clock, most_bytes=100, keep=30)
    both.done(b"12345", b"x" * 90)
    clock.now += 7
    with pytest.raises(Problem, match="too many requests and results") as raised:
        both.file.submit("echo", b"x" * 11, "")
    assert (raised.value.status, raised.value.code) == (503, "tasks_full")
    assert raised.value.headers == {"Retry-After": "23"}
    both.file.submit("echo", b"x" * 10, "")
    clock.now += 23
    both.file.submit("echo", b"x" * 90, "")


def test_a_request_that_never_fits_is_too_large(database: TaskDatabase, clock: Clock) -> None:
    both = Both(database, clock, most_bytes=100)
    with pytest.raises(Problem, match="100 bytes, got 101") as raised:
        both.file.submit("echo", b"x" * 101, "")
    assert raised.value.status == 413
    both.file.submit("echo", b"x" * 100, "")


def test_those_are_unfinished_that_wait_or_are_done(database: TaskDatabase, clock: Clock) -> None:
    both = Both(database, clock, most_waiting=2000)
    names = [both.done(b"", b"")]
    names += [both.file.submit("echo", b"", "").id for _ in range(1200)]
    both.leases.claim(["echo"])
    assert both.file.unfinished([*names, ABSENT]) == set(names[1:])


def test_only_its_owner_may_read_the_file(database: TaskDatabase, clock: Clock) -> None:
    Both(database, clock).file.submit("echo", b"a secret", "")
    found = list(database.path.parent.glob("tasks.db*"))
    assert len(found) == 3
    assert {each.stat().st_mode & 0o777 for each in found} == {0o600}
