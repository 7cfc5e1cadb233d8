"""Hostile requests: the service refuses them, tells nothing, grows not, and goes on."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from tests.server.hostile_files import SECRET
from tests.server.hostile_requests import PATHS, URLS, Hostile, requests
from tests.server.running import PATIENCE, Running, resident, serving
from tests.support import hostile_cases

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")

# In the default run; the other one has 10,000.
FEW, MANY = 150, 10_000
MEGABYTE = 2**20
MOST_GROWTH = 150 * MEGABYTE
# Seconds after which nobody waits any more for the answer to a request that is not whole.
GIVE_UP = 1.0
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n")
# Of the service's machine, its files, and its code.
_TOLD = re.compile(
    rb"Traceback|File \"|site-packages|\.py\b|\.rs\b|/usr/|/home/|/root/|/tmp/|root:x:0|panicked"
    rb"|0x[0-9a-f]{8}",
)
_FAULTS = {500, 502}


@pytest.fixture(scope="module")
def attacked() -> Iterator[Running]:
    """A service of which all may be asked that a default one is."""
    flags = ("--max-body", "4MB", "--max-unpacked", "8MB", "--timeout", "20")
    with serving("--most-waiting", "1000", *flags) as running:
        yield running


def _answered(running: Running, sent: Hostile) -> bytes:
    found = []
    with running.connect(PATIENCE) as line, suppress(OSError):
        line.settimeout(PATIENCE if sent.is_whole else GIVE_UP)
        line.sendall(sent.data)
        while part := line.recv(1 << 16):
            found.append(part)
    return b"".join(found)


class Met(NamedTuple):
    """How a request was met: the status of its answer, 0 without one, and what is wrong with it."""

    status: int
    faults: tuple[str, ...] = ()


def _met(sent: bytes, answer: bytes) -> Met:
    if not answer:
        return Met(0)
    found = _STATUS.match(answer)
    if not found:
        return Met(0, (f"no answer of HTTP: {answer[:500]!r} to {sent[:500]!r}",))
    status = int(found[1])
    told = _TOLD.search(answer)
    wrong = {
        "a fault": status in _FAULTS,
        # What a client has said itself may be repeated to it.
        "a leak": told is not None and told[0] not in sent,
        "a text": status >= 400 and SECRET.encode() in answer,
    }
    of = f"{answer[:1000]!r} to {sent[:1000]!r}"
    return Met(status, tuple(f"{name}: {of}" for name in wrong if wrong[name]))


def _attack(running: Running, number: int, n: int) -> Counter[int]:
    with ThreadPoolExecutor(16) as threads:
        met = list(
            threads.map(lambda each: _met(each.data, _answered(running, each)), requests(number, n))
        )
    faults = [fault for each in met for fault in each.faults]
    assert not faults, "\n".join([f"{len(faults)} of {n}", *faults[:5]])
    return Counter(each.status for each in met)


def _check_goes_on(running: Running) -> None:
    answer = running.cut("One two three.")
    assert answer.status == 200
    assert [row["text"] for row in answer.json["chunks"]] == ["One two three."]
    while running.gauge("chunkwright_pool_busy"):
        pass
    assert running.process.poll() is None
    assert SECRET not in running.log
    assert "panicked" not in running.log


def test_hostile_requests_are_refused_and_told_nothing(attacked: Running) -> None:
    statuses = _attack(attacked, 1, FEW)
    # They are of many kinds, and some are merely odd.
    assert {200, 400, 404, 413, 422} <= statuses.keys()
    _check_goes_on(attacked)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ten_thousand_hostile_requests_leave_a_service_as_it_was(attacked: Running) -> None:
    _attack(attacked, 2, MANY // 5)
    before = resident(attacked.process.pid)
    for number in range(3, 7):
        _attack(attacked, number, MANY // 5)
        _check_goes_on(attacked)
    assert resident(attacked.process.pid) < before + MOST_GROWTH


@pytest.mark.parametrize("way", ["path", "url"])
def test_no_file_and_no_address_is_read_unless_it_is_allowed(attacked: Running, way: str) -> None:
    for place in PATHS if way == "path" else URLS:
        answer = attacked.ask("POST", "/v1/chunk", {way: place})
        assert answer.status in {403, 422}, (place, answer.body)


@pytest.fixture(scope="module")
def hostile() -> Any:
    """The shared generators of hostile input."""
    module = hostile_cases.load()
    return module or pytest.skip("the shared data are not there: CONTRIBUTING.md, Data of others")


@pytest.mark.shared
def test_the_shared_requests_are_refused(attacked: Running, hostile: Any) -> None:
    for case in hostile.cases(kind="request"):
        given = case.make()
        parts = given["chunks"]
        # All at once: what is slow has tests of its own.
        answer = _answered(attacked, Hostile(b"".join(parts), is_whole=False))
        met = _met(parts[0], answer)
        assert not met.faults, case.name
        assert met.status not in range(200, 300) or case.name == "r_pipeline_10k", case.name
        _check_goes_on(attacked)


@pytest.mark.shared
def test_the_shared_paths_lead_nowhere(hostile: Any, tmp_path: Any) -> None:
    (tmp_path / "secret.txt").write_text(SECRET)
    root = tmp_path / "root"
    root.mkdir()
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    with serving("--root", str(root)) as running:
        names = [case.make()["name"] for case in hostile.cases(kind="path")]
        for name in [*names, "../secret.txt", "link.txt", str(tmp_path / "secret.txt")]:
            answer = running.ask("POST", "/v1/read", {"path": name})
            assert 400 <= answer.status < 500, (name, answer.body)
            assert str(tmp_path).encode() not in answer.body or str(tmp_path) in name


@pytest.mark.shared
def test_the_shared_addresses_are_refused(hostile: Any) -> None:
    with serving("--allow-url", "example.org", "--allow-url", "127.0.0.1") as running:
        for case in hostile.cases(kind="url"):
            answer = running.ask("POST", "/v1/chunk", {"url": case.make()})
            assert answer.status == 422, (case.name, answer.body)
