"""Routes of the service's page: its headers, what a browser keeps, and who may have it."""

import re
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the page needs the extra server")
pytest.importorskip("jinja2", reason="the page needs the extra server")

from starlette.testclient import TestClient

from chunkwright.server.routes import page
from tests.server.calls import problem, served

NAMES = ("viewer.js", "viewer.css", "playground.js", "playground.css")
PATHS = ("/", *(f"/assets/{name}" for name in NAMES))
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": "'none'",
}
MOST_BYTES = 300_000


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A service that wants a key."""
    with served(keys=("a-key-of-the-service",)) as found:
        yield found


@pytest.mark.parametrize("path", PATHS)
def test_the_page_needs_no_key(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.content


def test_what_the_page_asks_for_needs_one(client: TestClient) -> None:
    assert client.get("/v1/capabilities").status_code == 401
    assert client.get("/assets/other.js").status_code == 401
    assert client.get("/assets/").status_code == 401


@pytest.mark.parametrize("path", PATHS)
def test_the_policy_allows_nothing_from_elsewhere(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    said = (each.strip().partition(" ") for each in headers["Content-Security-Policy"].split(";"))
    assert {name: sources for name, _, sources in said} == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/", "text/html"), ("/assets/viewer.js", "text/javascript"), (PATHS[-1], "text/css")],
)
def test_files_say_what_they_are(client: TestClient, path: str, media_type: str) -> None:
    assert client.get(path).headers["Content-Type"] == f"{media_type}; charset=utf-8"


@pytest.mark.parametrize("path", PATHS)
def test_what_a_browser_has_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    for known in (tag, f'"another", {tag.removeprefix("W/")}'):
        again = client.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == tag
    assert client.get(path, headers={"If-None-Match": '"another"'}).status_code == 200


def test_there_is_no_other_file() -> None:
    with served() as client:
        for name in ("other.js", "playground-sample.md", "..%2F__init__.py"):
            assert problem(client.get(f"/assets/{name}"))[0] == 404


def test_the_page_is_small(client: TestClient) -> None:
    assert sum(len(client.get(path).content) for path in PATHS) < MOST_BYTES


def test_the_page_has_no_script_or_style_of_its_own(client: TestClient) -> None:
    text = client.get("/").text
    assert re.findall(r"<script[^>]*>(.*?)</script>", text) == ["", ""]
    assert not re.search(r"<style|\sstyle=|\son\w+=", text)
    # Behind a proxy the service may have a path before its own.
    assert all(not each.startswith("/") for each in re.findall(r'(?:src|href)="([^"]*)"', text))


def test_without_jinja2_all_else_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page._page.cache_clear()
    with served() as client:
        answer = client.get("/")
        assert problem(answer)[0] == 501
        assert "chunkwright[server]" in answer.json()["error"]["message"]
        assert client.get("/v1/capabilities").status_code == 200
