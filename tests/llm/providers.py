"""Providers' interfaces on a server of the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from werkzeug import Request, Response

from chunkwright.llm.adapters.providers import AnthropicChat, OpenAIChat
from chunkwright.llm.adapters.served import Served

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

KEY = "sk-0123456789abcdef"


def openai_answer(text: str, end: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    usage = {
        "prompt_tokens": 30,
        "completion_tokens": 5,
        "total_tokens": 35,
        "prompt_tokens_details": {"cached_tokens": 20},
    }
    choice = {"index": 0, "message": message, "finish_reason": end}
    return {"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage}


def openai_events(text: str, end: str = "stop") -> str:
    said = [{"index": 0, "delta": {"content": sign}} for sign in text]
    parts: list[dict[str, Any]] = [{"choices": [each]} for each in said]
    parts.append({"choices": [{"index": 0, "delta": {}, "finish_reason": end}]})
    parts.append({"choices": [], "usage": openai_answer("")["usage"]})
    parts = [{"object": "chat.completion.chunk", **part} for part in parts]
    return "".join(f"data: {json.dumps(part)}\n\n" for part in parts) + "data: [DONE]\n\n"


def anthropic_answer(text: str, end: str = "end_turn") -> dict[str, Any]:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 0,
        "output_tokens": 5,
    }
    content = [{"type": "text", "text": text}] if text else []
    return {
        "id": "x",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": end,
        "usage": usage,
    }


def anthropic_events(text: str, end: str = "end_turn") -> str:
    message = {**anthropic_answer(""), "stop_reason": None}
    empty = {"type": "text", "text": ""}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": c}}
            for c in text
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": end}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)


def text_of(message: dict[str, Any]) -> str:
    """Return the text of a message, which Anthropic's interface has in a block."""
    content: str | list[dict[str, str]] = message["content"]
    return content if isinstance(content, str) else content[0]["text"]


@dataclass(frozen=True)
class Interface:
    """A provider's interface: the adapter, where it asks, and what answers look like."""

    kind: Callable[..., Served]
    base: str
    path: str
    answer: Callable[..., dict[str, Any]]
    events: Callable[..., str]
    # What it says of a reply that is cut off.
    cut: str


INTERFACES = {
    "openai": Interface(
        OpenAIChat, "/v1", "/v1/chat/completions", openai_answer, openai_events, "length"
    ),
    "anthropic": Interface(
        AnthropicChat, "", "/v1/messages", anthropic_answer, anthropic_events, "max_tokens"
    ),
}


class Provider:
    """A server with a provider's interface, and what it was asked.

    It gives `answers` one after the other, and to a text those `to` it; when there are none left,
    it says `text`.
    """

    def __init__(self, server: HTTPServer, interface: Interface) -> None:
        self.interface = interface
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Response] = []
        self.to: dict[str, list[Response]] = {}
        self.text = '{"starts": [3]}'
        self.base = server.url_for(interface.base)
        expected = server.expect_request(interface.path, method="POST")
        expected.respond_with_handler(self._replied)

    def model(self, **options: Any) -> Served:
        return self.interface.kind(self.base, "m", **{"api_key": KEY, **options})

    def said(self, text: str, *end: str) -> Response:
        """Return a text as a whole answer."""
        body = json.dumps(self.interface.answer(text, *end))
        return Response(body, content_type="application/json")

    def streamed(self, text: str, *end: str) -> Response:
        """Return a text as an answer that is streamed."""
        return Response(self.interface.events(text, *end), content_type="text/event-stream")

    def _replied(self, request: Request) -> Response:
        self.asked.append(request.get_json())
        self.headers.append(dict(request.headers))
        about = text_of(self.asked[-1]["messages"][0])
        answers = self.to.get(about) or self.answers
        if answers:
            return answers.pop(0)
        return (self.streamed if self.asked[-1].get("stream") else self.said)(self.text)
