"""Language models for tests of the command line: a module of functions, and a server."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from werkzeug import Request, Response

from .commandline import COMMAND

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

MODULE = r"""
import re
import time
from threading import Lock

lock, now, most = Lock(), 0, 0

def say(messages):
    return "Of the guide."

def cut(messages):
    global now, most
    with lock:
        now += 1
        most = max(most, now)
    time.sleep(0.005)
    with lock:
        now -= 1
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
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def flags(self) -> list[str]:
        """Return the flags that name it."""
        return ["--model", self._model or "m", "--base-url", self.url]

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


def interrupted(folder: Path, arguments: list[str], is_time: Callable[[], bool]) -> tuple[int, str]:
    """Stop a run when it is time; return its exit code and what it said."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not is_time():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert all(json.loads(line)["text"] for line in out.splitlines())
    assert out == b"" or out.endswith(b"\n")
    return process.returncode, err.decode()
