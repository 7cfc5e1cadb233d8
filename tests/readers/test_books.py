"""Books (EPUB): chapters by the spine, lists and tables as in HTML, and what is no chapter."""

import pytest

import chunkwright as cw
from tests.readers.office_files import packed
from tests.readers.word import kinds

MIME = "application/epub+zip"
CONTAINER = '<container><rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>'


def book(*chapters: str, manifest: str = "", spine: str = "", **parts: str) -> cw.Document:
    """Make and read a book."""
    items = "".join(
        f'<item id="c{i}" href="text/c%20{i}.xhtml" media-type="application/xhtml+xml"/>'
        for i in range(len(chapters))
    )
    order = "".join(f'<itemref idref="c{i}"/>' for i in range(len(chapters)))
    opf = f"<package><manifest>{items}{manifest}</manifest><spine>{order}{spine}</spine></package>"
    texts = {f"O/text/c {i}.xhtml": page(body) for i, body in enumerate(chapters)}
    extra = {name.replace("__", "/").replace("_xml", ".xml"): xml for name, xml in parts.items()}
    files = {"META-INF/container.xml": CONTAINER, "O/p.opf": opf, **texts, **extra}
    return cw.read(packed(files, MIME), name="book.epub")


def page(body: str) -> str:
    """Write a chapter as XHTML."""
    return (
        '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>'
        f'<title/><script src="x.js"/></head><body>{body}</body></html>'
    )


def test_lists_keep_their_nesting_and_their_numbers() -> None:
    document = book("<ul><li>oak<ol start='3'><li>old</li><li>new</li></ol></li><li>elm</li></ul>")
    assert document.text == "- oak\n    3. old\n    4. new\n- elm"
    assert [e.level for e in document.elements if e.kind == "list item"] == [1, 2, 2, 1]


def test_chapters_follow_each_other_by_the_spine() -> None:
    nav = '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    document = book(
        "<h1>Rain</h1><p>It <a href='b.xhtml'>rained</a>.</p>",
        "<a id='top'/><h1>Sun</h1><table><tr><th>h</th></tr><tr><td>7</td></tr></table>",
        manifest=nav,
        spine='<itemref idref="n"/>',
    )
    assert kinds(document) == [
        ("heading", "Rain"),
        ("paragraph", "It rained."),
        ("heading", "Sun"),
        ("table", "| h |\n| - |\n| 7 |"),
    ]
    (link,) = document.elements.links
    assert (document.text[link.start : link.end], link.target) == ("rained", "b.xhtml")
    assert document.elements[3].headings == ("Sun",)


def test_a_link_that_is_not_closed_is_one_of_each_element() -> None:
    document = book("<p>One <a href='b'>two</p><p>three</a> four</p>")
    found = [
        (element.text, [document.text[link.start : link.end] for link in element.links])
        for element in document.elements
    ]
    assert found == [("One two", ["two"]), ("three four", ["three"])]


def test_a_page_stands_for_what_is_none() -> None:
    manifest = (
        '<item id="s" href="s.png" media-type="image/png" fallback="f"/>'
        '<item id="f" href="f.html" media-type="application/xhtml+xml"/>'
    )
    document = book(
        manifest=manifest, spine='<itemref idref="s"/>', **{"O__f.html": page("<p>drawn</p>")}
    )
    assert document.text == "drawn"


def test_a_chapter_that_is_drawn_is_its_texts() -> None:
    manifest = '<item id="s" href="s.svg" media-type="image/svg+xml"/>'
    drawn = "<svg><title>Rain &amp; sun</title><g><text>It <tspan>rained</tspan>.</text></g></svg>"
    document = book(manifest=manifest, spine='<itemref idref="s"/>', **{"O__s.svg": drawn})
    assert kinds(document) == [("paragraph", "Rain & sun"), ("paragraph", "It rained.")]


def test_terms_have_no_markers() -> None:
    assert book("<dl><dt>oak</dt><dd>a tree</dd></dl>").text == "oak\na tree"


def test_an_encrypted_book_says_so_and_unreadable_fonts_do_no_harm() -> None:
    said = '<encryption><EncryptionMethod Algorithm="{}"/></encryption>'
    fonts = said.format("http://www.idpf.org/2008/embedding")
    assert book("<p>a</p>", **{"META-INF__encryption_xml": fonts}).text == "a"
    shop = said.format("http://www.w3.org/2001/04/xmlenc#aes256-cbc")
    with pytest.raises(cw.ReadError, match=r"^book\.epub: an EPUB book: it is encrypted"):
        book("<p>a</p>", **{"META-INF__encryption_xml": shop})
    with pytest.raises(cw.ReadError, match=r"its part 'O/text/c 7\.xhtml' is missing"):
        book(manifest='<item id="x" href="text/c%207.xhtml"/>', spine='<itemref idref="x"/>')
