"""Work in child processes: what ends one is answered, what was beside it is done, nothing stays."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")
if not sys.platform.startswith("linux"):
    pytest.skip("needs Linux, which says what memory a process has", allow_module_level=True)

import chunkwright as cw
from chunkwright.errors import ConfigError
from chunkwright.server import Settings, create_app
from chunkwright.server.children.memory import children_of, own_memory
from tests.server.running import PATIENCE, Answer, Running, serving, workers_of

MEGABYTE = 10**6
RAIN = Path(__file__).parents[3] / "docs" / "pipeline" / "rain.pdf"
# A list of nothing but marks takes 70 times its size.
BOMB = {"text": "*a " * 2 * MEGABYTE, "kind": "markdown", "name": "a.md"}
# Too much to be sure to be small, and little.
INNOCENT = {"text": "# Rain\n\n" + "It rained *all* day. " * 4000, "kind": "markdown"}
LIMITS = ("--max-memory", "300MB", "--max-body", "20MB")
# A library that ends the process, or takes its time, as its file says.
LIBRARY = """
import ctypes, os, time
class PdfiumError(Exception):
    pass
class raw:
    def FPDF_LoadMemDocument(*given): pass
def PdfDocument(data, **more):
    what = bytes(data).split()[1]
    if what == b"crash":
        ctypes.string_at(0)
    if what == b"leave":
        os._exit(9)
    open(f"{__file__}.{os.getpid()}", "w").close()
    time.sleep(float(what))
    raise MemoryError
