"""A service that speaks docling-serve's dialect, and a tokenizer that requests may name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from chunkwright.server import Settings

LIMIT = 96
NEEDED = "needs the extra server"


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model: its tokenizer, and how many tokens it takes."""
    for name in ("docling_core", "transformers"):
        pytest.importorskip(name, reason="the tokenizer is one that Docling's chunkers take")
    from tests.parity.docling_pair import word_pieces

    folder = tmp_path_factory.mktemp("model")
    word_pieces().backend_tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": LIMIT}))
    return folder


@pytest.fixture(scope="session")
def settings(model: Path) -> Settings:
    """Settings of a service with one tokenizer, by the name that clients of Docling's say."""
    pytest.importorskip("fastapi", reason=NEEDED)
    from chunkwright.server import Settings
    from chunkwright.server.dialects.docling.options import DEFAULT_TOKENIZER

    return Settings(tokenizers={DEFAULT_TOKENIZER: str(model)}, threads=2, timeout=120)


@pytest.fixture(scope="module")
def client(settings: Settings) -> Iterator[TestClient]:
    """A client of the service, in this process."""
    from starlette.testclient import TestClient

    from chunkwright.server import create_app

    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def strict(settings: Settings) -> Iterator[TestClient]:
    """A client of a service that ignores nothing."""
    from starlette.testclient import TestClient

    from chunkwright.server import create_app

    app = create_app(replace(settings, strict=True))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def address(settings: Settings) -> Iterator[str]:
    """The address of a service that listens."""
    yield from listening(settings)


def listening(settings: Settings) -> Iterator[str]:
    """Yield the address of a service that listens in this process."""
    from tests.server.running import serving_here

    with serving_here(settings) as service:
        yield f"http://127.0.0.1:{service.port}"
