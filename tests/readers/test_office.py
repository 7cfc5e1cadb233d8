"""Office files, books and mail through xberg: what of its nodes is read as what."""

import asyncio
import subprocess
import sys
from importlib.metadata import distribution

import pytest

import chunkwright as cw
from chunkwright.readers import office
from tests.readers import office_files as files
from tests.readers.word import kinds

TABLE = "| day | mm |\n| - | - |\n| Mon | 3 |"


def test_slides() -> None:
    document = cw.read(files.pptx(), name="talk.pptx")
    assert [(e.kind, e.text, e.pages) for e in document.elements] == [
        ("heading", "Rain", (1,)),
        ("paragraph", "It rained.", (1,)),
        ("paragraph", "For days.", (1,)),
        ("heading", "Sun", (2,)),
        ("paragraph", "Then the sun came out.", (2,)),
    ]
    assert (document.name, document.elements[-1].headings) == ("talk.pptx", ("Sun",))


def test_sheets() -> None:
    document = cw.read(files.xlsx())
    assert kinds(document) == [
        ("heading", "Rain"),
        ("table", f"{TABLE}\n| Tue | 5 |"),
        ("heading", "Sun"),
        ("table", "| day | hours |\n| - | - |\n| Wed | 7 |"),
    ]
    assert [(e.level, e.pages) for e in document.elements][:2] == [(1, ()), (None, ())]
    assert document.elements[1].table.cells[0].is_header
    assert kinds(cw.read(files.ods())) == [("heading", "Rain"), ("table", TABLE)]


def test_texts() -> None:
    document = cw.read(files.odt())
    assert document.text == f"Rain\n\nIt rained.\n\n- a\n- b\n\nLog\n\n{TABLE}"
    assert [e.level for e in document.elements if e.kind == "heading"] == [1, 2]
    assert document.elements[3].parent == document.elements[2]
    assert kinds(cw.read(files.RTF)) == [
        ("paragraph", "Rain log"),
        ("paragraph", "It rained for days."),
        ("table", TABLE),
    ]


def test_slides_of_open_document() -> None:
    document = cw.read(files.odp())
    assert [(e.kind, e.text, e.pages) for e in document.elements][1:] == [
        ("paragraph", "Rain", (1,)),
        ("paragraph", "It rained.", (1,)),
    ]


def test_books() -> None:
    document = cw.read(files.epub(), name="book.epub")
    assert document.text == "Rain\n\nIt rained.\n\n- cold\n- wet"


def test_mail() -> None:
    document = cw.read(files.EML, name="mail.eml")
    assert kinds(document) == [
        ("heading", "Rain log"),
        (
            "paragraph",
            "From: Ada <a@example.org>\nTo: b@example.org\nDate: Mon, 2 Mar 2026 10:00:00 +0000",
        ),
        ("paragraph", "It rained."),
        ("paragraph", "Again."),
    ]
    # Without a name nothing tells it from other texts.
    assert cw.read(files.EML).text == files.EML.decode()
    assert cw.read(files.EML, kind="office").text == document.text
    assert cw.read(files.EML, name="mail.eml", kind="text").elements is None


def test_nested_lists_links_and_notes() -> None:
    link = (
        '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://x.org">äö</text:a>'
    )
    inner = "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>"
    body = (
        f"<text:p>Grün {link} es</text:p>"
        f"<text:list><text:list-item><text:p>a</text:p>{inner}</text:list-item></text:list>"
    )
    document = cw.read(files.open_document("text", body))
    (found,) = document.elements.links
    assert (document.text[found.start : found.end], found.target) == ("äö", "https://x.org")
    assert document.text.endswith("- a\n    - b")


def test_it_is_read_where_an_event_loop_runs() -> None:
    async def main() -> str:
        return cw.read(files.RTF).text

    assert asyncio.run(main()).startswith("Rain log")


def test_what_cannot_be_read_is_named() -> None:
    for data in (files.pptx()[:-200], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)):
        with pytest.raises(cw.ReadError, match=r"^x\.ppt: "):
            cw.read(data, name="x.ppt")
    broken = files.packed({"ppt/presentation.xml": "<"})
    with pytest.raises(cw.ReadError, match=r"^x\.ppt: "):
        cw.read(broken, name="x.ppt")


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['xberg'] = None\n"
        "import chunkwright as cw\n"
        "try:\n    cw.read(b'{\\\\rtf1 a}')\n"
        "except cw.MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'reading office files needs an extra: pip install "chunkwright[office]"' in done.stdout


def test_the_licence_is_still_mit() -> None:
    # Its makers changed that of the library before this one, and changed it back.
    found = distribution("xberg")
    assert found.metadata["License-Expression"] == "MIT"
    texts = [file for file in found.files or [] if file.name == "LICENSE"]
    assert texts
    assert all("MIT License" in file.read_text() for file in texts)


def test_the_adapter_stays_small() -> None:
    with open(office.__file__, encoding="utf-8") as file:  # noqa: PTH123 - a path that is a str
        assert len(file.readlines()) < 150
