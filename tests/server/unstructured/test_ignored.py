"""Fields that change nothing: the answer is as without them, and says so."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwright.server.answers import warning_header
from tests.readers.pdf.drawing import Sheets

from .asking import asked, elements

MARKDOWN = b"# Rain\n\nIt rained."


@pytest.fixture(scope="module", name="pdf")
def _pdf() -> bytes:
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    sheets = Sheets()
    sheets.line(72, 100, "It rained all day.")
    return sheets.data()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("hi_res_model_name", "yolox"), ("table_ocr_agent", "tesseract")),
        *(("vlm_model", "large"), ("vlm_model_provider", "openai")),
        *(("extract_image_block_types", ["Image"]), ("extract_image_block_types", '["Table"]')),
        *(("pdfminer_char_margin", "2.0"), ("pdfminer_word_margin", "wide")),
        *(("strategy", "vlm"), ("strategy", "od_only")),
    ],
)
def test_models_that_the_service_lacks_are_ignored_and_named_for_what_they_concern(
    field: str, value: Any, pdf: bytes
) -> None:
    given = {field: value}
    found = asked(("a.pdf", pdf), **given)
    assert found.body == asked(("a.pdf", pdf), strategy="hi_res").body
    (warning,) = found.warnings
    assert warning.startswith(field)
    # In the original, too, they change nothing of other files.
    assert asked(("rain.md", MARKDOWN), **given) == asked(("rain.md", MARKDOWN))


@pytest.mark.parametrize(
    ("fields", "warning"),
    [
        ({"max_charcters": 7}, "unknown field 'max_charcters' is ignored; did you mean"),
        ({"x" * 500: 7}, f"unknown field '{'x' * 80}' is ignored"),
        ({"content_type": "text/markdwn"}, "content_type='text/markdwn' is ignored"),
        ({"contextual_chunking_strategy": "v1"}, "contextual_chunking_strategy is ignored"),
        (
            {"do_not_break_similarity_on_footer_header": True},
            "do_not_break_similarity_on_footer_header is ignored",
        ),
        ({"overlap": [1, 2]}, "overlap is given 2 times: the last value is taken"),
    ],
)
def test_what_is_ignored_is_named(fields: dict[str, Any], warning: str) -> None:
    found = asked(("rain.md", MARKDOWN), **fields)
    (said,) = found.warnings
    assert said.startswith(warning)
    assert found.body == asked(("rain.md", MARKDOWN)).body


@pytest.mark.parametrize(
    "fields",
    [
        {"split_pdf_page": "true", "split_pdf_concurrency_level": "5"},
        {"do_not_break_similarity_on_footer_header": False, "hi_res_model_name": ""},
        {"content_type": "text/markdown; charset=utf-8", "unique_element_ids": False},
    ],
)
def test_what_clients_send_by_themselves_is_no_reason_to_warn(fields: dict[str, Any]) -> None:
    assert asked(("rain.md", MARKDOWN), **fields).warnings == ()


def test_many_warnings_are_shortened() -> None:
    given: dict[str, Any] = {f"field-{n}": "1" for n in range(100)}
    header = warning_header(asked(("rain.md", MARKDOWN), **given).warnings)["Warning"]
    assert header.count("299 - ") == 13
    assert header.endswith('299 - "and 88 more"')
    assert len(header) < 4000


def test_a_type_that_is_no_media_type_is_told_as_if_it_was_not_there() -> None:
    assert elements("rain.md", MARKDOWN, content_type="nonsense")[0]["type"] == "Title"
