"""Elements of documents that our readers read: their types, texts, places and parents."""

from __future__ import annotations

import json
import logging
import uuid
from io import BytesIO
from typing import Any

import pytest

from chunkwright.errors import ReadError

from .asking import elements, originals_of

MARKDOWN = b"""# Rain *and* snow

It rained on the [Elbe](http://example.org/elbe).

- one
  - deep
2. two

| day | mm |
|-----|----|
| Mon | 7  |

```python
x = 1
```

> Said so.

## Source

![a map](map.png)
"""
HTML = (
    b"<html><body><nav>Home</nav><h1>Rain</h1><p>It rained<br>all <b>day</b>.</p>"
    b"<ul><li>one<ul><li>deep</ul></ul><pre>x = 1\n  y</pre>"
    b"<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table></body></html>"
)


def rows(name: str, data: bytes, **fields: Any) -> list[tuple[str, str]]:
    return [(each["type"], each["text"]) for each in elements(name, data, **fields)]


def test_elements_of_markdown_say_what_they_are_without_marks() -> None:
    assert rows("rain.md", MARKDOWN) == [
        ("Title", "Rain *and* snow"),
        ("NarrativeText", "It rained on the [Elbe](http://example.org/elbe)."),
        ("ListItem", "one"),
        ("ListItem", "deep"),
        ("ListItem", "two"),
        ("Table", "day mm Mon 7"),
        ("CodeSnippet", "x = 1"),
        ("NarrativeText", "Said so."),
        ("Title", "Source"),
        ("Image", "a map"),
    ]


def test_elements_say_their_depth_parent_links_and_file() -> None:
    found = elements("rain.md", MARKDOWN)
    by_text = {each["text"]: each for each in found}
    title, deep = by_text["Rain *and* snow"], by_text["deep"]
    assert title["metadata"]["category_depth"] == 0
    assert by_text["Source"]["metadata"]["category_depth"] == 1
    assert by_text["Source"]["metadata"]["parent_id"] == title["element_id"]
    assert deep["metadata"]["parent_id"] == by_text["one"]["element_id"]
    assert deep["metadata"]["category_depth"] == 2
    (link,) = [each["metadata"] for each in found if "link_urls" in each["metadata"]]
    assert (link["link_texts"], link["link_urls"]) == (["Elbe"], ["http://example.org/elbe"])
    assert by_text["a map"]["metadata"]["image_url"] == "map.png"
    files = {(each["metadata"]["filename"], each["metadata"]["filetype"]) for each in found}
    assert files == {("rain.md", "text/markdown")}


def test_elements_of_html_leave_out_what_leads_elsewhere() -> None:
    assert rows("rain.html", HTML) == [
        ("Title", "Rain"),
        ("NarrativeText", "It rained all day."),
        ("ListItem", "one"),
        ("ListItem", "deep"),
        ("CodeSnippet", "x = 1\n  y"),
        ("Table", "a b 1 2 3"),
    ]


def test_what_a_page_hides_is_not_read() -> None:
    page = "<p style='display:none'>Wet days.</p><p hidden>Snow.</p><p>It rained.</p>"
    assert rows("rain.html", page.encode()) == [("NarrativeText", "It rained.")]


def test_emphasis_is_not_listed() -> None:
    (found,) = elements("rain.html", b"<p>It <b>rained</b>.</p>")
    assert found["text"] == "It rained."
    assert not [name for name in found["metadata"] if name.startswith("emphasized")]


def test_tables_are_html_with_their_header_and_spans() -> None:
    table = elements("rain.html", HTML)[-1]["metadata"]["text_as_html"]
    assert table == (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
        '<tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>'
    )


def test_parts_of_a_table_repeat_its_header() -> None:
    data = b"stone,kg\n" + b"".join(b"slate %d,%d\n" % (n, n) for n in range(40))
    chunks = elements("stones.csv", data, chunking_strategy="basic", max_characters=100)
    assert len(chunks) > 3
    assert {each["type"] for each in chunks} == {"TableChunk"}
    assert all(each["text"].startswith("stone kg ") for each in chunks)


