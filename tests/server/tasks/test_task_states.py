"""Tasks by generated steps: what the file says is what a dictionary says, whatever is done."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from chunkwright.server.problems import Problem
from chunkwright.server.tasks import Result, TaskLimits
from chunkwright.server.tasks.database import TaskDatabase
from chunkwright.server.tasks.file import TaskFile
from chunkwright.server.tasks.leases import Leases
from tests.server.tasks.running import Clock

LIMITS = TaskLimits(most_waiting=3, most_bytes=60, keep=20, lease=10, attempts=2)
OWNERS = ["", "me"]
bodies = st.binary(max_size=40)
picks = st.integers(min_value=0)


@dataclass
class Known:
    """What a task should be."""

    owner: str
    request: bytes
    state: str = "pending"
    attempts: int = 0
    ends: float = 0.0
    kept: bytes | None = None
    leases: list[str] = field(default_factory=list)

    @property
    def lease(self) -> str | None:
        return self.leases[-1] if self.state == "started" else None


class Steps(RuleBasedStateMachine):
    """Submits, claims, ends and deletes tasks while the clock goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = TaskDatabase(Path(self.folder.name, "tasks.db"))
        self.clock = Clock()
        self.file = TaskFile(self.database, LIMITS, self.clock)
        self.leases = Leases(self.database, LIMITS, self.clock)
        self.known: dict[str, Known] = {}
        self.old: list[str] = []

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return sum(
            len(each.request if each.kept is None else each.kept)
            for each in self.known.values()
            if each.state != "failure"
        )

    @rule(request=bodies, owner=st.sampled_from(OWNERS))
    def submit(self, request: bytes, owner: str) -> None:
        self.expire()
        waiting = [each for each in self.known.values() if each.state == "pending"]
        is_room = len(waiting) < 3 and self.size + len(request) <= 60
        if not is_room:
            with pytest.raises(Problem) as refused:
                self.file.submit("echo", request, owner)
            assert refused.value.status == (429 if len(waiting) >= 3 else 503)
            return
        task = self.file.submit("echo", request, owner)
        assert task.position == len(waiting) + 1
        self.known[task.id] = Known(owner, request)

    @rule()
    def claim(self) -> None:
        wanted = None
        for name, each in self.known.items():
            is_free = each.state == "pending" or (
                each.state == "started" and each.ends <= self.clock.now
            )
            if is_free and each.attempts == LIMITS.attempts:
                each.state, each.ends = "failure", self.clock.now + 20
            elif is_free:
                wanted = name
                break
        claim = self.leases.claim(["echo"])
        assert (claim and claim.id) == wanted
        if claim is not None:
            each = self.known[claim.id]
            assert claim.request == each.request
            each.state, each.ends = "started", self.clock.now + 10
            each.attempts += 1
            each.leases.append(claim.lease)

    @rule(pick=picks, result=bodies)
    def succeed(self, pick: int, result: bytes) -> None:
        lease, each = self.some_lease(pick)
        done = self.leases.succeed(lease, Result("text/plain", result))
        assert done == (each is not None)
        if each is not None:
            each.state, each.kept, each.ends = "success", result, self.clock.now + 20

    @rule(pick=picks)
    def fail(self, pick: int) -> None:
        lease, each = self.some_lease(pick)
        assert self.leases.fail(lease, Problem(500, "internal", "a fault")) == (each is not None)
        if each is not None:
            each.state, each.ends = "failure", self.clock.now + 20

    @rule(pick=picks)
    def give_back(self, pick: int) -> None:
        lease, each = self.some_lease(pick)
        self.leases.give_back(lease)
        if each is not None:
            each.state, each.attempts = "pending", each.attempts - 1

    @rule(pick=picks)
    def renew(self, pick: int) -> None:
        lease, each = self.some_lease(pick)
        self.leases.renew([lease])
        if each is not None:
            each.ends = self.clock.now + 10

    @rule(pick=picks)
    def delete(self, pick: int) -> None:
        self.expire()
        if self.known:
            name = list(self.known)[pick % len(self.known)]
            self.file.delete(name, self.known.pop(name).owner)
            self.old.append(name)

    @rule(seconds=st.integers(min_value=1, max_value=12))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @rule()
    def sweep(self) -> None:
        self.leases.sweep()

    @invariant()
    def tasks_are_as_they_should_be(self) -> None:
        self.expire()
        position = 0
        for name, each in self.known.items():
            task = self.file.get(name, each.owner)
            position += each.state == "pending"
            assert (task.state, task.attempts) == (each.state, each.attempts)
            assert task.position == (position if each.state == "pending" else None)
            if each.state == "success":
                assert self.file.result(name, each.owner).body == each.kept
        for name in self.old[-3:]:
            for owner in OWNERS:
                with pytest.raises(Problem, match=r"was deleted|has expired|no task"):
                    self.file.get(name, owner)

    @invariant()
    def bytes_are_counted_right(self) -> None:
        with self.database.reading() as connection:
            counted = connection.execute("SELECT bytes FROM totals").fetchone()
            there = connection.execute("SELECT coalesce(sum(length(body)), 0) FROM bodies")
            assert counted == there.fetchone()

    def expire(self) -> None:
        """Forget what has expired by now."""
        for name, each in list(self.known.items()):
            if each.state in ("success", "failure") and each.ends <= self.clock.now:
                del self.known[name]
                self.old.append(name)

    def some_lease(self, pick: int) -> tuple[str, Known | None]:
        """Return a lease that was given once, and the task if it still holds that."""
        found = [(lease, each) for each in self.known.values() for lease in each.leases]
        if not found:
            return "none", None
        lease, each = found[pick % len(found)]
        return lease, each if each.lease == lease else None


TestSteps = Steps.TestCase
