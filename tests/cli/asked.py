"""Language models for tests of the command line: a module of functions, and a server."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import time
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from werkzeug import Request, Response

from .commandline import COMMAND

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

MODULE = r"""
import re
from threading import Condition

changed, now, most = Condition(), 0, 0

def say(messages):
    return "Of the guide."

def cut_by_four(messages):
    global now, most
    with changed:
        now += 1
        most = max(most, now)
        changed.notify_all()
        changed.wait_for(lambda: most >= 4, timeout=60)
        now -= 1
    return cut(messages)

def cut(messages):
    first, last = map(int, re.search(r"from (\d+) to (\d+)", messages[-1]["content"]).groups())
    return {"starts": list(range(first, last + 1, 2))}

def ask(messages):
    asked = messages[-1]["content"]
    document, number = asked.split("</document>")[0], re.search(r"question number (\d+)", asked)[1]
    year = re.findall(r"built in (\d{4})", document)[-1]
    return {"question": f"{number}: What was built in {year}?", "excerpts": [f"built in {year}"]}

def empty(messages):
    return ""

def fail(messages):
    raise ValueError("no luck")
"""


def model_of(name: str, folder: Path) -> list[str]:
    """Return the flags of a function of a module in the current folder."""
    module = f"models_of_{folder.name.replace('-', '_')}"
    (folder / f"{module}.py").write_text(MODULE)
    return ["--provider", "object", "--model", f"{module}:{name}"]


class Served:
    """A server of OpenAI's kind that says the same to all, perhaps late, or questions by number.

    Attributes
    ----------
    bodies, keys
        What it was asked, and the header with the key.
    """

    def __init__(
        self,
        server: HTTPServer,
        reply: Any = "Of the guide.",
        *,
        model: str | None = None,
        late: float = 0,
        numbered: bool = False,
    ) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = server.url_for("/v1")
        self._reply = reply
        self._model = model
        self._is_numbered = numbered
        self._late = late
        self._lock = Lock()
        self._n_free: float = math.inf
        self._is_held, self._goes_on = Event(), Event()
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def flags(self) -> list[str]:
        """Return the flags that name it."""
        return ["--model", self._model or "m", "--base-url", self.url]

    def hold(self, n_free: int) -> None:
        """Keep whoever asks waiting, but for the first so many."""
        self._n_free = n_free

    def wait_until_it_holds(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until it keeps a process waiting, which has the answers to all it asked before."""
        while not self._is_held.wait(0.05):
            assert process.poll() is None, process.communicate()

    def let_go(self) -> None:
        """Keep nobody waiting any more."""
        self._n_free = math.inf
        self._goes_on.set()

    def _answer(self, request: Request) -> Response:
        body = request.get_json()
        if self._model not in {None, body["model"]}:
            # It is of a test before, which has given it up.
            return Response(status=400)
        with self._lock:
            self.bodies.append(body)
            self.keys.append(request.headers.get("Authorization", ""))
            reply = self._reply
            if self._is_numbered:
                reply = {**reply, "question": f"{reply['question']} {len(self.bodies)}"}
            is_held = len(self.bodies) > self._n_free
        if is_held:
            self._is_held.set()
            self._goes_on.wait(60)
        time.sleep(self._late)
        content = reply if isinstance(reply, str) else json.dumps(reply)
        message = {"role": "assistant", "content": content}
        answer = {
            "id": "x",
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        return Response(json.dumps(answer), content_type="application/json")


def interrupted(
    folder: Path, arguments: list[str], served: Served, *, after: int
) -> tuple[int, str]:
    """Stop a run that has so many answers and waits; return its exit code and what it said."""
    served.hold(after)
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            served.wait_until_it_holds(process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            served.let_go()
            process.kill()
    assert all(json.loads(line)["text"] for line in out.splitlines())
    assert out == b"" or out.endswith(b"\n")
    return process.returncode, err.decode()