"""


def pdf(what: str) -> dict[str, Any]:
    """Return a request to read a PDF document with which the library does something."""
    from base64 import b64encode

    return {"data": b64encode(f"%PDF-1.4 {what} ".encode()).decode(), "name": "a.pdf"}


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Tree:
    """The processes of a service with one worker."""

    def __init__(self, running: Running) -> None:
        (self.worker,) = workers_of(running)

    @property
    def child(self) -> int:
        """The process that works for the worker, when it is there and none that has ended is."""
        found: list[int] = []

        def is_one() -> bool:
            found[:] = children_of(self.worker)
            return len(found) == 1 and not is_dead(found[0])

        until(is_one)
        return found[0]


def asked(running: Running, *bodies: dict[str, Any]) -> tuple[list[Thread], list[Answer]]:
    """Ask for several documents to be read at once; return the threads and, later, the answers."""
    answers: list[Answer] = []

    def ask(body: dict[str, Any]) -> None:
        answers.append(running.ask("POST", "/v1/read", body))

    threads = [Thread(target=ask, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    return threads, answers


def code_of(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["error"]["code"]


def test_a_limit_below_what_a_service_takes_at_rest_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"max_memory must be more than the .* at rest, got 1MB"):
        create_app(Settings(max_memory=MEGABYTE))


def test_a_model_that_is_not_there_ends_the_start() -> None:
    with pytest.raises(ConfigError, match="nope"):
        create_app(Settings(max_memory=300 * MEGABYTE, embedders={"m": "/nope"}))


def test_a_bomb_is_ended_and_what_is_beside_it_is_answered(tmp_path: Path) -> None:
    with serving(*LIMITS, TMPDIR=str(tmp_path)) as running:
        tree = Tree(running)
        first = tree.child
        at_rest = own_memory(tree.worker) + own_memory(first)
        threads, answers = asked(running, BOMB, *[INNOCENT] * 12)
        waits = []
        while any(thread.is_alive() for thread in threads):
            begun = time.monotonic()
            assert running.cut().status == 200
            waits.append(time.monotonic() - begun)
        refused = [answer for answer in answers if answer.status != 200]
        assert [code_of(answer) for answer in refused] == [(507, "too_much_memory")]
        assert len(answers) == 13
        # Small requests never wait for the child.
        assert len(waits) > 20
        assert tree.child != first
        until(lambda: own_memory(tree.worker) + own_memory(tree.child) < at_rest + 100 * MEGABYTE)
        processes = [tree.worker, tree.child]
        threads, answers = asked(running, INNOCENT)
        running.process.send_signal(signal.SIGTERM)
        threads[0].join()
        assert {answer.status for answer in answers} <= {200, 503}
        assert running.process.wait(PATIENCE) == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in [*processes, first])
        assert "Traceback" not in running.log
    assert not [*tmp_path.iterdir()]


def is_dead(pid: int) -> bool:
    """Say whether a process has ended and nobody has asked how."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def killed_at_work(tree: Tree, folder: Path) -> int:
    """Kill the process that works for a worker when the library there is asked; return which."""
    killed = 0

    def is_at_work() -> bool:
        nonlocal killed
        marks = [folder / f"pypdfium2.py.{pid}" for pid in children_of(tree.worker)]
        killed = next((int(mark.suffix[1:]) for mark in marks if mark.exists()), 0)
        return bool(killed)

    until(is_at_work)
    os.kill(killed, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{killed}").exists())
    return killed


def test_a_library_that_ends_the_process_is_answered(tmp_path: Path) -> None:
    (tmp_path / "pypdfium2.py").write_text(LIBRARY)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with serving(*LIMITS, "--threads", "4", PYTHONPATH=path) as running:
        tree = Tree(running)
        first = tree.child
        # Whoever was beside it is answered, and so is it.
        threads, answers = asked(running, pdf("crash"), *[INNOCENT] * 6)
        for thread in threads:
            thread.join()
        refused = [answer for answer in answers if answer.status != 200]
        assert [code_of(answer) for answer in refused] == [(500, "crashed")]
        assert "SIGSEGV" in refused[0].json["error"]["message"]
        assert code_of(running.ask("POST", "/v1/read", pdf("leave"))) == (500, "crashed")
        # What is killed from outside is done once more, in another process.
        threads, answers = asked(running, pdf("1.0"))
        second = killed_at_work(tree, tmp_path)
        assert second != first
        threads[0].join()
        # The library says that it has no memory, which is no fault of the process.
        assert [code_of(answer) for answer in answers] == [(503, "out_of_memory")]
        assert tree.child != second
        # And when it is killed twice, it is to blame.
        threads, answers = asked(running, pdf("30"))
        assert killed_at_work(tree, tmp_path) != killed_at_work(tree, tmp_path)
        threads[0].join()
        assert [code_of(answer) for answer in answers] == [(507, "killed")]
        assert running.ask("POST", "/v1/read", INNOCENT).status == 200
        assert not any(map(is_dead, children_of(tree.worker)))


def get_stuck(running: Running, folder: Path, pid: int) -> None:
    """Have the library hold a thread of a process for longer than anybody waits."""
    mark = folder / f"pypdfium2.py.{pid}"
    deadline = time.monotonic() + PATIENCE
    # On a busy machine the time may be up before the library is asked.
    while not mark.exists():
        assert time.monotonic() < deadline
        assert code_of(running.ask("POST", "/v1/read", pdf("60"))) == (504, "timeout")


@pytest.mark.slow
def test_time_is_up_in_a_child_too_and_what_is_stuck_there_goes(tmp_path: Path) -> None:
    (tmp_path / "pypdfium2.py").write_text(LIBRARY)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with serving(*LIMITS, "--timeout", "0.5", PYTHONPATH=path) as running:
        tree = Tree(running)
        first = tree.child
        get_stuck(running, tmp_path, first)
        time.sleep(5.2)
        # The next one finds a process that works for nobody, and has it replaced.
        running.ask("POST", "/v1/read", INNOCENT)
        assert tree.child != first
        assert running.stop(signal.SIGTERM) == 0


@pytest.mark.slow
def test_work_that_is_stuck_goes_however_many_others_ask(tmp_path: Path) -> None:
    (tmp_path / "pypdfium2.py").write_text(LIBRARY)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    flags = (*LIMITS, "--timeout", "1.5", "--threads", "1")
    with serving(*flags, PYTHONPATH=path) as running:
        tree = Tree(running)
        first = tree.child
        get_stuck(running, tmp_path, first)
        # The only thread is stuck, and somebody always waits for it.
        deadline = time.monotonic() + PATIENCE
        statuses = {504}
        while statuses == {504}:
            assert time.monotonic() < deadline
            threads, answers = asked(running, *[INNOCENT] * 2)
            for thread in threads:
                thread.join()
            statuses = {answer.status for answer in answers}
        assert statuses <= {200, 504}
        assert tree.child != first
        assert running.ask("POST", "/v1/read", INNOCENT).status == 200


def test_pages_of_a_store_are_drawn_in_a_child(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2", reason="needs the extra pdf")
    folder, database = tmp_path / "originals", tmp_path / "kb.db"
    folder.mkdir()
    (folder / "rain.pdf").write_bytes(RAIN.read_bytes())
    with cw.Store.open(database) as opened:
        opened.add(folder, root=folder)
    crashing = LIBRARY.replace("bytes(data).split()[1]", 'b"crash"')
    (tmp_path / "pypdfium2.py").write_text(crashing)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    stored = ("--store", str(database), "--originals", str(folder))
    page = "/v1/store/page?document=rain.pdf&page=1"
    with serving(*LIMITS, *stored) as running:
        found = running.ask("GET", page).json
        assert found["original"] == "same"
        assert found["image"].startswith("data:image/png;base64,")
        assert running.ask("GET", page.replace("page=1", "page=99")).status == 422
    with serving(*LIMITS, *stored, PYTHONPATH=path) as running:
        tree = Tree(running)
        assert code_of(running.ask("GET", page)) == (500, "crashed")
        assert Tree(running).worker == tree.worker


def test_errors_and_tasks_are_as_without_a_child() -> None:
    with serving(*LIMITS) as running:
        broken = pdf("broken")
        assert code_of(running.ask("POST", "/v1/read", broken)) == (422, "unreadable")
        assert running.ask("POST", "/v1/convert/source", {"sources": []}).status == 422
        form = (
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="%b"\r\n\r\n'
            b"%b\r\n--x--\r\n"
        )
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        sent = form % (b"a.md", b"# Rain\n\nIt rained.")
        found = running.ask("POST", "/v1/convert/file", sent, kind)
        assert found.json["document"]["md_content"] == "# Rain\n\nIt rained."
        made = running.ask("POST", "/v1/convert/file/async", sent, kind).json
        state = running.ask("GET", f"/v1/status/poll/{made['task_id']}?wait=60").json
        assert state["task_status"] == "success"
        bomb = form % (b"a.md", b"*a " * 2 * MEGABYTE)
        made = running.ask("POST", "/v1/convert/file/async", bomb, kind).json
        state = running.ask("GET", f"/v1/status/poll/{made['task_id']}?wait=60").json
        assert state["task_status"] == "failure"
        # Chunks that a child has made are counted by its worker.
        asked_for = {**INNOCENT, "chunking": {"strategy": "recursive", "options": {}}}
        n_chunks = len(running.ask("POST", "/v1/chunk", asked_for).json["chunks"])
        assert running.gauge("chunkwright_chunks_total") == n_chunks
        assert running.stop(signal.SIGTERM) == 0
