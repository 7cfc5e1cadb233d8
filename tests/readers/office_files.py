"""Office files, made by hand: small ones that hold a heading, a list, a table and the like."""

import zipfile
from io import BytesIO

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_SCHEMAS = "http://schemas.openxmlformats.org"
_RELATIONS = f"{_SCHEMAS}/officeDocument/2006/relationships"
_PACKAGE = f"{_SCHEMAS}/package/2006/relationships"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"

RTF = (
    rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard Rain log\par It rained for {\i days}.\par"
    rb"\trowd\cellx1000\cellx2000 \intbl day\cell mm\cell\row"
    rb"\trowd\cellx1000\cellx2000 \intbl Mon\cell 3\cell\row\pard\par}"
)
EML = (
    b"From: Ada <a@example.org>\r\nTo: b@example.org\r\nSubject: Rain log\r\n"
    b"Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    b"SXQgcmFpbmVkLgoKQWdhaW4uCg==\r\n"
)


def packed(parts: dict[str, str], mime_type: str | None = None) -> bytes:
    """Make a ZIP of parts, the first of which is its media type if there is one."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        if mime_type is not None:
            archive.writestr("mimetype", mime_type, zipfile.ZIP_STORED)
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def _relations(*types: tuple[str, str]) -> str:
    each = "".join(
        f'<Relationship Id="rId{i}" Type="{_RELATIONS}/{type_}" Target="{target}"/>'
        for i, (type_, target) in enumerate(types, 1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}">{each}</Relationships>'


def _content_types(*parts: tuple[str, str]) -> str:
    types = "".join(f'<Override PartName="/{n}" ContentType="{t}+xml"/>' for n, t in parts)
    return (
        f'{_XML}<Types xmlns="{_SCHEMAS}/package/2006/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{types}</Types>'
    )


def pptx() -> bytes:
    """Make a presentation of two slides, each with a title and two lines."""
    ns = (
        f'xmlns:a="{_SCHEMAS}/drawingml/2006/main" xmlns:r="{_RELATIONS}"'
        f' xmlns:p="{_SCHEMAS}/presentationml/2006/main"'
    )
    kind = "application/vnd.openxmlformats-officedocument.presentationml"

    def slide(title: str, *lines: str) -> str:
        def shape(id_: int, type_: str, texts: tuple[str, ...]) -> str:
            paragraphs = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
            return (
                f'<p:sp><p:nvSpPr><p:cNvPr id="{id_}" name="{type_}"/><p:cNvSpPr/><p:nvPr>'
                f'<p:ph type="{type_}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
                f"<a:lstStyle/>{paragraphs}</p:txBody></p:sp>"
            )

        shapes = shape(2, "title", (title,)) + shape(3, "body", lines)
        group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        tree = f"<p:cSld><p:spTree>{group}<p:grpSpPr/>{shapes}</p:spTree></p:cSld>"
        return f"{_XML}<p:sld {ns}>{tree}</p:sld>"

    ids = "".join(f'<p:sldId id="{255 + i}" r:id="rId{i}"/>' for i in (1, 2))
    return packed(
        {
            "[Content_Types].xml": _content_types(
                ("ppt/presentation.xml", f"{kind}.presentation.main"),
                ("ppt/slides/slide1.xml", f"{kind}.slide"),
                ("ppt/slides/slide2.xml", f"{kind}.slide"),
            ),
            "_rels/.rels": _relations(("officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"{_XML}<p:presentation {ns}><p:sldIdLst>{ids}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": _relations(
                ("slide", "slides/slide1.xml"), ("slide", "slides/slide2.xml")
            ),
            "ppt/slides/slide1.xml": slide("Rain", "It rained.", "For days."),
            "ppt/slides/slide2.xml": slide("Sun", "Then the sun came out."),
        }
    )


def xlsx() -> bytes:
    """Make a workbook of two sheets."""
    ns = f'xmlns="{_SCHEMAS}/spreadsheetml/2006/main" xmlns:r="{_RELATIONS}"'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    def sheet(*rows: tuple[str, ...]) -> str:
        def cell(column: int, row: int, text: str) -> str:
            place = f"{chr(65 + column)}{row}"
            if text.isdigit():
                return f'<c r="{place}"><v>{text}</v></c>'
            return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'

        lines = (
            f'<row r="{i}">{"".join(cell(j, i, text) for j, text in enumerate(row))}</row>'
            for i, row in enumerate(rows, 1)
        )
        return f"{_XML}<worksheet {ns}><sheetData>{''.join(lines)}</sheetData></worksheet>"

    sheets = (
        '<sheet name="Rain" sheetId="1" r:id="rId1"/><sheet name="Sun" sheetId="2" r:id="rId2"/>'
    )
    return packed(
        {
            "[Content_Types].xml": _content_types(
                ("xl/workbook.xml", f"{kind}.sheet.main"),
                ("xl/worksheets/sheet1.xml", f"{kind}.worksheet"),
                ("xl/worksheets/sheet2.xml", f"{kind}.worksheet"),
            ),
            "_rels/.rels": _relations(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"{_XML}<workbook {ns}><sheets>{sheets}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": _relations(
                ("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml")
            ),
            "xl/worksheets/sheet1.xml": sheet(("day", "mm"), ("Mon", "3"), ("Tue", "5")),
            "xl/worksheets/sheet2.xml": sheet(("day", "hours"), ("Wed", "7")),
        }
    )


def open_document(kind: str, body: str, styles: str = "") -> bytes:
    """Make an OpenDocument file: ``text``, ``spreadsheet`` or ``presentation``."""
    names = ("office", "text", "table", "draw", "presentation", "style", "svg")
    form = {"draw": "drawing", "svg": "svg-compatible"}
    ns = " ".join(f'xmlns:{each}="{_OASIS}:{form.get(each, each)}:1.0"' for each in names)
    type_ = f"application/vnd.oasis.opendocument.{kind}"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{type_}"/>'
    return packed(
        {
            "content.xml": f"{_XML}<office:document-content {ns}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
            f"</office:body></office:document-content>",
            "META-INF/manifest.xml": f"{_XML}<manifest:manifest"
            f' xmlns:manifest="{_OASIS}:manifest:1.0">{entry}</manifest:manifest>',
        },
        type_,
    )


_ROWS = "".join(
    "<table:table-row>"
    + "".join(
        f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        for cell in row
    )
    + "</table:table-row>"
    for row in (("day", "mm"), ("Mon", "3"))
)


def odt() -> bytes:
    """Make a text with headings, a list and a table."""
    items = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in "ab")
    return open_document(
        "text",
        '<text:h text:outline-level="1">Rain</text:h><text:p>It rained.</text:p>'
        f"<text:list>{items}</text:list>"
        '<text:h text:outline-level="2">Log</text:h>'
        f'<table:table table:name="T">{_ROWS}</table:table>',
    )


def ods() -> bytes:
    """Make a spreadsheet of one sheet."""
    return open_document("spreadsheet", f'<table:table table:name="Rain">{_ROWS}</table:table>')


def odp() -> bytes:
    """Make a presentation of one slide."""
    return open_document(
        "presentation",
        '<draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box>'
        "<text:p>Rain</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box>"
        "<text:p>It rained.</text:p></draw:text-box></draw:frame></draw:page>",
    )


def epub() -> bytes:
    """Make a book of one chapter."""
    opf = (
        f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x'
        "</dc:identifier><dc:title>Weather</dc:title><dc:language>en</dc:language></metadata>"
        '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    chapter = (
        f'{_XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title></head><body>'
        "<h1>Rain</h1><p>It rained.</p><ul><li>cold</li><li>wet</li></ul></body></html>"
    )
    container = (
        f'{_XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
        '<rootfiles><rootfile full-path="O/p.opf" media-type="application/oebps-package+xml"/>'
        "</rootfiles></container>"
    )
    parts = {"META-INF/container.xml": container, "O/p.opf": opf, "O/c.xhtml": chapter}
    return packed(parts, "application/epub+zip")
