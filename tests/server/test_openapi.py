"""Description of the service: it is current, and answers are what it says, whatever is asked."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import chunkwright as cw
from tests.server.calls import served
from tests.server.running import PATIENCE, Running, serving
from tests.support.mostly_slow import mostly_slow

pytest.importorskip("fastapi", reason="needs the extra server")
pytest.importorskip("httptools", reason="needs the extra server")
schemathesis = pytest.importorskip("schemathesis", reason="makes requests of the description")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "openapi.json"
OPERATIONS = [
    (method, path)
    for path, methods in json.loads(FILE.read_text("utf-8"))["paths"].items()
    for method in methods
]
CHECKS = (
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)


@schemathesis.serializer("application/x-ndjson", "application/vnd.apache.arrow.stream")  # type: ignore[untyped-decorator]
def _lines(_: Any, value: Any) -> bytes:
    """Return a body of lines, some of which are rows of documents."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"{text}\n{json.dumps({'text': text})}\n".encode("utf-8", "backslashreplace")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with a store."""
    path = tmp_path_factory.mktemp("store") / "kb.db"
    with cw.Store.open(path) as store:
        store.add(cw.read(b"# The mill\n\nBuilt in 1743.", name="mill.md"))
    with serving("--store", str(path)) as running:
        yield running


def test_the_description_in_the_documentation_is_current() -> None:
    program = runpy.run_path(str(ROOT / "scripts" / "write_openapi.py"))
    assert FILE.read_text("utf-8") == program["text"](), "run scripts/write_openapi.py"


def test_the_description_says_where_the_service_is_and_which_keys_it_takes() -> None:
    found = json.loads(FILE.read_text("utf-8"))
    schemes = found["components"]["securitySchemes"]
    headers = {name: one["name"] for name, one in schemes.items() if one["type"] == "apiKey"}
    assert headers == {"XApiKey": "x-api-key", "UnstructuredApiKey": "unstructured-api-key"}
    assert (schemes["Bearer"]["type"], schemes["Bearer"]["scheme"]) == ("http", "bearer")
    assert [server["url"] for server in found["servers"]] == ["/", "http://127.0.0.1:8000"]
    used = {
        path: [name for one in operation["security"] for name in one]
        for path, operations in found["paths"].items()
        for operation in operations.values()
    }
    assert used["/health"] == []
    assert used["/v1/chunk"] == ["XApiKey", "Bearer"]
    assert used["/general/{version}/general"] == ["UnstructuredApiKey", "XApiKey", "Bearer"]
    assert {name for names in used.values() for name in names} == schemes.keys()


@pytest.mark.parametrize("path", ["/docs", "/scalar"])
def test_the_page_of_the_description_loads_nothing_from_elsewhere(path: str) -> None:
    pytest.importorskip("fastapi_offline", reason="has the files of Swagger UI")
    with served(keys=("a-key-of-the-tests",)) as client:
        page = client.get(path)
        assert page.status_code == 200
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
        named = re.findall(r'(?:href|src)="([^"]+)"', page.text)
        assert named
        for name in named:
            assert name.startswith(("docs/", "data:"))
            if name.startswith("docs/"):
                assert client.get(f"/{name}").status_code == 200
        headers = {"X-Api-Key": "a-key-of-the-tests"}
        for other in ("core.py", "..%2fcore.py", "redoc.standalone.js"):
            assert client.get(f"/docs/{other}", headers=headers).status_code == 404


def test_a_service_that_does_not_describe_itself_has_no_page() -> None:
    with served(docs=False) as client:
        for path in ("/openapi.json", "/docs", "/scalar", "/docs/swagger-ui.js", "/docs/start.js"):
            assert client.get(path).status_code == 404


@pytest.fixture(scope="module")
def described() -> Any:
    """The description, of which requests are made: at once it would delay each run of tests."""
    return schemathesis.openapi.from_path(FILE)


@pytest.mark.parametrize(("method", "path"), mostly_slow(OPERATIONS, quick=12))
def test_answers_are_as_described(described: Any, stored: Running, method: str, path: str) -> None:
    _ask(described[path][method], stored, max(1, settings().max_examples // 5))


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_answers_to_many_requests_are_as_described(
    described: Any, stored: Running, method: str, path: str
) -> None:
    _ask(described[path][method], stored, 100)


def _ask(operation: Any, running: Running, n: int) -> None:
    """Make requests as they are described, and as many whose bodies are not."""
    modes = schemathesis.GenerationMode
    for mode in modes if operation.body else [modes.POSITIVE]:

        @given(case=_cases(operation.as_strategy(generation_mode=mode)))
        @settings(max_examples=n)
        def ask(case: Any) -> None:
            _check(case, running)

        ask()


@st.composite
def _cases(draw: st.DrawFn, cases: st.SearchStrategy[Any]) -> Any:
    """Draw a case; schemathesis 4.32 fails at some bodies with files while it makes them."""
    try:
        return draw(cases)
    except ValueError as error:
        if "'Binary'" not in str(error):
            raise
        reject()


def _check(case: Any, running: Running) -> None:
    address = f"http://127.0.0.1:{running.port}"
    case.call_and_validate(base_url=address, checks=CHECKS, timeout=PATIENCE)
    assert "Traceback" not in running.log
    assert '"trace"' not in running.log
