"""The client of Unstructured itself, against a running service: only its address is ours."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import BytesIO, StringIO
from typing import Any

import httpx
import pytest

from chunkwright.server import Settings

from .asking import elements
from .running import running

client = pytest.importorskip("unstructured_client", reason="its client is what is tested")

from unstructured_client.models import errors, operations, shared  # noqa: E402 - may be missing
from unstructured_client.utils import RetryConfig  # noqa: E402 - may be missing

NO_RETRIES = RetryConfig("none", None, retry_connection_errors=False)  # type: ignore[arg-type]
KEY = "a key of the service"
PAGE = b"# Rain\n\nIt rained.\n\n## Snow\n\n- It snowed.\n- It froze.\n"
# What the client sends by itself, such as strategy=hi_res, comes on top of these.
STRATEGIES = ["basic", "by_title", "by_page", "by_similarity"]


@pytest.fixture(scope="module", name="address")
def _address() -> Iterator[str]:
    with running(Settings(keys=(KEY,))) as address:
        yield address


def sent(address: str, name: str, data: bytes, key: str = KEY, **fields: Any) -> Any:
    """The client's own answer to one file."""
    file = shared.Files(content=data, file_name=name)
    parameters = shared.PartitionParameters(files=file, **fields)
    request = operations.PartitionRequest(partition_parameters=parameters)
    # The client does not close the connections of a transport of its own.
    with httpx.HTTPTransport() as transport, httpx.Client(transport=transport) as connections:
        api = client.UnstructuredClient(
            api_key_auth=key, server_url=address, client=connections, retry_config=NO_RETRIES
        )
        return api.general.partition(request=request)


def test_the_client_gets_elements(address: str) -> None:
    found = sent(address, "rain.md", PAGE).elements
    assert [(each["type"], each["text"]) for each in found] == [
        ("Title", "Rain"),
        ("NarrativeText", "It rained."),
        ("Title", "Snow"),
        ("ListItem", "It snowed."),
        ("ListItem", "It froze."),
    ]
    assert found == elements("rain.md", PAGE)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_client_gets_chunks_of_each_strategy(address: str, strategy: str) -> None:
    fields: dict[str, Any] = {"chunking_strategy": strategy, "max_characters": 30}
    fields["include_orig_elements"] = False
    found = sent(address, "rain.md", PAGE, **fields).elements
    assert found == elements("rain.md", PAGE, **fields)
    assert {each["type"] for each in found} == {"CompositeElement"}
    assert "".join(each["text"] for each in found).count("It ") == 3


def test_the_client_gets_a_table(address: str) -> None:
    found = sent(address, "rain.md", PAGE, output_format=shared.OutputFormat.TEXT_CSV)
    rows = list(csv.DictReader(StringIO(found.csv_elements)))
    assert [row["text"] for row in rows] == [row["text"] for row in elements("rain.md", PAGE)]


# Where the environment names certificates, the client hands them on in a way of old.
@pytest.mark.filterwarnings("ignore:.verify=<str>. is deprecated:DeprecationWarning")
def test_the_client_splits_a_pdf_and_puts_its_pages_together(address: str) -> None:
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    data = _pdf(n_pages=7)
    fields: dict[str, Any] = {"strategy": shared.Strategy.FAST, "split_pdf_concurrency_level": 3}
    found = sent(address, "pages.pdf", data, split_pdf_page=True, **fields).elements
    assert [each["metadata"]["page_number"] for each in found] == list(range(1, 8))
    whole = sent(address, "pages.pdf", data, split_pdf_page=False, **fields).elements
    assert [each["text"] for each in found] == [each["text"] for each in whole]


def test_the_client_is_told_of_a_wrong_value_in_its_own_error(address: str) -> None:
    with pytest.raises(errors.HTTPValidationError) as raised:
        sent(address, "rain.md", PAGE, chunking_strategy="by_titel")
    detail: Any = raised.value.data.detail[0]  # type: ignore[index]
    assert detail.loc == ["body", "chunking_strategy"]
    assert "did you mean 'by_title'?" in detail.msg


def test_the_client_is_told_of_a_file_that_is_not_read(address: str) -> None:
    with pytest.raises(errors.SDKError) as raised:
        sent(address, "a.gif", b"GIF89a" + bytes(20), strategy=shared.Strategy.FAST)
    assert raised.value.status_code == 400


def test_the_client_needs_a_key(address: str) -> None:
    with pytest.raises(errors.SDKError) as raised:
        sent(address, "rain.md", PAGE, key="another key than that")
    assert raised.value.status_code == 401


def _pdf(n_pages: int) -> bytes:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="it writes PDF files")
    file = BytesIO()
    drawn = canvas.Canvas(file)
    for page in range(n_pages):
        drawn.drawString(72, 700, f"This is what page {page + 1} says about the weather.")
        drawn.showPage()
    drawn.save()
    return file.getvalue()
