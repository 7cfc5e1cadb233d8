"""OpenDocument texts and slides: blanks, lists, captions, notes, tables, and what is hidden."""

import zipfile
from io import BytesIO

import pytest

import chunkwright as cw
from tests.readers.office_files import open_document
from tests.readers.word import kinds

ITEM = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"


def text(body: str, styles: str = "", *, hidden: bool = False) -> cw.Document:
    """Make and read a text."""
    return cw.read(open_document("text", body, styles), hidden=hidden)


def listed(*items: str, style: str = "") -> str:
    """Write a list of items that are written."""
    name = f' text:style-name="{style}"' if style else ""
    return f"<text:list{name}>{''.join(items)}</text:list>"


def test_blanks_are_those_that_are_shown() -> None:
    body = (
        "<text:p>for<text:s/>the<text:s text:c='3'/>mill\n  and<text:tab/>the"
        "<text:line-break/>pond<text:span> </text:span>of it</text:p>"
    )
    assert text(body).text == "for the mill and the\npond of it"


def test_headers_of_lists_and_what_is_nested_in_them_are_read() -> None:
    inner = listed(
        "<text:list-header><text:p>The wheel</text:p></text:list-header>", ITEM.format("oak", "")
    )
    body = listed(
        f"<text:list-header><text:p>The mill</text:p>{inner}</text:list-header>",
        ITEM.format("The pond", ""),
    )
    document = text(body)
    assert document.text == "The mill\n\nThe wheel\n\n    - oak\n- The pond"
    assert [(e.kind, e.level) for e in document.elements if e.text] == [
        ("paragraph", None),
        ("paragraph", None),
        ("list item", 2),
        ("list item", 1),
    ]


def test_items_have_the_numbers_that_their_style_gives() -> None:
    level = (
        '<text:list-level-style-number text:level="{}" style:num-format="{}" style:num-suffix="{}"'
        ' text:display-levels="{}" text:start-value="{}"/>'
    )
    styles = (
        f'<text:list-style style:name="L">{level.format(1, "A", ")", 1, 2)}'
        f"{level.format(2, '1', '.', 2, 1)}</text:list-style>"
    )
    inner = listed(ITEM.format("b", ""), ITEM.format("c", ""))
    again = (
        '<text:list text:style-name="L" text:continue-numbering="true">'
        f"{ITEM.format('e', '')}</text:list>"
    )
    body = listed(ITEM.format("a", inner), ITEM.format("d", ""), style="L")
    document = text(f"{body}<text:p>Between</text:p>{again}", styles)
    assert document.text == "B) a\n    B.1. b\n    B.2. c\nC) d\n\nBetween\n\nD) e"


def test_a_caption_in_a_frame_is_read_once_and_is_that_of_its_picture() -> None:
    picture = "<draw:frame><draw:image/><svg:desc>A mill in the snow</svg:desc></draw:frame>"
    body = (
        "<text:p>Before<draw:frame><draw:text-box>"
        f'<text:p text:style-name="Illustration">{picture}Figure 1: The mill</text:p>'
        "</draw:text-box></draw:frame></text:p>"
    )
    styles = '<style:style style:name="Illustration" style:family="paragraph"/>'
    document = text(body, styles)
    assert kinds(document) == [
        ("paragraph", "Before"),
        ("caption", "Figure 1: The mill"),
        ("figure", "A mill in the snow"),
    ]
    assert document.elements[1].caption_of == document.elements[2]


def test_a_drawing_is_what_describes_it_and_what_is_written_in_it() -> None:
    body = (
        "<text:p><draw:custom-shape><svg:desc>A wheel</svg:desc><text:p>oak</text:p>"
        "</draw:custom-shape></text:p>"
    )
    assert kinds(text(body)) == [("figure", "A wheel"), ("paragraph", "oak")]


def test_notes_follow_what_refers_to_them() -> None:
    note = (
        '<text:note text:note-class="{}"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
    )
    first, last = note.format("footnote", "Rain."), note.format("endnote", "In May.")
    body = f"<text:p>It{first} fell{last}.</text:p>"
    document = text(body)
    assert kinds(document) == [
        ("paragraph", "It fell."),
        ("footnote", "Rain."),
        ("footnote", "In May."),
    ]
    assert {note.parent for note in document.elements[1:]} == {document.elements[0]}


def test_deleted_and_hidden_text_is_left_out() -> None:
    deleted = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    styles = (
        '<style:style style:name="H" style:family="text"><style:text-properties'
        ' text:display="none"/></style:style><style:style style:name="P" style:family="paragraph"'
        ' style:parent-style-name="Q"/><style:style style:name="Q" style:family="paragraph">'
        '<style:text-properties text:display="none"/></style:style>'
    )
    body = (
        f'{deleted}<text:p>seen<text:span text:style-name="H"> not seen</text:span></text:p>'
        '<text:p text:style-name="P">nor this</text:p>'
        '<text:section text:display="none"><text:p>nor that</text:p></text:section>'
        "<text:p>a<office:annotation><text:p>remark</text:p></office:annotation>b</text:p>"
    )
    assert text(body, styles).text == "seen\n\nab"
    assert text(body, styles, hidden=True).text == "seen not seen\n\nnor this\n\nnor that\n\nab"


