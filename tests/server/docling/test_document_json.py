"""Documents of our readers as DoclingDocuments: valid ones, which lose no word."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra server")

from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.compat.docling import chunk_json
from chunkwright.server.dialects.docling.document_json import LANGUAGES, document_json

from .peer import DoclingDocument  # isort: skip - says what is missing first
from tests.support.markdown_texts import PARTS

pytestmark = pytest.mark.filterwarnings("ignore")

# What is an attribute behind a heading is no word of it.
_TEXTS = st.lists(st.sampled_from([part for part in PARTS if part != "{#id .c}"]), max_size=40).map(
    "".join
)


def _made(document: cw.Document, kind: str) -> dict[str, Any]:
    """Return a document's JSON, checked by docling-core, which has nothing to repair."""
    made = document_json(document, f"name.{kind}", kind, b"data")
    read = DoclingDocument.model_validate(made)
    for where in ("texts", "tables", "pictures", "groups"):
        found = [item.self_ref for item in getattr(read, where)]
        assert found == [item["self_ref"] for item in made[where]]
    read.export_to_markdown()
    return made


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _said(made: dict[str, Any]) -> set[str]:
    cells = [cell["text"] for table in made["tables"] for cell in table["data"]["table_cells"]]
    texts = [f"{item['text']} {item.get('marker', '')}" for item in made["texts"]]
    return _words("\n".join([*cells, *texts]))


def _lost(document: cw.Document, made: dict[str, Any]) -> set[str]:
    """Return the words of elements that the JSON does not have; addresses of images are none."""
    said = _said(made)
    elements = document.elements or ()
    return {
        word
        for element in elements
        if element.kind not in {"figure", "code", "table"}
        for word in _words(element.text) - said
    }


@given(_TEXTS)
def test_markdown_becomes_a_valid_document_that_loses_no_word(text: str) -> None:
    data = text.encode("utf-8", "replace")
    try:
        document = cw.read(data, kind="markdown", name="a.md")
    except cw.ReadError:
        return
    made = _made(document, "markdown")
    assert not _lost(document, made)
    assert isinstance(chunk_json(json.dumps(made), "hierarchical"), list)


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "<ul>",
                "<li>",
                "<ol>",
                "</ul>",
                "</ol>",
                "<h1>",
                "<h3>",
                "<table><tr><td>",
                "<td>",
                "<tr>",
                "</table>",
                "<pre>",
                "</pre>",
                "<img alt='pic'>",
                "<blockquote>",
                "<figure>",
                "<figcaption>",
                "word ",
                "one two. ",
                "漢字",
            ]
        ),
        max_size=30,
    )
)
def test_html_becomes_a_valid_document_that_loses_no_word(parts: list[str]) -> None:
    document = cw.read("".join(parts).encode(), kind="html", name="a.html")
    made = _made(document, "html")
    assert not _lost(document, made)
    assert isinstance(chunk_json(json.dumps(made), "hierarchical"), list)


def test_real_files_become_valid_documents(shared: Path) -> None:
    files = sorted(each for each in (shared / "data" / "office").rglob("*") if each.is_file())
    n_read = 0
    for file in files:
        try:
            document = cw.read(file)
        except (cw.ReadError, cw.MissingExtraError):
            continue
        n_read += 1
        kind = file.suffix.removeprefix(".")
        made = _made(document, kind)
        assert not _lost(document, made), file
        assert isinstance(chunk_json(json.dumps(made), "hierarchical"), list)
    assert n_read > 5


def test_languages_are_those_that_docling_knows() -> None:
    from docling_core.types.doc.labels import CodeLanguageLabel

    assert set(LANGUAGES.values()) <= {label.value for label in CodeLanguageLabel}


def test_headers_of_pages_are_no_body() -> None:
    from docx import Document

    written = Document()
    written.sections[0].header.paragraphs[0].text = "running head"
    written.add_paragraph("It rained.")
    data = io.BytesIO()
    written.save(data)
    document = cw.read(data.getvalue(), name="a.docx")
    made = _made(document, "docx")
    layers = {item["text"]: (item["label"], item["content_layer"]) for item in made["texts"]}
    assert layers["running head"] == ("page_header", "furniture")
    chunks = chunk_json(json.dumps(made), "hierarchical")
    assert [chunk["text"] for chunk in chunks] == ["It rained."]


@pytest.mark.parametrize(
    "of", ["<pre>a</pre>", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<img alt=a>"]
)
def test_a_caption_stands_with_what_it_is_of(of: str) -> None:
    assert _caption(f"<figure>{of}<figcaption>one two.</figcaption></figure>") != "#/body"


def test_the_caption_of_a_quote_is_a_text() -> None:
    page = "<blockquote><figure>a<figcaption>one two.</figcaption></figure></blockquote>"
    assert _caption(page) == "#/body"


def _caption(page: str) -> Any:
    """Return what the caption of a page stands under."""
    made = _made(cw.read(page.encode(), kind="html", name="a.html"), "html")
    (caption,) = [each for each in made["texts"] if each["text"] == "one two."]
    assert caption["label"] == "caption"
    return caption["parent"]["$ref"]