def test_cells_are_escaped_and_keep_their_lines() -> None:
    (table,) = elements("odd.csv", b'a,b\n"1\n2",<3>\n,4\n')
    assert table["metadata"]["text_as_html"].endswith(
        "<tr><td>1<br/>2</td><td>&lt;3&gt;</td></tr><tr><td/><td>4</td></tr></table>"
    )
    assert table["text"] == "a b 1 2 <3> 4"


@pytest.mark.parametrize("skipped", [["csv"], [".csv"], ["pdf", "CSV"]])
def test_tables_have_no_html_if_their_type_is_skipped(skipped: list[str]) -> None:
    (table,) = elements("odd.csv", b"a,b\n1,2\n", skip_infer_table_types=skipped)
    assert "text_as_html" not in table["metadata"]
    (table,) = elements("odd.csv", b"a,b\n1,2\n", skip_infer_table_types=["pdf"])
    assert "text_as_html" in table["metadata"]


def test_a_text_is_cut_at_blank_lines_and_bullets() -> None:
    data = b"First line,\nand on.\n\n \n- one\n- two\n\nLast - not a list.\n"
    assert rows("rain.txt", data) == [
        ("NarrativeText", "First line,\nand on."),
        ("ListItem", "one"),
        ("ListItem", "two"),
        ("NarrativeText", "Last - not a list."),
    ]


def test_a_text_with_few_blank_lines_is_cut_at_each_line() -> None:
    data = b"\n".join(b"Line %d." % n for n in range(30)) + b"\n\nLast."
    assert len(rows("log.txt", data)) == 31


def test_source_code_keeps_its_indentation() -> None:
    data = b"def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert rows("code.py", data) == [
        ("CodeSnippet", "def f():\n    return 1"),
        ("CodeSnippet", "def g():\n    return 2"),
    ]


def test_xml_gives_its_texts_or_all_of_it() -> None:
    pytest.importorskip("lxml", reason="it reads XML")
    data = b"<?xml version='1.0'?><!-- no --><a><b>one  two</b><c>three</c> four</a>"
    texts = [("NarrativeText", text) for text in ("one two", "three", "four")]
    assert rows("rain.xml", data) == texts
    assert rows("rain.xml", data, xml_keep_tags=True) == [("UncategorizedText", data.decode())]


def test_prefixes_that_are_not_declared_change_no_text_of_xml() -> None:
    pytest.importorskip("lxml", reason="it reads XML")
    assert rows("rain.xml", b"<a><x:b>one</x:b>two</a>") == [
        ("NarrativeText", "one"),
        ("NarrativeText", "two"),
    ]
    with pytest.raises(ReadError, match="not XML"):
        rows("rain.xml", b"<a><x:b>one</x:b>two")


def test_entities_of_xml_are_not_expanded() -> None:
    pytest.importorskip("lxml", reason="it reads XML")
    entity = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>b &x; c</a>'
    assert "".join(text for _, text in rows("rain.xml", entity)).split() == ["b&x;c"]


@pytest.mark.parametrize("given", [{"languages": ["eng", "deu"]}, {"ocr_languages": "eng+deu"}])
def test_languages_are_said_if_they_are_given(given: dict[str, Any]) -> None:
    assert elements("rain.txt", b"Rain.", **given)[0]["metadata"]["languages"] == ["eng", "deu"]
    assert "languages" not in elements("rain.txt", b"Rain.", languages="auto")[0]["metadata"]


def test_ids_are_derived_or_unique() -> None:
    found = [each["element_id"] for each in elements("rain.txt", b"Rain.\n\nRain.")]
    assert found == [each["element_id"] for each in elements("rain.txt", b"Rain.\n\nRain.")]
    assert len(set(found)) == 2
    assert all(len(each) == 32 for each in found)
    made = elements("rain.md", MARKDOWN, unique_element_ids=True)
    names = [each["element_id"] for each in made]
    assert len({uuid.UUID(each) for each in names}) == len(made)
    assert {each["metadata"].get("parent_id") for each in made} - {None} <= set(names)


