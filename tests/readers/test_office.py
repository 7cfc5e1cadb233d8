"""Office files, books and mail: what is read of small ones, and what errors say."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.office import foreign_process
from chunkwright.readers.signatures import format_of
from tests.readers import office_files as files
from tests.readers.word import kinds
from tests.support.compound_files import Tree, compound, message

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
    assert [(e.kind, e.text, e.pages) for e in document.elements] == [
        ("heading", "Rain", (1,)),
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


def test_outlook_messages() -> None:
    data = message("Rain log", "Ada", "It rained.\r\n\r\nAgain.")
    for name in ("mail.msg", "mail.doc", "mail.eml", None):
        assert kinds(cw.read(data, name=name)) == [
            ("heading", "Rain log"),
            ("paragraph", "From: Ada"),
            ("paragraph", "It rained."),
            ("paragraph", "Again."),
        ]
    assert cw.read(data, kind="office").text.startswith("Rain log")


OLD = {
    "__properties_version1.0": "an Outlook message (MSG)",
    "WordDocument": "a Word document (DOC)",
    "PowerPoint Document": "a PowerPoint presentation (PPT)",
    "Workbook": "an Excel workbook (XLS)",
    "Book": "an Excel workbook (XLS)",
    "EncryptedPackage": "an encrypted Office document",
}


@pytest.mark.parametrize("stream", OLD)
@pytest.mark.parametrize("n_before", [0, 3, 40])
def test_old_documents_are_told_by_their_streams(stream: str, n_before: int) -> None:
    """What is embedded in them, or how many streams stand before, makes no difference."""
    others: Tree = {f"a{i:02}": b"x" for i in range(n_before)}
    embedded: Tree = {name: b"x" for name in OLD if name != stream}
    data = compound({**others, "ObjectPool": {"_1": embedded}, stream: b"x" * 99})
    found = format_of(data)
    assert found is not None
    assert found.name == OLD[stream]
    with pytest.raises(cw.ReadError) as caught:
        cw.read(data, name="x.bin")
    assert OLD[stream] in str(caught.value)
    assert "xberg" not in str(caught.value).lower()


@given(st.integers(0, 2**32 - 1), st.integers(0, 3583), st.binary(min_size=1, max_size=8))
@settings(max_examples=60)
def test_damaged_compound_files_are_told_or_not(cut: int, at: int, new: bytes) -> None:
    data = bytearray(message("Rain", "Ada", "It rained."))
    data[at : at + len(new)] = new
    format_of(bytes(data))
    format_of(bytes(data[: cut % len(data)]))


def test_errors_say_what_a_file_is() -> None:
    for data, said in [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a compound file (OLE2) without"),
        (rb"\par Rain {\b fell: hard}", "not an office file, book or mail"),
        (files.pptx()[:-200], "ZIP"),
        (files.packed({"ppt/presentation.xml": "<"}), "a PowerPoint presentation (PPTX)"),
    ]:
        with pytest.raises(cw.ReadError) as caught:
            cw.read(data, kind="office")
        assert said in str(caught.value)
        assert "xberg" not in str(caught.value).lower()
        assert "EML" not in str(caught.value)


ENDING = """
import chunkwright as cw
try:
    cw.read({data!r}, name="a.doc", kind="office")
except cw.ReadError:
    pass
"""


def test_a_process_ends_well_right_after_a_file(tmp_path: Path) -> None:
    """The library runs in a process of its own, which ends with the one that asks it."""
    broken = compound({"WordDocument": b"x" * 99})
    codes = [ENDING.format(data=data) for data in (broken, files.RTF)] * 3
    run = lambda code: subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)  # noqa: E731
    assert [child.wait() for child in list(map(run, codes))] == [0] * len(codes)


def test_a_crash_of_the_library_is_the_error_of_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "crashing.py"
    program.write_text("import os, sys\nsys.stdin.buffer.readline()\nos.abort()\n")
    with monkeypatch.context() as patch:
        patch.setattr(foreign_process, "_PROGRAM", program)
        patch.setattr(foreign_process, "_running", [])
        with pytest.raises(cw.ReadError, match=r"^a\.rtf: an RTF document: .* crashed$"):
            cw.read(files.RTF, name="a.rtf")
    assert cw.read(files.RTF, name="a.rtf").text.startswith("Rain log")


def test_a_file_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "waiting.py"
    program.write_text("import threading\nthreading.Event().wait()\n")
    monkeypatch.setattr(foreign_process, "_PROGRAM", program)
    monkeypatch.setattr(foreign_process, "_running", [])
    monkeypatch.setattr(foreign_process, "SECONDS", 0.05)
    with pytest.raises(cw.ReadError, match=r"took over 0\.05 s"):
        cw.read(files.RTF, name="a.rtf")


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


@pytest.mark.parametrize("make", [files.pptx, files.odp])
def test_slides_are_pages_to_choose_from(make: Callable[[], bytes]) -> None:
    whole = cw.read(make(), name="a")
    last = max(page for element in whole.elements for page in element.pages)
    part = cw.read(make(), name="a", pages=f"{last}-")
    assert [(e.text, e.pages) for e in part.elements] == [
        (e.text, e.pages) for e in whole.elements if e.pages == (last,)
    ]
    assert cw.read(make(), pages=[1]).elements[0].pages == (1,)
    with pytest.raises(cw.ConfigError, match=f"no page 9: there are {last} pages"):
        cw.read(make(), pages="9")


@pytest.mark.parametrize("make", [files.xlsx, files.odt, files.epub])
def test_others_have_no_pages_to_choose_from(make: Callable[[], bytes]) -> None:
    with pytest.raises(cw.ReadError, match=r"a: it is read as an .*, which has no pages to select"):
        cw.read(make(), name="a", pages="1")


def test_letters_of_two_escapes_and_marks_within_groups_of_rtf() -> None:
    rich = rb"{\rtf1\ansi\uc1 \u-10240?\u-8398? {\fs24\i0\*\cs7\cf0 It rained.}\par}"
    assert cw.read(rich, name="a.rtf").text.split() == ["\U00010332", "It", "rained."]
    # A letter of one escape, and a half of a letter, are no pair.
    alone = cw.read(rb"{\rtf1\ansi\uc1 \u8364?\u1080? \u-10240?x}", name="a.rtf").text
    assert alone.startswith("\u20ac\u0438")


@pytest.mark.parametrize(
    "binary",
    [
        rb"",
        rb"\bin7 {\par}}",
        rb"{\pict\bin9 {\par}}X\}",
        rb"{\pict\bin2 \\}{\pict\bin9 \u-1024?\u}",
        rb"{\pict\bin0}",
        # Longer than the file: none.
        rb"{\pict\bin4000000 }",
    ],
)
def test_letters_of_two_escapes_beside_binary_parts_of_rtf(binary: bytes) -> None:
    rich = rb"{\rtf1\ansi Rain \u-10240?\u-8398?.\par " + binary + rb"\par \u-10240?\u-8398? fell.}"
    said = cw.read(rich, name="a.rtf").text.split()
    assert said[:2] == ["Rain", "\U00010332."]
    assert {"\U00010332", "fell."} <= {*said}
