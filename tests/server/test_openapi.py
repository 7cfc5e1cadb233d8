"""Description of the service: it is current, and answers are what it says, whatever is asked."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import chunkwright as cw
from tests.server.running import Running, serving

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


@pytest.fixture(scope="module")
def described() -> Any:
    """The description, of which requests are made: at once it would delay each run of tests."""
    return schemathesis.openapi.from_path(FILE)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
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
    case.call_and_validate(base_url=f"http://127.0.0.1:{running.port}", checks=CHECKS)
    assert "Traceback" not in running.log
    assert '"trace"' not in running.log
