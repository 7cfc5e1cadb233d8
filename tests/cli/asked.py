"""Language models for tests of the command line: a module of functions, and a server."""

from __future__ import annotations

import json
import time
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from werkzeug import Request, Response

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

MODULE = """
import json

def say(messages):
    return "Of the guide."

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
    """A server of OpenAI's kind, that says the same to all, late if it shall.

    Attributes
    ----------
    bodies, keys
        What it was asked, and the header with the key.
    """

    def __init__(self, server: HTTPServer, reply: Any = "Of the guide.", late: float = 0) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = server.url_for("/v1")
        self._reply = reply if isinstance(reply, str) else json.dumps(reply)
        self._late = late
        self._lock = Lock()
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def flags(self) -> list[str]:
        """Return the flags that name it."""
        return ["--model", "m", "--base-url", self.url]

    def _answer(self, request: Request) -> Response:
        with self._lock:
            self.bodies.append(request.get_json())
            self.keys.append(request.headers.get("Authorization", ""))
        time.sleep(self._late)
        message = {"role": "assistant", "content": self._reply}
        answer = {
            "id": "x",
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        return Response(json.dumps(answer), content_type="application/json")
