"""Routes over a store: search, citations and quotes, as other programs ask."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw

pytest.importorskip("fastapi", reason="the service is made of it")

from starlette.testclient import TestClient  # noqa: TC002 - behind the skip

from tests.server.calls import served
from tests.support.stores import with_lines

MILL = (
    "# The mill\n\nBuilt in 1743.\n\n## Wheels\n\nIt has two wheels of oak.\n\n## Owners\n\nNone.\n"
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "kb.db"
    with cw.Store.open(path) as opened:
        opened.add(cw.read(MILL.encode(), name="mill.md"), metadata={"year": 1743})
        opened.add(cw.read(b"A harbour with ships.", name="harbour.txt"))
    return path


@pytest.fixture
def client(store: Path) -> Iterator[TestClient]:
    with served(store=str(store)) as client:
        yield client


def asked(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


def refused(client: TestClient, path: str, **body: Any) -> tuple[int, str, str | None, str]:
    answer = client.post(path, json=body)
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["field"], error["message"]


def test_search_answers_hits_with_their_places(client: TestClient) -> None:
    found = asked(client, "/v1/search", query="How many wheels?", k=1, fields=["metadata", "boxes"])
    (hit,) = found["hits"]
    assert (hit["document"], hit["version"], hit["headings"]) == (
        "mill.md",
        1,
        ["The mill", "Wheels"],
    )
    assert (hit["metadata"], hit["boxes"]) == ({"year": 1743}, [])
    assert "Built in 1743." in hit["text"]
    assert found["next_offset"] == 1


def test_page_headers_are_hits_without_a_block(client: TestClient, store: Path) -> None:
    with cw.Store.open(store) as opened:
        boats = cw.Document(text="They float.", name="boats.md")
        opened.add(with_lines(boats, [("page header", "Of boats", 3)]))
    for expand in (None, "neighbours", "page"):
        hit = asked(client, "/v1/search", query="of boats", expand=expand)["hits"][0]
        assert (hit["block"], hit["type"], hit["text"]) == ("", "page header", "Of boats")
        assert (hit["document"], hit["pages"]) == ("boats.md", [3])
    (hit,) = asked(client, "/v1/search", query="boats", types=["page header"])["hits"]
    assert hit["text"] == "Of boats"
    assert refused(client, "/v1/cite", block=hit["block"])[0] == 422


def test_searches_are_narrowed_by_metadata(client: TestClient) -> None:
    where = {"year": {"operator": "<", "value": 1800}}
    found = asked(client, "/v1/search", query="harbour wheels ships", metadata=where)
    assert {hit["document"] for hit in found["hits"]} == {"mill.md"}


def test_quotes_are_verified(client: TestClient) -> None:
    right = asked(client, "/v1/verify", quote="It has two wheels of oak.")
    assert (right["verdict"], right["is_current"]) == ("found", True)
    wrong = asked(client, "/v1/verify", quote="It has two wheels of pine.")
    assert (wrong["verdict"], wrong["stands"]) == ("missing", "oak.")


def test_citations_are_made_and_found_again(client: TestClient, store: Path) -> None:
    (hit, *_) = asked(client, "/v1/search", query="wheels of oak")["hits"]
    answer = client.post("/v1/cite", json={"block": hit["block"], "quote": "wheels of oak"})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["document"], made["quote"], made["by"]) == ("mill.md", "wheels of oak", None)
    with cw.Store.open(store) as opened:
        opened.add(cw.read(f"A road.\n\n{MILL}".encode(), name="mill.md"))
    status = client.get(answer.headers["location"]).json()
    assert status["status"] == "same"
    assert (status["cited"]["line_start"], status["place"]["line_start"]) == (7, 9)
    assert status["citation"] == made


@pytest.mark.parametrize(
    ("path", "body", "expected", "said"),
    [
        ("/v1/search", {}, (422, "invalid_value", "query"), "query"),
        (
            "/v1/search",
            {"query": "x", "max_tokens": 5},
            (422, "invalid_value", "max_tokens"),
            "300",
        ),
        ("/v1/search", {"query": "x", "where": {}}, (422, "invalid_value", "where"), "where"),
        (
            "/v1/search",
            {"query": "x", "documents": ["mil.md"]},
            (404, "not_found", "document"),
            "did you mean 'mill.md'?",
        ),
        ("/v1/cite", {"block": "none"}, (404, "not_found", "block"), "'none'"),
        ("/v1/verify", {"quote": "short"}, (422, "invalid_value", "quote"), "12"),
        (
            "/v1/verify",
            {"quote": "x" * 12, "document": "none"},
            (404, "not_found", "document"),
            "'none'",
        ),
    ],
)
def test_problems_name_the_field(
    client: TestClient,
    path: str,
    body: dict[str, Any],
    expected: tuple[int, str, str],
    said: str,
) -> None:
    *found, message = refused(client, path, **body)
    assert tuple(found) == expected
    assert said in message


def test_words_that_a_block_does_not_have_are_not_cited(client: TestClient) -> None:
    (hit, *_) = asked(client, "/v1/search", query="wheels of oak")["hits"]
    status, code, field, _ = refused(client, "/v1/cite", block=hit["block"], quote="of steel")
    assert (status, code, field) == (422, "invalid_value", "quote")


def test_citations_that_are_not_there_are_not_found(client: TestClient) -> None:
    assert client.get("/v1/cite/none").status_code == 404
    assert client.get(f"/v1/cite/{'x' * 300}").status_code == 422


def test_without_a_store_the_answer_says_how_there_is_one() -> None:
    with served() as client:
        status, code, _, message = refused(client, "/v1/search", query="x")
        assert (status, code) == (501, "no_store")
        assert "--store" in message


def test_requests_at_once_are_all_answered(client: TestClient) -> None:
    with ThreadPoolExecutor(8) as threads:
        calls = [
            threads.submit(asked, client, "/v1/search", query=f"wheels {number}", expand=None)
            for number in range(30)
        ]
        assert all(call.result()["hits"][0]["document"] == "mill.md" for call in calls)


def test_the_routes_are_described(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    for path in ("/v1/search", "/v1/verify", "/v1/cite"):
        operation = described["paths"][path]["post"]
        assert operation["requestBody"]
        assert {"404", "422", "501"} <= operation["responses"].keys()