@pytest.mark.parametrize("strategy", ["basic", "by_title", "by_page", "by_similarity"])
def test_chunks_say_of_which_file_and_elements_they_are(strategy: str) -> None:
    whole = {each["element_id"]: each for each in elements("rain.md", MARKDOWN)}
    chunks = elements("rain.md", MARKDOWN, chunking_strategy=strategy)
    originals = [each for chunk in chunks for each in originals_of(chunk)]
    assert originals == list(whole.values())
    assert all(chunk["metadata"]["filename"] == "rain.md" for chunk in chunks)


def test_chunks_by_page_do_not_cross_pages() -> None:
    pages = [{"type": "Text", "text": str(n), "metadata": {"page_number": n}} for n in (1, 1, 2)]
    chunks = elements("pages.json", _json(pages), chunking_strategy="by_page")
    assert [each["text"] for each in chunks] == ["1\n\n1", "2"]


def test_chunks_by_similarity_keep_what_is_alike_together() -> None:
    texts = ["cats purr and cats sleep", "cats purr and cats play", "rust compiles to code"]
    made = _json([{"type": "Text", "text": text} for text in texts])
    options: dict[str, Any] = {"chunking_strategy": "by_similarity"}
    chunks = elements("a.json", made, similarity_threshold=0.3, **options)
    assert [each["text"] for each in chunks] == ["\n\n".join(texts[:2]), texts[2]]
    assert len(elements("a.json", made, similarity_threshold=0.99, **options)) == 3


def test_addresses_of_elements_are_kept() -> None:
    held = {"url": "http://example.org", "data_source": {"url": "s3://bucket/a.pdf"}}
    (found,) = elements("a.json", _json([{"type": "Text", "text": "a", "metadata": held}]))
    assert held.items() <= found["metadata"].items()


def test_coordinates_and_dates_of_elements_are_left_out_unless_they_are_wanted() -> None:
    place: dict[str, Any] = {"points": [[0, 1], [2, 3]], "system": "PixelSpace"}
    place |= {"layout_width": 9, "layout_height": 9}
    held = {"coordinates": place, "last_modified": "1921", "detection_class_prob": 0.5}
    made = _json([{"type": "Text", "text": "a", "metadata": held}])
    own = {"filename": "a.json", "filetype": "application/json"}
    assert elements("a.json", made)[0]["metadata"] == own
    with_place = elements("a.json", made, coordinates=True)[0]["metadata"]
    assert with_place == {**own, "coordinates": place}


def test_a_docling_document_is_read_as_the_document_that_it_is() -> None:
    texts = [("section_header", "Rain"), ("text", "It rained.")]
    document = {
        "schema_name": "DoclingDocument",
        "version": "1.3.0",
        "name": "rain",
        "body": {
            "self_ref": "#/body",
            "children": [{"$ref": f"#/texts/{at}"} for at in range(2)],
        },
        "texts": [
            {
                "self_ref": f"#/texts/{at}",
                "parent": {"$ref": "#/body"},
                "children": [],
                "label": label,
                "prov": [],
                "orig": text,
                "text": text,
                **({"level": 1} if label == "section_header" else {}),
            }
            for at, (label, text) in enumerate(texts)
        ],
    }
    found = rows("rain.json", _json(document))
    assert found == [("Title", "Rain"), ("NarrativeText", "It rained.")]


def test_nothing_of_a_document_gets_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    table = {"type": "Table", "text": "secret", "metadata": {"text_as_html": "secret, no table"}}
    with caplog.at_level(logging.DEBUG):
        elements("a.json", _json([table]), chunking_strategy="basic")
    assert "secret" not in caplog.text


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


