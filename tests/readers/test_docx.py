"""Word files: what of the XML is read as what."""

import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import docx
import pytest

import chunkwright as cw
from tests.readers.word import (
    cell,
    item,
    kinds,
    levels,
    num,
    numbering,
    p,
    picture,
    read,
    row,
    style,
    styled,
    t,
    table,
    word,
    zipped,
)

HEADINGS = "".join(
    style(f"H{n}", f"heading {n}", inner=f'<w:pPr><w:outlineLvl w:val="{n - 1}"/></w:pPr>')
    for n in (1, 2, 3)
)
BREAK = "<w:r><w:lastRenderedPageBreak/></w:r>"
PAGE = '<w:r><w:br w:type="page"/></w:r>'
BULLETS = levels(("bullet", "●"), ("bullet", "○"))
DECIMAL = levels(("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "%3."))


def box(inner: str) -> str:
    """Write a text box as Word does, in two forms with the same content."""
    content = f"<w:txbxContent>{inner}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic>'
        f"<a:graphicData><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></a:graphicData>"
        "</a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape>"
        f"<v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def field(instruction: str, result: str) -> str:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = f'<w:r><w:instrText xml:space="preserve">{instruction}</w:instrText></w:r>'
    return f"{mark('begin')}{code}{mark('separate')}{t(result)}{mark('end')}"


def rezipped(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Change the parts of a ZIP."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return zipped({name: change(archive.read(name)) for name in archive.namelist()})


def in_strict(xml: bytes) -> bytes:
    """Return a part in Word's strict variant."""
    transitional, strict = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
    xml = xml.replace(transitional + b"wordprocessingml/2006/", strict + b"wordprocessingml/")
    names = transitional + b"officeDocument/2006/relationships"
    return xml.replace(names, strict + b"officeDocument/relationships")


class TestParagraphs:
    def test_runs_are_one_text_with_single_blanks(self) -> None:
        body = p(t("It ") + t(" rained") + "<w:r><w:tab/></w:r>" + t("for  days ") + t(""))
        assert read(body).text == "It rained for days"

    def test_breaks_and_signs(self) -> None:
        body = p(
            "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/>"
            '<w:t>d</w:t><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol"'
            ' w:char="F061"/></w:r>'
        )
        assert read(body).text == "a\nb-cd✓α"

    def test_signs_of_fonts(self) -> None:
        run = '<w:r><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr><w:t>\uf0fc done</w:t></w:r>'
        assert read(p(run)).text == "✓ done"

    def test_empty_ones_are_left_out(self) -> None:
        assert kinds(read(p("") + p("a") + p(" ") + p("b"))) == [
            ("paragraph", "a"),
            ("paragraph", "b"),
        ]

    def test_tracked_changes_are_accepted(self) -> None:
        deleted = "<w:del><w:r><w:delText>snow</w:delText></w:r></w:del>"
        moved = f"<w:moveFrom>{t('old')}</w:moveFrom><w:moveTo>{t(' today')}</w:moveTo>"
        assert read(p(f"{deleted}<w:ins>{t('rain')}</w:ins>{moved}")).text == "rain today"
        joined = p("It ", "<w:rPr><w:del/></w:rPr>") + p("rained.")
        assert kinds(read(joined)) == [("paragraph", "It rained.")]

    def test_an_initial_belongs_to_its_word(self) -> None:
        body = p("O", '<w:framePr w:dropCap="drop"/>') + p("nce it rained.")
        assert read(body).text == "Once it rained."

    def test_hidden_text_is_none(self) -> None:
        hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        shown = '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>b</w:t></w:r>'
        styles = style("Hid", "hid", type_="character", inner="<w:rPr><w:vanish/></w:rPr>")
        by_style = '<w:r><w:rPr><w:rStyle w:val="Hid"/></w:rPr><w:t>x</w:t></w:r>'
        assert read(p(f"{t('a')}{hidden}{shown}{by_style}"), styles=styles).text == "ab"

    def test_comments_are_left_out(self) -> None:
        body = p(f'{t("a")}<w:r><w:commentReference w:id="1"/></w:r>')
        comments = f'<w:comment w:id="1">{p("why?")}</w:comment>'
        assert read(body, comments=comments).text == "a"

    def test_controls_are_read_and_prompts_are_not(self) -> None:
        control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
        prompt = (
            f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{t('Click here')}"
            "</w:sdtContent></w:sdt>"
        )
        body = control.format(p("a")) + p(t("b") + control.format(t("c")) + prompt)
        assert read(body).text == "a\n\nbc"

    def test_checkboxes(self) -> None:
        def check(value: str) -> str:
            return (
                f"<w:sdt><w:sdtPr><w14:checkbox>{value}</w14:checkbox></w:sdtPr><w:sdtContent>"
                f"{t('?')}</w:sdtContent></w:sdt>"
            )

        boxes = [
            check('<w14:checked w14:val="1"/>'),
            check('<w14:checked w14:val="0"/>'),
            check(""),
        ]
        assert read(p(t(" tea").join(boxes))).text == "☒ tea☐ tea☐"
        legacy = (
            '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/>'
            "</w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX "
            '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )
        assert read(p(legacy + t(" tea"))).text == "☒ tea"

    def test_of_fields_the_result_is_text(self) -> None:
        assert read(p(t("Page ") + field("PAGE", "3") + t(" of 5"))).text == "Page 3 of 5"
        nested = field(f"IF {'x'}", "yes")
        assert (
            read(p(f'<w:fldSimple w:instr="DATE">{t("today")}</w:fldSimple>{nested}')).text
            == "todayyes"
        )

    def test_ruby_keeps_the_base(self) -> None:
        ruby = f"<w:ruby><w:rt>{t('あめ')}</w:rt><w:rubyBase>{t('雨')}</w:rubyBase></w:ruby>"
        assert read(p(f"<w:r>{ruby}</w:r>")).text == "雨"


class TestLinks:
    def test_links_leave_the_text_as_it_is(self) -> None:
        link = f'<w:hyperlink r:id="link1">{t("the ")}{t("log ")}</w:hyperlink>'
        document = read(p(t(" See ") + link + t("now.")), links="https://example.org/log")
        assert document.text == "See the log now."
        (found,) = document.elements.links
        assert document.text[found.start : found.end] == "the log"
        assert found.target == "https://example.org/log"

    def test_links_that_are_fields(self) -> None:
        document = read(p(t("See ") + field(' HYPERLINK "https://example.org" ', "here")))
        assert [(link.start, link.end, link.target) for link in document.elements.links] == [
            (4, 8, "https://example.org")
        ]

    def test_bookmarks_and_code_are_no_targets(self) -> None:
        inner = f'<w:hyperlink w:anchor="x">{t("a")}</w:hyperlink>'
        inner += f'<w:hyperlink r:id="link1">{t("b")}</w:hyperlink>'
        assert not read(p(inner), links="javascript:alert(1)").elements.links


class TestHeadings:
    def test_by_name_outline_and_inheritance(self) -> None:
        styles = (
            HEADINGS
            + style("berschrift2", "heading 2")
            + style("Mine", "My part", based_on="H2")
            + style(
                "Body", "Not one", based_on="H1", inner='<w:pPr><w:outlineLvl w:val="9"/></w:pPr>'
            )
        )
        body = (
            styled("a", "H1")
            + styled("b", "berschrift2")
            + styled("c", "Mine")
            + styled("d", "Body")
            + p("e", '<w:outlineLvl w:val="2"/>')
            + styled("f", "Heading4")
        )
        found = [(e.kind, e.level) for e in read(body, styles=styles).elements]
        assert found == [
            ("heading", 1),
            ("heading", 2),
            ("heading", 2),
            ("paragraph", None),
            ("heading", 3),
            ("heading", 4),
        ]

    def test_a_title_is_above_all(self) -> None:
        styles = HEADINGS + style("T", "Title")
        document = read(styled("Log", "T") + styled("Rain", "H1") + p("It rained."), styles=styles)
        assert [e.level for e in document.elements][:2] == [1, 2]
        assert document.elements[2].headings == ("Log", "Rain")

    def test_numbers_are_part_of_them(self) -> None:
        outline = levels(("decimal", "%1"), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3"))
        styles = "".join(
            style(
                f"H{n}",
                f"heading {n}",
                inner=f'<w:pPr><w:numPr><w:ilvl w:val="{n - 1}"/><w:numId w:val="1"/></w:numPr>'
                "</w:pPr>",
            )
            for n in (1, 2, 3)
        )
        body = "".join(
            styled(text, f"H{n}") for text, n in [("a", 1), ("b", 2), ("c", 2), ("d", 1)]
        )
        # A level that is skipped counts.
        body += styled("e", "H3") + styled("", "H2") + styled("f", "H2")
        found = read(body, styles=styles, numbering=numbering(outline)).elements
        assert [e.text for e in found] == ["1 a", "1.1 b", "1.2 c", "2 d", "2.1.1 e", "2.3 f"]

    def test_the_level_of_a_style_may_stand_in_the_numbering(self) -> None:
        outline = (
            '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:lvlText w:val="%1"/></w:lvl>'
            '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:pStyle w:val="H2"/>'
            '<w:lvlText w:val="%1.%2"/></w:lvl>'
        )
        styles = style(
            "H2", "heading 2", inner='<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
        )
        assert read(styled("a", "H2"), styles=styles, numbering=numbering(outline)).text == "1.1 a"

    def test_styles_that_go_round_in_a_circle(self) -> None:
        styles = style("A", "a", based_on="B") + style("B", "b", based_on="A")
        assert kinds(read(styled("x", "A"), styles=styles)) == [("paragraph", "x")]


class TestLists:
    def test_nesting_and_markers(self) -> None:
        body = p("before") + item("a", 1) + item("b", 1, 1) + item("c", 1) + p("after")
        document = read(body, numbering=numbering(DECIMAL))
        assert document.text == "before\n\n1. a\n    a) b\n2. c\n\nafter"
        nested = document.elements[4]
        assert (nested.text, nested.level, nested.parent.kind) == ("a) b", 2, "list")

    def test_another_numbering_is_another_list(self) -> None:
        body = item("a", 1) + item("b", 1) + item("x", 2) + item("c", 1)
        document = read(body, numbering=numbering(DECIMAL, BULLETS))
        assert document.text == "1. a\n2. b\n\n- x\n\n3. c"
        assert [e.kind for e in document.elements].count("list") == 3

    def test_bullets_below_numbers(self) -> None:
        body = item("a", 1) + item("x", 2, 1) + item("b", 1)
        assert read(body, numbering=numbering(DECIMAL, BULLETS)).text == "1. a\n    - x\n2. b"

    def test_numbers_that_share_a_list_go_on_and_overrides_begin_anew(self) -> None:
        override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
        nums = num(7, 1) + num(8, 1, override)
        body = item("a", 1) + p("x") + item("b", 7) + p("y") + item("c", 8) + item("d", 8)
        found = kinds(read(body, numbering=numbering(DECIMAL, nums=nums)))
        assert [text for kind, text in found if kind == "list item"] == [
            *("1. a", "2. b", "5. c", "6. d")
        ]

    @pytest.mark.parametrize(
        ("form", "label"),
        [
            *[("decimalZero", "03."), ("upperLetter", "C."), ("upperRoman", "III.")],
            *[("ordinal", "3rd."), ("japaneseCounting", "三."), ("unheardOf", "3.")],
        ],
    )
    def test_forms_of_numbers(self, form: str, label: str) -> None:
        body = read(item("a", 1), numbering=numbering(levels((form, "%1."), start=3)))
        assert body.text == f"{label} a"

    def test_restarts(self) -> None:
        never = levels(("decimal", "%1."), ("decimal", "%1.%2."), inner='<w:lvlRestart w:val="0"/>')
        body = "".join(item("x", 1, level) for level in (0, 1, 0, 1))
        found = kinds(read(body, numbering=numbering(never)))
        assert [text for _, text in found] == ["1. x", "1.1. x", "2. x", "2.2. x"]

    def test_numbering_that_is_taken_back_or_unknown(self) -> None:
        numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
        styles = style("L", "List Number", inner=numbered)
        plain = p("b", '<w:pStyle w:val="L"/><w:numPr><w:numId w:val="0"/></w:numPr>')
        found = read(
            styled("a", "L") + plain + item("c", 9), styles=styles, numbering=numbering(DECIMAL)
        )
        assert kinds(found) == [("list item", "1. a"), ("paragraph", "b"), ("paragraph", "c")]

    def test_levels_of_list_styles(self) -> None:
        numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
        styles = style("A", "List Bullet", inner=numbered)
        styles += style("B", "List Bullet 2", inner=numbered.replace('"1"', '"2"'))
        document = read(
            styled("a", "A") + styled("b", "B"),
            styles=styles,
            numbering=numbering(BULLETS, BULLETS),
        )
        assert document.text == "- a\n    - b"

    def test_a_style_of_numbering(self) -> None:
        link = '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="S"/></w:abstractNum>'
        styles = style(
            "S",
            "s",
            type_="numbering",
            inner='<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
        )
        numbers = numbering(DECIMAL) + link + num(8, 8)
        assert (
            read(item("a", 1) + item("b", 8), styles=styles, numbering=numbers).text == "1. a\n2. b"
        )

    def test_a_paragraph_of_an_item(self) -> None:
        styles = style("C", "List Continue")
        body = item("a", 1) + styled("more", "C") + item("b", 1) + p("end")
        document = read(body, styles=styles, numbering=numbering(DECIMAL))
        more = document.elements[2]
        assert (more.kind, more.parent.text) == ("paragraph", "1. a")
        assert [e.kind for e in document.elements].count("list") == 1


class TestTables:
    def test_rows_cells_and_header(self) -> None:
        document = read(table(row("day", "mm"), row("Mon", "3")))
        assert document.text == "| day | mm |\n| - | - |\n| Mon | 3 |"
        grid = document.elements[0].table
        assert [c.is_header for c in grid.cells] == [True, True, False, False]

    def test_repeated_rows_are_the_header(self) -> None:
        head = "<w:tblHeader/>"
        rows = [row("a", "b", properties=head), row("c", "d", properties=head), row("1", "2")]
        assert read(table(*rows)).text == "| a | b |\n| c | d |\n| - | - |\n| 1 | 2 |"

    def test_a_table_may_have_no_header(self) -> None:
        look = '<w:tblLook w:firstRow="0"/>'
        grid = read(table(row("a", "b"), row("c", "d"), properties=look)).elements[0].table
        assert not any(c.is_header for c in grid.cells)

    def test_merged_cells(self) -> None:
        rows = [
            row(cell("a", '<w:gridSpan w:val="2"/>'), cell("b", '<w:vMerge w:val="restart"/>')),
            row("c", "d", cell("", "<w:vMerge/>")),
            row("e", "f", "g"),
        ]
        grid = read(table(*rows)).elements[0].table
        cells = {each.column: each for each in grid.cells[:2]}
        assert (grid.n_rows, grid.n_columns) == (3, 3)
        assert (cells[0].columns, cells[2].rows) == (2, 2)
        assert len(grid.cells) == 7

    def test_columns_that_no_cell_begins_in_are_none(self) -> None:
        wide = '<w:gridSpan w:val="7"/>'
        grid = read(table(row(cell("a", wide), "b"), row(cell("c", wide), "d"))).elements[0].table
        assert grid.n_columns == 2

    def test_what_is_in_a_cell_is_its_text(self) -> None:
        inner = p("x") + item("y", 1) + table(row("1", "2"), row("3", "4"))
        document = read(table(row(cell(inner), "b"), row("c", "d")), numbering=numbering(DECIMAL))
        assert document.text.startswith("| x 1. y 1 2 3 4 | b |")

    def test_a_table_of_one_cell_is_a_frame(self) -> None:
        frame = table(row(cell(styled("Rain", "H1") + p("It rained."))))
        assert kinds(read(frame, styles=HEADINGS)) == [
            ("heading", "Rain"),
            ("paragraph", "It rained."),
        ]

    def test_rows_in_controls_and_deleted_rows(self) -> None:
        control = f"<w:sdt><w:sdtContent>{row('c', 'd')}</w:sdtContent></w:sdt>"
        deleted = row("x", "y", properties="<w:del/>")
        document = read(table(row("a", "b"), control, deleted))
        assert document.text == "| a | b |\n| - | - |\n| c | d |"

    def test_pictures_and_notes_in_cells_belong_to_the_table(self) -> None:
        note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
        body = table(row(cell(p(t("a") + picture("A map") + note)), "b"), row("c", "d"))
        document = read(body, footnotes=f'<w:footnote w:id="2">{p("why")}</w:footnote>')
        assert kinds(document)[1:] == [("figure", "A map"), ("footnote", "why")]
        assert all(e.parent == document.elements[0] for e in document.elements[1:])


class TestBesideTheText:
    def test_text_boxes_are_read_once_where_they_are_anchored(self) -> None:
        body = p(t("a") + box(p("in the box") + p("b")))
        assert kinds(read(body)) == [("paragraph", text) for text in ("a", "in the box", "b")]
        assert read(p(box(p("in the box")) + t("a"))).text == "in the box\n\na"

    def test_what_a_heading_or_an_item_begins_with_is_of_it(self) -> None:
        body = styled(box(p("beside")) + t("Rain"), "H1") + item(picture("A map") + t("a"), 1)
        document = read(body, styles=HEADINGS, numbering=numbering(DECIMAL))
        assert [text for _, text in kinds(document)] == ["Rain", "beside", "1. a", "A map"]
        assert document.elements[-1].parent.text == "1. a"
        assert read(p(picture("A map") + t("a"))).text == "A map\n\na"

    def test_figures_and_captions(self) -> None:
        styles = style("Cap", "caption")
        body = (
            p(picture("A map"))
            + styled("Figure 1: Map", "Cap")
            + styled("Table 1: Rain", "Cap")
            + table(row("a", "b"), row("c", "d"))
        )
        document = read(body, styles=styles)
        figure, of_figure, of_table, grid = document.elements
        assert (figure.kind, figure.text) == ("figure", "A map")
        assert (of_figure.caption_of, of_table.caption_of) == (figure, grid)

    def test_a_caption_between_two_is_told_by_what_it_counts(self) -> None:
        styles = style("Cap", "caption")
        grid = table(row("a", "b"), row("c", "d"))
        for counted, at in (("Tabelle", 0), ("Abbildung", 2)):
            caption = styled(t("Nr. ") + field(f" SEQ {counted} ", "1"), "Cap")
            document = read(grid + caption + p(picture("A map")), styles=styles)
            assert document.elements[1].caption_of == document.elements[at]

    def test_notes_follow_what_refers_to_them(self) -> None:
        def refer(kind: str, id_: int) -> str:
            return f'<w:r><w:{kind}Reference w:id="{id_}"/></w:r>'

        body = p(t("a") + refer("footnote", 2) + refer("footnote", 2)) + p(
            t("b") + refer("endnote", 3)
        )
        notes = f'<w:footnote w:id="0">{p("---")}</w:footnote>'
        notes += f'<w:footnote w:id="2">{p("why")}{p("so")}</w:footnote>'
        document = read(
            body, footnotes=notes, endnotes=f'<w:endnote w:id="3">{p("end")}</w:endnote>'
        )
        assert kinds(document) == [
            ("paragraph", "a"),
            ("footnote", "why\nso"),
            ("paragraph", "b"),
            ("footnote", "end"),
        ]
        assert document.elements[1].parent == document.elements[0]

    def test_notes_of_items_follow_the_list(self) -> None:
        note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
        body = item(t("a") + note, 1) + item("b", 1)
        document = read(
            body,
            numbering=numbering(DECIMAL),
            footnotes=f'<w:footnote w:id="2">{p("why")}</w:footnote>',
        )
        assert kinds(document)[-1] == ("footnote", "why")
        assert document.elements[-1].parent.text == "1. a"

    def test_code_is_one_block(self) -> None:
        styles = style("Code", "Source Code")
        body = (
            styled("for x in y:", "Code")
            + styled("", "Code")
            + styled("    print(x)", "Code")
            + p("a")
        )
        assert kinds(read(body, styles=styles)) == [
            ("code", "for x in y:\n\n    print(x)"),
            ("paragraph", "a"),
        ]

    def test_quotes(self) -> None:
        assert kinds(read(styled("a", "Q"), styles=style("Q", "Intense Quote"))) == [("quote", "a")]


class TestFurniture:
    def test_headers_and_footers_stand_behind_the_body_each_once(self) -> None:
        def section(inner: str, more: str = "") -> str:
            return f"<w:sectPr>{inner}{more}</w:sectPr>"

        refer = '<w:headerReference w:type="{}" r:id="rId{}"/>'
        first = section(refer.format("default", 1) + refer.format("first", 2), "<w:titlePg/>")
        last = section(refer.format("default", 3) + refer.format("even", 4))
        body = p("a", first) + p("b") + last
        parts = {f"header{i}": p(text) for i, text in enumerate(["Log", "First", "Log", "Even"], 1)}
        document = read(body, **parts)
        assert document.text == "a\n\nb\n\nLog\n\nFirst"
        assert [e.kind for e in document.elements][2:] == ["page header"] * 2
        settings = "<w:evenAndOddHeaders/>"
        assert read(body, **parts, settings=settings).text.endswith("Even")

    def test_a_first_header_that_is_not_shown(self) -> None:
        refer = '<w:sectPr><w:footerReference w:type="first" r:id="rId1"/></w:sectPr>'
        assert read(p("a") + refer, footer1=p("x")).text == "a"


class TestFiles:
    def test_it_is_read_from_a_path_or_bytes(self, tmp_path: Path) -> None:
        file = docx.Document()
        file.add_heading("Rain", 1)
        file.add_paragraph("It rained.")
        file.add_paragraph("cold", style="List Bullet")
        path = tmp_path / "log.txt"
        file.save(str(path))
        document = cw.read(path)
        assert document.text == "Rain\n\nIt rained.\n\n- cold"
        assert document.name == path.as_posix()
        assert cw.read_docx(path).text == cw.read_docx(str(path)).text == document.text
        data = path.read_bytes()
        assert cw.read(data).text == cw.read_docx(data, name="x").text == document.text
        assert cw.read_docx(data, name="x").name == "x"
        assert cw.read(data, kind="docx", name="y").name == "y"
        assert pickle.loads(pickle.dumps(document)) == document
        (chunk,) = cw.chunk(document, "by_title", max_chars=200)
        assert chunk.headings == ("Rain",)

    def test_the_strict_variant(self) -> None:
        data = word(styled("Rain", "H1") + p("It rained."), styles=HEADINGS)
        strict = rezipped(data, in_strict)
        assert b"schemas.openxmlformats.org/wordprocessingml" not in strict
        assert kinds(cw.read_docx(strict)) == [("heading", "Rain"), ("paragraph", "It rained.")]

    def test_the_styles_of_lists_that_word_has(self) -> None:
        file = docx.Document()
        for text, kind in (("a", "Bullet"), ("b", "Bullet 2"), ("c", "Number"), ("d", "Number 2")):
            file.add_paragraph(text, style=f"List {kind}")
        file.add_paragraph("e", style="List Number")
        file.add_paragraph("more", style="List Continue")
        data = BytesIO()
        file.save(data)
        document = cw.read_docx(data.getvalue())
        assert document.text == "- a\n    - b\n\n1. c\n    1. d\n2. e\n\nmore"

    def test_options_are_checked(self) -> None:
        with pytest.raises(cw.ConfigError, match="name must be a str or None"):
            cw.read_docx(b"", name=1)  # type: ignore[arg-type]
        with pytest.raises(cw.ConfigError, match="source must be the path of a file, or bytes"):
            cw.read_docx(1)  # type: ignore[arg-type]

    def test_no_library_is_needed(self) -> None:
        code = (
            "import sys; sys.modules['lxml'] = None\n"
            "import chunkwright as cw\n"
            "from tests.readers.word import p, word\n"
            "print(cw.read(word(p('a'))).text)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout == "a\n"
