"""The short way to a route: the answers and the problems of the long one, for every body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Thread, current_thread
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright.server.known_strategies import KnownStrategies
from chunkwright.server.routes import chunk as chunk_routes
from chunkwright.server.schemas.requests import Chunking
from tests.server.calls import LINES, served

if TYPE_CHECKING:
    from starlette.testclient import TestClient

SHORT = {"content-type": "application/json"}
# The short way does not know this spelling.
LONG = {"content-type": "application/json;charset=utf-8"}
TEXT = "One two three. Four five six.\n\n"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served(max_chunks=50) as client:
        yield client


def both(client: TestClient, body: bytes, **headers: str) -> list[tuple[int, Any, Any]]:
    """What is answered on either way."""
    answers = [
        client.post("/v1/chunk", content=body, headers=way | headers) for way in (SHORT, LONG)
    ]
    return [(one.status_code, one.headers.get("content-type"), one.content) for one in answers]


# Numbers that readers of JSON may take for others, or refuse.
NUMBERS = [
    *(b"9007199254740993", b"-9223372036854775808", b"9223372036854775808", b"1" * 30, b"1" * 5000),
    *(
        b"-0",
        b"-0.0",
        b"1.0",
        b"2e1",
        b"0." + b"1" * 400,
        b"5e-324",
        b"1e400",
        b"NaN",
        b"-Infinity",
    ),
    *(b"01", b"1.", b"+1", b"0x1"),
]
VALUES = st.none() | st.booleans() | st.integers(-2, 40) | st.floats() | st.text(max_size=5)
CHUNKING = st.fixed_dictionaries(
    {},
    optional={
        "strategy": st.sampled_from(["recursive", "sentence", "window", "by_title", "llm", "?"]),
        "options": st.dictionaries(st.sampled_from(["max_chars", "overlap", "odd"]), VALUES),
        "odd": VALUES,
    },
)
BODIES = st.fixed_dictionaries(
    {"text": st.text("ab .\n\ud800é", max_size=80) | VALUES},
    optional={
        "chunking": CHUNKING | VALUES,
        "name": VALUES,
        "metadata": st.dictionaries(st.text(max_size=5), VALUES | st.integers()) | VALUES,
        "kind": VALUES,
    },
)


@given(BODIES)
def test_both_ways_answer_alike(client: TestClient, body: dict[str, Any]) -> None:
    short, long = both(client, json.dumps(body).encode())
    assert short == long


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b'{"text": NaN}', b'{"text": "a"} x', b'{"text": "\xff"}'),
        *(b"[" * 100_000, '{"text": "a"}'.encode("utf-16"), b'\xef\xbb\xbf{"text": "a"}'),
        *(
            b'{"text": "a", "text": "b"}',
            b'{"text": "\\ud83d\\ude00 \\ud83d"}',
            b'{"text": "\x01"}',
        ),
        *(b'{"text": "a", "metadata": {"a": 1, "a": %s}}' % number for number in NUMBERS),
        *(b'{"text": "a", "chunking": {"options": {"max_chars": %s}}}' % of for of in NUMBERS),
        b'{"docling": {"a": %s}}' % (b"[" * 150 + b"]" * 150),
    ],
)
def test_what_is_odd_as_json_is_answered_alike(client: TestClient, body: bytes) -> None:
    short, long = both(client, body)
    assert short == long


def test_forms_and_limits_are_those_of_the_long_way(client: TestClient) -> None:
    many = {"text": TEXT * 10, "chunking": {"strategy": "window", "options": {"max_chars": 2}}}
    for body, accept in [({"text": TEXT}, LINES), ({"text": TEXT}, "image/png"), (many, "*/*")]:
        short, long = both(client, json.dumps(body).encode(), accept=accept)
        assert short == long
    statuses = [client.request(way, "/v1/chunk").status_code for way in ("GET", "PUT")]
    assert statuses == [405, 405]


@pytest.mark.parametrize("path", ["/v1/chunk", "/v1/preview"])
def test_half_a_pair_in_a_name_of_metadata_becomes_a_mark(client: TestClient, path: str) -> None:
    body = b'{"text": "It rained.", "metadata": {"t\\ud800": "\\udc00"}}'
    answer = client.post(path, content=body, headers=SHORT)
    assert answer.status_code == 200
    if path == "/v1/chunk":
        assert answer.json()["chunks"][0]["t\ufffd"] == "\ufffd"


def test_a_text_of_some_pages_is_cut_where_it_arrives_once_its_strategy_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[Thread] = []
    cut = chunk_routes.cut

    def seen(*args: Any) -> Any:
        threads.append(current_thread())
        return cut(*args)

    monkeypatch.setattr(chunk_routes, "cut", seen)
    pattern = {"separators": [{"pattern": "\n"}], "max_chars": 20}
    with served() as client:
        texts = [TEXT, TEXT, TEXT * 1000]
        bodies: list[dict[str, Any]] = [{"text": text} for text in texts]
        bodies += [{"text": TEXT, "kind": "markdown"}]
        bodies += [{"text": TEXT, "chunking": {"options": pattern}}] * 2
        many = {"max_chars": 500, "overlap": 499}
        bodies += [{"text": TEXT * 10, "chunking": {"options": many}}] * 2
        soft = {"max_chars": 500, "soft_max": 1}
        bodies += [{"text": TEXT * 10, "chunking": {"options": soft}}] * 2
        for body in bodies:
            client.post("/v1/chunk", json=body).raise_for_status()
    on_pool = [thread.name == "chunkwright-call" for thread in threads]
    assert on_pool == [True, False, *[True] * 8]


def test_strategies_are_told_apart_and_the_oldest_is_dropped() -> None:
    known, made = KnownStrategies(), object()
    known.keep(Chunking(options={"max_chars": 1}), made)  # type: ignore[arg-type]
    assert known.get(Chunking(options={"max_chars": 1})) is made
    for value in (True, 1.0, "1", None, float("nan")):
        assert known.get(Chunking(options={"max_chars": value})) is None
    known.keep(Chunking(options={"odd": "x" * 5000}), made)  # type: ignore[arg-type]
    assert known.get(Chunking(options={"odd": "x" * 5000})) is None
    for at in range(2, 66):
        known.keep(Chunking(options={"max_chars": at}), made)  # type: ignore[arg-type]
    assert known.get(Chunking(options={"max_chars": 1})) is None
    assert known.get(Chunking(options={"max_chars": 2})) is made