@pytest.fixture(scope="module", name="pdf")
def _pdf() -> bytes:
    pytest.importorskip("pypdfium2", reason="it reads PDF files")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="it writes PDF files")
    file = BytesIO()
    drawn = canvas.Canvas(file, pagesize=(300, 400))
    for page in range(3):
        # Equal lines at equal places would be headers.
        drawn.drawString(40, 350 - 50 * page, "It rained" + " and rained" * (page + 1) + ".")
        drawn.showPage()
    drawn.save()
    return file.getvalue()


def test_pages_are_counted_from_the_number_that_is_given(pdf: bytes) -> None:
    found = elements("rain.pdf", pdf, starting_page_number=11)
    assert [each["metadata"]["page_number"] for each in found] == [11, 12, 13]


def test_breaks_stand_behind_pages_if_they_are_wanted(pdf: bytes) -> None:
    types = [each["type"] for each in elements("rain.pdf", pdf, include_page_breaks=True)]
    # Behind the last page of a PDF, too, as in the original.
    assert types == ["NarrativeText", "PageBreak"] * 3
    assert "PageBreak" not in dict(rows("rain.pdf", pdf))


def test_coordinates_are_those_of_the_page_from_its_top_left(pdf: bytes) -> None:
    place = elements("rain.pdf", pdf, coordinates=True)[0]["metadata"]["coordinates"]
    assert (place["system"], place["layout_width"], place["layout_height"]) == (
        "PixelSpace",
        300,
        400,
    )
    (left, top), _, (right, bottom), _ = place["points"]
    assert 30 < left < right < 300
    assert 30 < top < bottom < 70


def test_elements_of_word_files_have_headers_before_and_footers_behind() -> None:
    docx = pytest.importorskip("docx", reason="it writes Word files")
    pytest.importorskip("lxml", reason="it reads Word files")
    written = docx.Document()
    written.add_heading("Rain", 1)
    written.add_paragraph("It rained.")
    written.add_paragraph("one", style="List Bullet")
    written.sections[0].header.paragraphs[0].text = "Head"
    written.sections[0].footer.paragraphs[0].text = "Foot"
    file = BytesIO()
    written.save(file)
    assert rows("rain.docx", file.getvalue()) == [
        ("Header", "Head"),
        ("Title", "Rain"),
        ("NarrativeText", "It rained."),
        ("ListItem", "one"),
        ("Footer", "Foot"),
    ]


def test_rich_text_is_read_whole_or_in_parts() -> None:
    pytest.importorskip("xberg", reason="it reads RTF")
    whole, part = rb"{\rtf1\ansi It rained.\par}", rb"{\pard It rained.\par}"
    for data in (whole, part):
        for kind in ("application/rtf", "application/octet-stream"):
            (text,) = elements("rain.rtf", data, kind)
            assert (text["text"], text["metadata"]["filetype"]) == ("It rained.", "text/rtf")
    # What begins alike and is called a text is one.
    assert rows("rain.txt", part) == [("NarrativeText", part.decode())]


def slides() -> bytes:
    """Return a presentation of two slides with notes."""
    pptx = pytest.importorskip("pptx", reason="it writes presentations")
    made, file = pptx.Presentation(), BytesIO()
    for title in ("Rain", "Snow"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.notes_slide.notes_text_frame.text = f"Say {title.lower()}."
    made.save(file)
    return file.getvalue()


def test_notes_of_the_speaker_stand_in_front_of_their_slide() -> None:
    assert rows("talk.pptx", slides()) == [
        ("NarrativeText", "Say rain."),
        ("Title", "Rain"),
        ("NarrativeText", "Say snow."),
        ("Title", "Snow"),
    ]


def test_notes_of_the_speaker_are_left_out_if_they_are_not_wanted() -> None:
    found = elements("talk.pptx", slides(), include_slide_notes=False)
    assert [each["text"] for each in found] == ["Rain", "Snow"]
