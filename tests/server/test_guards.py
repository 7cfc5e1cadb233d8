"""Guards: keys, names of the host, origins, and limits of bodies and answers."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")


from tests.server.calls import asking

if TYPE_CHECKING:
    from starlette.testclient import TestClient

KEY = "a-key-of-the-service"
ASKED = {"text": "One two three."}


@pytest.fixture(scope="module")
def locked() -> Iterator[TestClient]:
    """A service that wants a key."""
    with asking(keys=(KEY, "another-key-of-it")) as client:
        yield client


@pytest.fixture(scope="module")
def local() -> Iterator[TestClient]:
    """A service for this machine alone."""
    with asking() as client:
        yield client


@pytest.fixture(scope="module")
def network() -> Iterator[TestClient]:
    """A service for a private network, without keys."""
    with asking(host="0.0.0.0", no_key=True) as client:  # noqa: S104
        yield client


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Api-Key": KEY},
        {"Authorization": f"Bearer {KEY}"},
        {"Authorization": f"bearer  {KEY} "},
        {"X-Api-Key": "another-key-of-it"},
    ],
)
def test_a_key_opens_the_service(locked: TestClient, headers: dict[str, str]) -> None:
    assert locked.post("/v1/chunk", json=ASKED, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Api-Key": ""},
        {"X-Api-Key": KEY[:-1]},
        {"X-Api-Key": KEY + "x"},
        {"X-Api-Key": KEY.upper()},
        {"X-Api-Key": "schlüssel-des-dienstes".encode()},
        {"X-Api-Key": b"\xff\xfe\x80"},
        {"X-Api-Key": f"{KEY},another-key-of-it"},
        {"Authorization": "Bearer"},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": KEY},
        # What a header says is what counts, even if another one would open.
        {"X-Api-Key": "wrong", "Authorization": f"Bearer {KEY}"},
        {"Cookie": f"X-Api-Key={KEY}"},
    ],
)
def test_nothing_else_does(locked: TestClient, headers: dict[str, Any]) -> None:
    answer = locked.post("/v1/chunk", json=ASKED, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].partition(" ")[0] == "Bearer"
    assert answer.json()["error"]["code"] == "unauthorized"
    assert KEY not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/v1/chunk",
        "/v1//chunk",
        "//v1/chunk",
        "/%76%31/chunk",
        "/v1/chunk/",
        "/health/../v1/chunk",
        "/health/%2e%2e/v1/chunk",
        "/health;/v1/chunk",
        "/V1/CHUNK",
        "/metrics",
        "/v1/capabilities",
        "/nothing",
    ],
)
def test_no_spelling_of_a_path_goes_without_a_key(locked: TestClient, path: str) -> None:
    for method in ("GET", "POST", "HEAD", "OPTIONS", "DELETE"):
        answer = locked.request(method, path, follow_redirects=False)
        assert answer.status_code == 401, (method, answer.text)


@pytest.mark.parametrize("path", ["/health", "/livez", "/ready", "/version", "/openapi.json"])
def test_probes_need_no_key(locked: TestClient, path: str) -> None:
    assert locked.get(path).status_code == 200


def test_all_keys_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    compare = hmac.compare_digest

    def compare_digest(given: bytes, key: bytes) -> bool:
        compared.append(key)
        return compare(given, key)

    monkeypatch.setattr(hmac, "compare_digest", compare_digest)
    keys = (KEY, "another-key-of-it", "a-third-key-of-it")
    with asking(keys=keys) as client:
        assert client.get("/metrics", headers={"X-Api-Key": KEY}).status_code == 200
    assert compared == [key.encode() for key in keys]


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:8000"]
)
def test_this_machine_is_answered_by_its_names(local: TestClient, host: str) -> None:
    assert local.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "example.org",
        "example.org:8000",
        "localhost.example.org",
        "localhost@example.org",
        "127.0.0.1.nip.io",
        "[",
        "]",
        "[::1",
        "localhost/",
        "localhost?",
        "localhost#example.org",
        b"\xff",
    ],
)
def test_a_name_that_leads_here_from_elsewhere_is_not_answered(
    local: TestClient, host: Any
) -> None:
    answer = local.post("/v1/chunk", json=ASKED, headers={"Host": host})
    assert (answer.status_code, answer.json()["error"]["code"]) == (421, "wrong_host")


def test_a_service_with_keys_goes_by_any_name(locked: TestClient) -> None:
    for host in ("example.org", "[", "a/b?c#d", b"\xff"):
        for path in ("/v1/chunk", "/nothing"):
            headers: Any = {"X-Api-Key": KEY, "Host": host}
            answer = locked.post(path, json={}, headers=headers)
            assert answer.status_code in {404, 422}, host


def test_further_names_are_answered_where_they_are_allowed() -> None:
    with asking(hosts=("Chunks.Example.Org",)) as client:
        for host, status in (("chunks.example.org:80", 200), ("example.org", 421)):
            assert client.get("/health", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "host",
    ["chunkwright:8000", "10.0.0.7", "[fd00::7]:8000", "cut.ml.svc.cluster.local", "a.internal"],
)
def test_a_private_network_is_answered_without_keys(network: TestClient, host: str) -> None:
    assert network.post("/v1/chunk", json=ASKED, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "10.0.0.7.nip.io", "local.evil", "a.b:80"])
def test_a_strangers_page_does_not_get_into_a_private_network(
    network: TestClient, host: str
) -> None:
    assert network.post("/v1/chunk", json=ASKED, headers={"Host": host}).status_code == 421


def test_no_page_of_another_origin_reads_an_answer(local: TestClient) -> None:
    asks = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    for answer in (
        local.options("/v1/chunk", headers=asks),
        local.post("/v1/chunk", json=ASKED, headers={"Origin": "https://example.org"}),
        local.post("/v1/chunk", json=ASKED, headers={"Origin": "null"}),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_pages_of_allowed_origins_do_without_the_key_of_another() -> None:
    with asking(keys=(KEY,), cors_origins=("https://app.example",)) as client:
        asks = {
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "x-api-key",
        }
        for origin, allowed in (("https://app.example", "https://app.example"), ("null", None)):
            answer = client.options("/v1/chunk", headers={**asks, "Origin": origin})
            assert answer.headers.get("access-control-allow-origin") == allowed
        answer = client.post("/v1/chunk", json=ASKED, headers={"Origin": "https://app.example"})
        assert answer.status_code == 401
        assert answer.headers["access-control-allow-origin"] == "https://app.example"
        assert "access-control-allow-credentials" not in answer.headers


def test_bytes_that_requests_hold_are_bounded_together() -> None:
    with asking(max_held=1000) as client:
        answer = client.post("/v1/chunk", json={"text": "a" * 2000})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert answer.headers["retry-after"]
        assert client.post("/v1/chunk", json=ASKED).status_code == 200


def test_an_answer_of_too_many_chunks_is_refused() -> None:
    with asking(max_chunks=2) as client:
        chunking = {"strategy": "window", "options": {"max_chars": 4}}
        answer = client.post("/v1/chunk", json={**ASKED, "chunking": chunking})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_many_chunks")
