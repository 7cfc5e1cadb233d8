"""The server over HTTP, as a process, asked by the official client and by strangers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from chunkwright import __version__
from chunkwright.server.mcp.run import mcp_app
from chunkwright.server.settings import Settings
from tests.server.running import PATIENCE

from .asking import answer_of
from .processes import listening

KEY = "a key of an agent's own"
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


@pytest.fixture(scope="module")
def url(built: Path) -> Iterator[str]:
    with listening(built) as server:
        yield server.url


def ask(method: str, url: str, **options: Any) -> httpx2.Response:
    return httpx2.request(method, url, timeout=PATIENCE, **options)


def post(url: str, body: Any = LIST, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return ask("POST", url, content=content, headers=HEADERS | headers)


def test_clients_at_once_are_all_answered(url: str) -> None:
    async def one(number: int) -> list[Any]:
        async with Client(url) as client:
            asked = (
                client.call_tool("search", {"query": f"ledger {number} {n}", "k": 2})
                for n in range(5)
            )
            return [answer_of(each) for each in await asyncio.gather(*asked)]

    async def all_of_them() -> list[list[Any]]:
        return list(await asyncio.gather(*(one(number) for number in range(8))))

    answers = [each for found in asyncio.run(all_of_them()) for each in found]
    assert len(answers) == 40
    assert all(not each.is_error and each.value["hits"] for each in answers)


def test_errors_of_tools_come_over_http_as_such(url: str) -> None:
    async def run() -> Any:
        async with Client(url) as client:
            return answer_of(await client.call_tool("get_block", {"block": "none"}))

    answer = asyncio.run(run())
    assert answer.is_error
    assert "no block 'none'" in answer.text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:80", "origin": "http://evil.example:80"}, 421),
    ],
)
def test_pages_of_others_in_a_browser_are_refused(
    url: str, headers: dict[str, str], status: int
) -> None:
    assert post(url, **headers).status_code == status


def test_only_posts_are_answered(url: str) -> None:
    for method in ("GET", "DELETE", "PUT"):
        answer = ask(method, url, headers=HEADERS)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_those_who_run_it_are_told_as_by_the_service(url: str) -> None:
    base = url.removesuffix("/mcp")
    assert post(url).status_code == 200
    for path in ("/health", "/livez", "/ready"):
        answer = ask("GET", f"{base}{path}")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        assert ask("HEAD", f"{base}{path}").status_code == 200
    assert ask("GET", f"{base}/version").json() == {"version": __version__}
    metrics = ask("GET", f"{base}/metrics").text
    assert 'chunkwright_requests_total{route="/mcp",status="200"}' in metrics
    assert ask("POST", f"{base}/health").status_code == 405
    assert ask("GET", f"{base}/metrics", headers={"Host": "evil.example"}).status_code == 421


def test_bodies_that_are_none_are_refused(url: str) -> None:
    assert post(url, b"{").status_code == 400
    assert post(url, b"[" * 100_000).status_code == 400


def test_keys_are_asked_for(built: Path) -> None:
    with listening(built, keys=KEY) as server:
        assert post(server.url).status_code == 401
        base = server.url.removesuffix("/mcp")
        assert ask("GET", f"{base}/ready").status_code == 200
        assert ask("GET", f"{base}/metrics").status_code == 401
        assert post(server.url, authorization="Bearer wrong").status_code == 401
        for given in ({"authorization": f"Bearer {KEY}"}, {"x-api-key": KEY}):
            assert post(server.url, **given).status_code == 200
        assert (
            post(server.url, **{"x-api-key": KEY, "origin": "http://x.example"}).status_code == 403
        )

        async def run() -> set[str]:
            headers = {"Authorization": f"Bearer {KEY}"}
            async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
                transport = streamable_http_client(server.url, http_client=http)
                async with Client(transport) as client:
                    return {tool.name for tool in (await client.list_tools()).tools}

        assert "search" in asyncio.run(run())


def test_files_and_texts_are_not_logged(built: Path, root: Path) -> None:
    with listening(built, "--root", root) as server:
        call = {"name": "search", "arguments": {"query": "wheels of oak"}}
        found = post(server.url, {**LIST, "method": "tools/call", "params": call})
        assert "two wheels of oak" in found.text
        wrong = {"name": "read_file", "arguments": {"path": "../outside/secret.md"}}
        post(server.url, {**LIST, "method": "tools/call", "params": wrong})
    log = "".join(server.log)
    assert "oak" not in log
    assert "secret" not in log
    assert '"route": "/mcp"' in log


@pytest.mark.slow
def test_requests_are_bounded(built: Path) -> None:
    from starlette.testclient import TestClient

    app = mcp_app(Settings(store=str(built), max_body=500))
    with TestClient(app, base_url="http://localhost") as client:
        assert client.post("/mcp", json=LIST, headers=HEADERS).status_code == 200
        call = {"name": "search", "arguments": {"query": "x" * 500}}
        large = {**LIST, "method": "tools/call", "params": call}
        assert client.post("/mcp", json=large, headers=HEADERS).status_code == 413
