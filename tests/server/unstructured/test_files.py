"""Files of a request: packed ones, types by content, name and declaration, and refused ones."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import PurePath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwright import OcrWord
from chunkwright.errors import MissingExtraError, ReadError
from chunkwright.server.bodies.uploads import Upload
from chunkwright.server.dialects.unstructured.answers import FileLimits
from chunkwright.server.dialects.unstructured.fields import FILE_TYPES, Fields
from chunkwright.server.dialects.unstructured.sources import sources_of
from chunkwright.server.problems import Problem
from tests.readers import office_files
from tests.readers.pdf.drawing import Sheets, scanned

from .asking import LIMITS, asked, elements, outcome

MARKDOWN = b"# Rain\n\nIt *rained*."
HTML = b"<html><body><h1>Rain</h1><p>It rained.</p></body></html>"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
MS = "application/vnd.openxmlformats-officedocument"
ODF = "application/vnd.oasis.opendocument"
PDF = b"%PDF-1.7\nnot a document after all"


def types(name: str, data: bytes, kind: str = "", **fields: Any) -> list[str]:
    return [each["type"] for each in elements(name, data, kind, **fields)]


def filetype(name: str, data: bytes, kind: str = "", **fields: Any) -> str:
    found: str = elements(name, data, kind, **fields)[0]["metadata"]["filetype"]
    return found


def test_a_packed_file_is_read_under_the_name_that_it_has_unpacked() -> None:
    found = elements("rain.md.gz", gzip.compress(MARKDOWN))
    assert found == elements("rain.md", MARKDOWN)
    assert found[0]["metadata"]["filename"] == "rain.md"


def test_a_packed_file_can_be_told_by_its_media_type_and_what_is_in_it_by_a_field() -> None:
    packed = gzip.compress(MARKDOWN)
    asked_for: dict[str, Any] = {"gz_uncompressed_content_type": "text/markdown"}
    assert types("rain", packed, "application/gzip", **asked_for) == ["Title", "NarrativeText"]


def test_a_packed_file_that_is_too_large_is_refused_before_it_is_unpacked() -> None:
    bomb = gzip.compress(bytes(10_000_000), 9)
    with pytest.raises(Problem) as raised:
        asked(("zeros.txt.gz", bomb), limits=FileLimits(max_unpacked=100_000, max_chunks=10))
    assert raised.value.status == 413


@pytest.mark.cpu_seconds(20)
def test_a_packed_file_of_many_members_takes_no_long_time() -> None:
    members = gzip.compress(MARKDOWN[:5]) + gzip.compress(b"") * 5000
    found = elements("rain.md.gz", members + gzip.compress(MARKDOWN[5:]))
    assert found == elements("rain.md", MARKDOWN)
    with pytest.raises(Problem) as raised:
        asked(("rain.md.gz", gzip.compress(b"") * 200_000))
    assert (raised.value.status, raised.value.code) == (422, "unreadable")


def test_packed_originals_are_refused_if_they_are_too_large() -> None:
    made = elements("rain.txt", b"rain " * 4000, chunking_strategy="basic", max_characters=90_000)
    file = _json_of(made)
    (found,) = elements("chunks.json", file)
    assert found["metadata"]["orig_elements"] == made[0]["metadata"]["orig_elements"]
    with pytest.raises(ReadError, match="orig_elements decodes to more than"):
        asked(("chunks.json", file), limits=FileLimits(max_unpacked=10_000, max_chunks=10))


def _json_of(value: object) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize("cut", [b"no gzip", gzip.compress(MARKDOWN, mtime=0)[:-5]])
def test_a_damaged_packed_file_is_refused(cut: bytes) -> None:
    with pytest.raises(Problem, match="gzip file") as raised:
        asked(("rain.md.gz", cut))
    assert raised.value.status == 422


def test_the_type_is_told_by_content_before_name_and_declaration() -> None:
    assert filetype("page.txt", HTML) == "text/html"
    assert filetype("page.txt", HTML, "text/plain") == "text/html"
    assert filetype("page", HTML, "application/octet-stream") == "text/html"


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (office_files.pptx, f"{MS}.presentationml.presentation"),
        (office_files.xlsx, f"{MS}.spreadsheetml.sheet"),
        (office_files.odt, f"{ODF}.text"),
        (office_files.ods, f"{ODF}.spreadsheet"),
        (office_files.odp, f"{ODF}.presentation"),
        (office_files.epub, "application/epub"),
        (lambda: office_files.RTF, "text/rtf"),
    ],
)
@pytest.mark.parametrize("name", ["", "None", "rain.doc", "rain.txt"])
def test_files_of_one_kind_are_told_apart_by_their_content(
    make: Callable[[], bytes], wanted: str, name: str
) -> None:
    (source,) = sources_of([Upload("files", name, "application/msword", make())], Fields(), 1 << 20)
    assert source.file_type is not None
    assert source.file_type.mime == wanted


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"BM1234\0\0\0\0", "image/bmp"),
        (b"RIFF1234WEBP", "image/webp"),
    ],
)
def test_pictures_are_told_apart_by_their_content(data: bytes, wanted: str) -> None:
    (source,) = sources_of([Upload("files", "", "", data)], Fields(), 1 << 20)
    assert source.file_type is not None
    assert source.file_type.mime == wanted


def test_the_type_is_told_by_declaration_where_the_content_says_nothing() -> None:
    assert types("rain", MARKDOWN, "text/markdown; charset=utf-8") == ["Title", "NarrativeText"]
    assert filetype("table", b"a,b\n1,2\n", "text/csv") == "text/csv"


def test_a_hint_is_taken_at_its_word() -> None:
    assert types("page.html", HTML, content_type="text/plain") == ["NarrativeText"]
    assert types("rain.txt", MARKDOWN, content_type="text/markdown") == ["Title", "NarrativeText"]


@pytest.mark.parametrize("mime", sorted(FILE_TYPES))
def test_every_media_type_leads_to_a_type_whose_names_lead_back(mime: str) -> None:
    found = FILE_TYPES[mime]
    suffix = found.suffixes[0]
    upload = Upload("files", f"file{suffix}", found.mime, b"word")
    if found.format == "image":
        with pytest.raises(Problem):
            sources_of([upload], Fields(), LIMITS.max_unpacked)
        return
    (source,) = sources_of([upload], Fields(), LIMITS.max_unpacked)
    assert PurePath(source.name).suffix == suffix
    assert source.file_type is None or source.file_type == found


def test_a_request_needs_a_file() -> None:
    with pytest.raises(Problem) as raised:
        asked()
    assert (raised.value.status, raised.value.field) == (422, "files")


def test_a_file_in_another_field_is_none_of_the_files() -> None:
    other = Upload("document", "snow.md", "", MARKDOWN)
    with pytest.raises(Problem, match="'files', not in 'document'") as raised:
        sources_of([other], Fields(), LIMITS.max_unpacked)
    assert (raised.value.status, raised.value.field) == (422, "files")
    sent = [other, Upload("files", "rain.md", "", MARKDOWN)]
    assert [each.name for each in sources_of(sent, Fields(), LIMITS.max_unpacked)] == ["rain.md"]


def test_files_can_be_sent_in_an_array() -> None:
    (source,) = sources_of([Upload("files[]", "rain.md", "", MARKDOWN)], Fields(), 10)
    assert source.data == MARKDOWN


@pytest.mark.parametrize("name", ["photo.png", "photo"])
def test_an_image_is_not_read_without_recognition(name: str) -> None:
    with pytest.raises(Problem, match="fast strategy is not available for image files") as raised:
        asked((name, PNG), strategy="fast")
    assert raised.value.status == 400


@pytest.mark.parametrize("strategy", ["auto", "fast", "hi_res"])
def test_a_damaged_pdf_is_refused_in_the_words_of_the_original(strategy: str) -> None:
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    with pytest.raises(
        Problem, match=r"File does not appear to be a valid PDF\. Error: a\.pdf: "
    ) as it:
        asked(("a.pdf", PDF), strategy=strategy)
    assert it.value.status == 422


def test_an_encrypted_pdf_is_refused_in_the_words_of_the_original() -> None:
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="it writes PDF files")
    file = BytesIO()
    drawn = canvas.Canvas(file, encrypt="secret")
    drawn.drawString(40, 350, "It rained.")
    drawn.save()
    with pytest.raises(Problem) as raised:
        asked(("a.pdf", file.getvalue()))
    assert raised.value.message == "File is encrypted. Please decrypt it with password."
    assert (raised.value.status, raised.value.field) == (422, None)


def pages(*, is_scanned: bool) -> bytes:
    """Return a PDF of two pages, of which the second may be a picture."""
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    sheets = Sheets()
    sheets.line(72, 100, "It rained all day.")
    sheets.next()
    if is_scanned:
        scanned(sheets)
    else:
        sheets.line(72, 100, "It snowed all night.")
    return sheets.data()


def test_the_strategy_of_the_client_reads_pages_with_a_text() -> None:
    data = pages(is_scanned=False)
    assert elements("a.pdf", data, strategy="hi_res") == elements("a.pdf", data, strategy="fast")
    texts = [each["text"] for each in elements("a.pdf", data, strategy="hi_res")]
    assert texts == ["It rained all day.", "It snowed all night."]


def test_the_strategy_of_the_client_refuses_pages_that_are_pictures() -> None:
    data = pages(is_scanned=True)
    assert elements("a.pdf", data, strategy="fast")
    with pytest.raises(Problem, match="its pages 2 need OCR") as raised:
        asked(("a.pdf", data), strategy="hi_res")
    assert (raised.value.status, raised.value.field) == (422, "strategy")


@pytest.mark.parametrize("strategy", ["hi_res", "ocr_only", "auto"])
def test_images_are_recognised_where_an_engine_is_installed(strategy: str) -> None:
    with pytest.raises(MissingExtraError, match="ocr"):
        asked(("photo.png", PNG), strategy=strategy)


def test_pages_are_recognised_as_the_strategy_says(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def recognise(_picture: object) -> list[OcrWord]:
        seen.append(1)
        return [OcrWord("Sleet", (10, 10, 80, 30), 0.9)]

    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: True)
    monkeypatch.setattr("chunkwright.readers.ocr.rapid.engine", lambda _codes: recognise)
    data = pages(is_scanned=True)
    for strategy, texts in (
        ("ocr_only", ["Sleet", "Sleet"]),
        ("hi_res", ["It rained all day.", "Sleet"]),
        ("fast", ["It rained all day."]),
    ):
        assert [each["text"] for each in elements("a.pdf", data, strategy=strategy)] == texts
    assert len(seen) == 3


@pytest.mark.parametrize(("strategy", "n"), [(None, 1), ("auto", 1), ("fast", 0)])
def test_pages_that_are_not_read_are_named(strategy: str | None, n: int) -> None:
    files = ("a.pdf", pages(is_scanned=True)), ("b.pdf", pages(is_scanned=False))
    warnings = asked(*files, strategy=strategy).warnings
    assert len(warnings) == n
    assert all(each.startswith("a.pdf: the text of page 2 is in pictures") for each in warnings)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("report.pdf", PDF),
        ("report.docx", b"PK\x03\x04 no archive"),
        ("rain.txt", b"caf\xe9\x01"),
        ("rain.txt", b"null\0 byte"),
        ("rain.json", b'{"a": '),
        ("rain.json", b"[NaN]"),
        ("rain.json", b"[" * 100_000),
        ("rain.ndjson", b'{"a": 1}\n{"b"\n'),
        ("rain.xml", b"<a><b></a>"),
    ],
)
def test_a_damaged_file_is_refused_by_name(name: str, data: bytes) -> None:
    with pytest.raises((ReadError, Problem), match=name) as raised:
        asked((name, data))
    assert getattr(raised.value, "status", 422) in {400, 422}


@pytest.mark.parametrize(
    "name", ["a.txt", "a.md", "a.html", "a.csv", "a.json", "a.ndjson", "a.xml"]
)
def test_an_empty_file_has_no_elements(name: str) -> None:
    assert elements(name, b"") == []
    assert elements(name, b"", chunking_strategy="by_title") == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["rain.txt", "rain.json", "rain.xml", "rain.csv", "rain.html"])
def test_the_encoding_of_a_text_is_told_by_its_mark(name: str, encoding: str) -> None:
    pytest.importorskip("lxml", reason="it reads XML")
    texts = {
        "rain.json": '[{"type": "Text", "text": "Schn\u00e9e"}]',
        "rain.xml": "<a>Schn\u00e9e</a>",
    }
    data = texts.get(name, "Schn\u00e9e").encode(encoding)
    if (name, encoding) == ("rain.xml", "utf-32"):
        pytest.skip("libxml2 knows no UTF-32")
    assert [each["text"] for each in elements(name, data)] == ["Schn\u00e9e"]


def test_an_encoding_is_used_where_it_is_named() -> None:
    assert elements("rain.txt", "café".encode("latin-1"), encoding="latin-1")[0]["text"] == "café"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("coordinates", {"points": [[0, 1]], "system": "Nowhere"}),
        ("coordinates", 7),
        ("data_source", "here"),
        ("orig_elements", ["one"]),
        ("orig_elements", "no payload"),
    ],
)
def test_an_element_with_a_field_that_is_none_is_refused_by_its_number(
    field: str, value: object
) -> None:
    odd = {field: value}
    items = [{"type": "Text", "text": "a", "metadata": held} for held in (None, odd)]
    with pytest.raises(ReadError, match=r"odd\.json: elements\[1\]"):
        elements("odd.json", _json_of(items))


def test_an_element_whose_id_is_no_text_is_refused() -> None:
    with pytest.raises(ReadError, match="element_id must be a str, got 7"):
        elements("odd.json", _json_of([{"type": "Text", "text": "one", "element_id": 7}]))


def test_fields_that_no_chunk_can_have_are_refused() -> None:
    file = _json_of([{"type": "Text", "text": "one", "metadata": {"languages": 7}}])
    with pytest.raises(ReadError, match=r"odd\.json: its elements have fields"):
        elements("odd.json", file, chunking_strategy="basic")
    table = {"type": "Table", "text": "one", "metadata": {"text_as_html": {"a": 1}}}
    file = _json_of([table])
    with pytest.raises(ReadError, match=r"odd\.json: elements\[0\]: text_as_html"):
        elements("odd.json", file, chunking_strategy="basic")


def test_elements_are_told_by_content_too() -> None:
    file = _json_of([{"type": "Title", "text": "one", "metadata": {"page_number": 3}}])
    (found,) = elements("upload", file, "application/octet-stream")
    assert (found["type"], found["metadata"]["page_number"]) == ("Title", 3)
    assert found["metadata"]["filetype"] == "application/json"


ITEMS = st.fixed_dictionaries(
    {"type": st.sampled_from(["Title", "Table", "CheckBox", "PageBreak", "Odd"])},
    optional={
        "text": st.text(max_size=9) | st.none(),
        "checked": st.booleans() | st.integers(),
        "element_id": st.text(max_size=5) | st.integers() | st.none(),
        "metadata": st.dictionaries(
            st.sampled_from(
                [
                    *("page_number", "coordinates", "orig_elements", "data_source", "languages"),
                    *("text_as_html", "parent_id", "key_value_pairs", "link_urls", "filename"),
                ]
            ),
            st.none()
            | st.integers()
            | st.text(max_size=4)
            | st.just({"points": [[0, 1]], "system": "PixelSpace"})
            | st.lists(st.integers() | st.text(max_size=2), max_size=2),
            max_size=4,
        )
        | st.none()
        | st.integers(),
    },
)


@given(st.lists(ITEMS, max_size=3), st.sampled_from([None, "basic", "by_title", "by_page"]))
def test_odd_elements_are_answered_or_refused(items: list[object], strategy: str | None) -> None:
    file = _json_of(items)
    found, problem = outcome(
        lambda: elements("odd.json", file, chunking_strategy=strategy, overlap=3)
    )
    if problem is not None:
        assert problem.status == 422
    else:
        assert len(found) <= len(items) or strategy is not None