def test_tables_have_merged_cells_repeated_ones_and_headers() -> None:
    cell = "<table:table-cell {}><text:p>{}</text:p></table:table-cell>"
    covered = "<table:covered-table-cell/>"
    body = (
        '<table:table><table:table-column table:number-columns-repeated="3"/>'
        "<table:table-header-rows><table:table-row>"
        f"{cell.format(SPAN, 'rain')}{covered}"
        f"{cell.format('', 'sun')}</table:table-row></table:table-header-rows>"
        f"<table:table-row>{cell.format(TWICE, '3')}{cell.format('', '5')}</table:table-row>"
        "</table:table>"
    )
    document = text(body)
    assert document.text == "| rain |  | sun |\n| - | - | - |\n| 3 | 3 | 5 |"
    table = document.elements[0].table
    assert table is not None
    assert [(c.columns, c.is_header) for c in table.cells][:2] == [(2, True), (1, True)]


SPAN, TWICE = 'table:number-columns-spanned="2"', 'table:number-columns-repeated="2"'


def test_titles_code_and_numbers_of_headings() -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
        '<style:style style:name="Title" style:family="paragraph"/>'
        '<style:style style:name="Preformatted_20_Text" style:family="paragraph"/>'
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="2"'
        ' style:num-format="1" style:num-suffix="."/></text:outline-style>'
    )
    code = '<text:p text:style-name="Preformatted_20_Text">{}</text:p>'
    body = (
        '<text:p text:style-name="P1">The log</text:p>'
        '<text:h text:outline-level="2">Rain</text:h><text:h text:outline-level="2">Sun</text:h>'
        f"{code.format('if wet:')}{code.format(INDENTED)}"
    )
    document = text(body, styles)
    assert [(e.kind, e.level, e.text) for e in document.elements] == [
        ("heading", 1, "The log"),
        ("heading", 2, "1. Rain"),
        ("heading", 2, "2. Sun"),
        ("code", None, "if wet:\n    go()"),
    ]


INDENTED = '<text:s text:c="4"/>go()'


def frame(text_: str, class_: str = "", top: int = 0) -> str:
    """Write a frame of a slide."""
    said = f' presentation:class="{class_}"' if class_ else ""
    place = f'svg:x="0cm" svg:y="{top}cm" svg:width="9cm" svg:height="1cm"'
    return f"<draw:frame{said} {place}><draw:text-box>{text_}</draw:text-box></draw:frame>"


def test_a_title_that_is_an_item_has_no_marker() -> None:
    page = frame(listed(ITEM.format("Wheels", "")), "title")
    document = cw.read(open_document("presentation", f"<draw:page>{page}</draw:page>"))
    assert [(e.kind, e.text) for e in document.elements] == [("heading", "Wheels")]


def test_slides_have_titles_lists_notes_and_hidden_ones() -> None:
    styles = (
        '<style:style style:name="d" style:family="drawing-page"><style:drawing-page-properties'
        ' presentation:visibility="hidden"/></style:style>'
    )
    items = listed(ITEM.format("oak", listed(ITEM.format("old oak", ""))))
    notes = (
        f"<presentation:notes>{frame('<text:p>Tell of it.</text:p>', 'notes')}</presentation:notes>"
    )
    shown = "".join(
        (
            frame("<text:p>Source</text:p>", top=9),
            frame(items, "outline", top=3),
            frame("<text:p>Wheels</text:p>", "title"),
        )
    )
    body = (
        f'<draw:page draw:style-name="d">{frame("<text:p>Draft</text:p>", "title")}</draw:page>'
        f"<draw:page>{shown}{notes}</draw:page>"
    )
    data = open_document("presentation", body, styles)
    document = cw.read(data)
    assert document.text == "Wheels\n\n- oak\n    - old oak\n\nSource\n\nTell of it."
    assert {e.pages for e in document.elements} == {(2,)}
    note = document.elements[-1]
    assert (note.kind, note.parent) == ("footnote", document.elements[0])
    assert cw.read(data, hidden=True).elements[0].text == "Draft"


def test_an_encrypted_file_says_so() -> None:
    file = BytesIO(open_document("text", "<text:p>a</text:p>"))
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("META-INF/manifest.xml", "<manifest:encryption-data/>")
    with pytest.raises(
        cw.ReadError, match=r"^a\.odt: an OpenDocument text \(ODT\): it is encrypted"
    ):
        cw.read(file.getvalue(), name="a.odt")
