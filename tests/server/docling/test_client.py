"""Docling's own client of docling-serve works with the service, changed in its address alone."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from chunkwright.server import Settings
from tests.support.docling_maker import Maker

from . import sources
from .conftest import listening
from .peer import (
    ChunkerKind,
    DoclingDocument,
    DoclingServiceClient,
    StatusWatcherKind,
    expected,
)

pytestmark = pytest.mark.filterwarnings("ignore")

KEY = "a key of this test alone"


@pytest.fixture(params=list(StatusWatcherKind))
def docling(address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Docling's client, which looks at its tasks by a websocket or by polling."""
    by_socket = request.param == StatusWatcherKind.WEBSOCKET
    options = {"ws_fallback_to_poll": False} if by_socket else {"poll_server_wait": 1}
    with DoclingServiceClient(address, status_watcher=request.param, **options) as client:
        yield client


def _document(name: str, data: bytes) -> Any:
    """Return a file as the client takes it; those that it opens itself it leaves open."""
    from docling_core.types.io import DocumentStream

    return DocumentStream(name=name, stream=io.BytesIO(data))


@pytest.fixture
def file() -> Any:
    """A file of Markdown."""
    return _document("rivers.md", sources.MARKDOWN)


@pytest.fixture
def image() -> Any:
    """A file that is no document."""
    return _document("image.md", b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize("chunker", list(ChunkerKind))
def test_the_client_gets_chunks(docling: Any, file: Any, chunker: Any) -> None:
    answer = docling.chunk(file, chunker)
    document = docling.convert(file).document
    wanted = expected(document.model_dump_json(by_alias=True), file.name, chunker.value, {})
    found = json.loads(answer.model_dump_json())["chunks"]
    for row in found:
        del row["metadata"]["boxes"]
    assert found == wanted
    assert answer.documents[0].status == "success"


def test_the_client_gets_a_document(docling: Any, file: Any) -> None:
    result = docling.convert(file)
    assert result.status == "success"
    assert [text.text for text in result.document.texts][:2] == ["Rivers", "The *Elbe* is a river."]
    (table,) = result.document.tables
    assert [cell.text for cell in table.data.grid[1]] == ["Elbe", "1094"]


def test_a_docling_document_comes_back_as_it_went(docling: Any) -> None:
    maker = Maker()
    maker.heading("Rivers")
    maker.table([["river", "km"], ["Elbe", "1094"]])
    source = json.dumps(maker.document)
    found = docling.convert(_document("rivers.json", source.encode())).document
    assert found == DoclingDocument.model_validate_json(source)


def test_the_client_gets_many_documents(docling: Any) -> None:
    files = [_document(f"{i}.md", f"# Number {i}\n\ntext".encode()) for i in range(5)]
    found = list(docling.convert_all(files))
    assert [each.document.texts[0].text for each in found] == [f"Number {i}" for i in range(5)]


def test_the_client_gets_an_archive_with_chunks(docling: Any, file: Any) -> None:
    from zipfile import ZipFile

    from docling.datamodel.base_models import OutputFormat
    from docling.datamodel.service.targets import ZipTarget

    formats = [OutputFormat.CHUNKS, OutputFormat.JSON]
    result = docling.submit(file, output_formats=formats, target=ZipTarget()).result()
    archive = ZipFile(io.BytesIO(result.content))
    assert sorted(archive.namelist()) == ["rivers.chunks.jsonl", "rivers.json"]
    rows = [json.loads(line) for line in archive.read("rivers.chunks.jsonl").splitlines()]
    source = archive.read("rivers.json").decode()
    for row in rows:
        del row["metadata"]["boxes"]
    assert rows == expected(source, "rivers.md", "hybrid", {})


def test_the_client_is_told_that_a_document_failed(docling: Any, image: Any) -> None:
    from docling.service_client import ConversionError

    with pytest.raises(ConversionError, match=r"image\.md"):
        docling.convert(image)


def test_the_client_is_told_that_a_task_failed(docling: Any, image: Any) -> None:
    from docling.datamodel.service.options import ConvertDocumentsOptions
    from docling.service_client.exceptions import TaskExecutionError

    options = ConvertDocumentsOptions(abort_on_error=True)
    with pytest.raises(TaskExecutionError, match=r"image\.md"):
        docling.convert(image, options=options)


def test_the_client_asks_for_health_and_version(docling: Any) -> None:
    assert docling.health().status == "ok"
    assert docling.version()


def test_the_client_says_its_key(file: Any) -> None:
    from docling.service_client.exceptions import ServiceError

    for address in listening(Settings(keys=(KEY,))):
        kind = StatusWatcherKind.POLLING
        with DoclingServiceClient(address, api_key=KEY, status_watcher=kind) as client:
            assert client.chunk(file, ChunkerKind.HIERARCHICAL).chunks
        with (
            DoclingServiceClient(address, api_key="wrong", status_watcher=kind) as client,
            pytest.raises(ServiceError) as raised,
        ):
            client.chunk(file, ChunkerKind.HIERARCHICAL)
        assert raised.value.status_code == 401
