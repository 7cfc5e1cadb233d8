"""Scripted models that ask about what they are shown, and some that do it badly."""

from __future__ import annotations

import asyncio
import re
import signal
import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Any

Messages = list[dict[str, str]]

TEXTS = {
    "mill": "The mill was built in 1743. It burnt down twice. Nobody was hurt in either fire.\n"
    * 9,
    "cats": " ".join(
        f"Cat {i} sleeps for {i} hours a day, and hunts {i * 7} mice." for i in range(80)
    ),
    "äöü": " ".join(f"Die Mühle №{i} mahlt {i} Säcke 漢字 🎉 am Tag." for i in range(90)),
}


def document_of(messages: Messages) -> str:
    """Return the part of a corpus that a model is shown."""
    found = re.search(r"<document>\n(.*)\n</document>", messages[1]["content"], re.DOTALL)
    assert found
    return found[1]


def pieces_of(messages: Messages) -> list[str]:
    """Return the numbered pieces that a model is shown."""
    found = re.findall(r"<piece \d+>(.*?)</piece \d+>", messages[1]["content"], re.DOTALL)
    assert found
    return found


def shown_of(messages: Messages) -> list[str]:
    """Return the questions that a model is shown."""
    found = re.search(r"<questions>\n(.*)\n</questions>", messages[1]["content"], re.DOTALL)
    assert found
    return [] if found[1] == "(none)" else found[1].split("\n")


def dice(messages: Messages, n: int) -> int:
    """Return a number below `n` that depends on all that is said."""
    said = "\0".join(each["content"] for each in messages)
    return int.from_bytes(sha256(said.encode("utf-8", "surrogatepass")).digest()[:4]) % n


def quoting(messages: Messages) -> dict[str, Any]:
    """Ask about some words of the document, and copy them with those behind them."""
    words = document_of(messages).split(" ")
    at = dice(messages, max(len(words) - 8, 1))
    question = f"What about {' '.join(words[at : at + 3])}, besides {len(shown_of(messages))}?"
    return {"question": question, "excerpts": [" ".join(words[at : at + 8])]}


def numbering(messages: Messages) -> dict[str, Any]:
    """Ask about a few pieces."""
    n_pieces = len(pieces_of(messages))
    first = dice(messages, n_pieces)
    excerpts = [{"first": first, "last": min(first + 1, n_pieces - 1)}, {"first": 0, "last": 0}]
    return {"question": f"What is said in {dice(messages, 10**6)}?", "excerpts": excerpts}


def sometimes(model: Callable[[Messages], Any], one_in: int = 3) -> Callable[[Messages], Any]:
    """Return a model whose replies are often bad, each time in another way."""
    bad = [
        "",
        "I cannot help with that.",
        '{"question": "Is it?", "excerpts": ["no such words anywhere"]}',
        '{"question": "", "excerpts": [{"first": 0, "last": 0}]}',
        '{"question": "Is it?", "excerpts": []}',
        '{"question": "Is it?"',
        '{"question": "Is it?", "excerpts": [{"first": 7000, "last": 7001}]}',
        '{"question": "Is it?", "excerpts": [{"first": true, "last": 0}, 7, null]}',
    ]

    def answered(messages: Messages) -> Any:
        number = dice(messages, one_in * len(bad))
        return bad[number] if number < len(bad) else model(messages)

    return answered


def later(model: Callable[[Messages], Any]) -> Callable[[Messages], Any]:
    """Return a model whose replies come in another order than they are asked for."""

    async def answered(messages: Messages) -> Any:
        await asyncio.sleep(dice(messages, 5) / 1000)
        return model(messages)

    return answered


class Interrupted:
    """A model during whose reply somebody presses Ctrl-C, after so many replies.

    Attributes
    ----------
    is_over
        What it waits for then.
    """

    def __init__(self, model: Callable[[Messages], Any], n: int) -> None:
        self.is_over = threading.Event()
        self._model = model
        self._left = n
        self._lock = threading.Lock()

    def __call__(self, messages: Messages) -> Any:
        with self._lock:
            self._left -= 1
            is_last = self._left == -1
        if is_last:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        if self._left < 0:
            self.is_over.wait(60)
            raise OSError("interrupted")
        return self._model(messages)
