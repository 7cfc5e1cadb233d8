"""Word files, made by hand of the XML that a test is about."""

import zipfile
from io import BytesIO

from chunkwright.document import Document
from chunkwright.readers.docx import read_docx

_SCHEMAS = "http://schemas.openxmlformats.org"
_RELATIONS = f"{_SCHEMAS}/officeDocument/2006/relationships"
_NAMESPACES = {
    "a": f"{_SCHEMAS}/drawingml/2006/main",
    "m": f"{_SCHEMAS}/officeDocument/2006/math",
    "mc": f"{_SCHEMAS}/markup-compatibility/2006",
    "pic": f"{_SCHEMAS}/drawingml/2006/picture",
    "r": _RELATIONS,
    "v": "urn:schemas-microsoft-com:vml",
    "w": f"{_SCHEMAS}/wordprocessingml/2006/main",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "wp": f"{_SCHEMAS}/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
}
_NS = " ".join(f'xmlns:{prefix}="{namespace}"' for prefix, namespace in _NAMESPACES.items())
_ROOTS = {
    "document": "w:document",
    "styles": "w:styles",
    "numbering": "w:numbering",
    "footnotes": "w:footnotes",
    "endnotes": "w:endnotes",
    "settings": "w:settings",
    "comments": "w:comments",
    "header": "w:hdr",
    "footer": "w:ftr",
}


def zipped(parts: dict[str, str | bytes]) -> bytes:
    """Make a ZIP of parts."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def relationships(*each: tuple[str, str], external: tuple[str, ...] = ()) -> str:
    """Write relationships of types and targets, whose ids are rId1, rId2, …; then links."""
    written = [
        f'<Relationship Id="rId{i}" Type="{_RELATIONS}/{type_}" Target="{target}"/>'
        for i, (type_, target) in enumerate(each, 1)
    ]
    written += [
        f'<Relationship Id="link{i}" Type="{_RELATIONS}/hyperlink" Target="{target}"'
        ' TargetMode="External"/>'
        for i, target in enumerate(external, 1)
    ]
    names = f'xmlns="{_SCHEMAS}/package/2006/relationships"'
    return f"<Relationships {names}>{''.join(written)}</Relationships>"


def word(body: str, *, links: str = "", **parts: str) -> bytes:
    """Make a Word file of the XML of its body, and of that of other parts such as ``styles``.

    ``header1`` is another part of the root ``w:hdr``; relationships have the order of the parts.
    Links are targets, split by blanks.
    """
    written: dict[str, str | bytes] = {
        "_rels/.rels": relationships(("officeDocument", "word/document.xml"))
    }
    types = [(name.rstrip("0123456789"), f"{name}.xml") for name in parts]
    written["word/_rels/document.xml.rels"] = relationships(*types, external=tuple(links.split()))
    for name, xml in {"document": f"<w:body>{body}</w:body>", **parts}.items():
        root = _ROOTS[name.rstrip("0123456789")]
        written[f"word/{name}.xml"] = f"<{root} {_NS}>{xml}</{root}>"
    return zipped(written)


def read(body: str, *, links: str = "", **parts: str) -> Document:
    """Read a Word file made of XML."""
    return read_docx(word(body, links=links, **parts))


def t(text: str) -> str:
    """Write a run of text."""
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def p(inner: str, properties: str = "") -> str:
    """Write a paragraph of runs, or of a text."""
    runs = inner if inner.startswith("<") or not inner else t(inner)
    return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"


def styled(inner: str, style: str) -> str:
    """Write a paragraph of a style."""
    return p(inner, f'<w:pStyle w:val="{style}"/>')


def item(inner: str, num_id: int, level: int = 0) -> str:
    """Write an item of a list."""
    return p(inner, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num_id}"/></w:numPr>')


def style(
    id_: str, name: str, *, based_on: str = "", inner: str = "", type_: str = "paragraph"
) -> str:
    """Write a style."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    attributes = f'w:type="{type_}" w:styleId="{id_}"'
    return f'<w:style {attributes}><w:name w:val="{name}"/>{base}{inner}</w:style>'


def levels(*each: tuple[str, str], start: int = 1, inner: str = "") -> str:
    """Write the levels of a numbering by form and text."""
    return "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{inner}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(each)
    )


def numbering(*lists: str, nums: str = "") -> str:
    """Write numberings by their levels, the first of which is number 1."""
    abstract = "".join(
        f'<w:abstractNum w:abstractNumId="{i}">{each}</w:abstractNum>'
        for i, each in enumerate(lists, 1)
    )
    own = "".join(num(i, i) for i in range(1, len(lists) + 1))
    return f"{abstract}{own}{nums}"


def num(id_: int, abstract: int, inner: str = "") -> str:
    """Write what paragraphs name of a numbering."""
    return f'<w:num w:numId="{id_}"><w:abstractNumId w:val="{abstract}"/>{inner}</w:num>'


def cell(inner: str, properties: str = "") -> str:
    """Write a cell of a text, or of blocks."""
    blocks = inner if inner.startswith("<") else p(inner)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{blocks}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    """Write a row of cells, or of their texts."""
    written = (each if each.startswith("<w:tc>") else cell(each) for each in cells)
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(written)}</w:tr>"


def table(*rows: str, properties: str = "") -> str:
    """Write a table."""
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def kinds(document: Document) -> list[tuple[str, str]]:
    """Return the kinds and texts of a document's elements, lists left out."""
    return [(e.kind, e.text) for e in document.elements or [] if e.kind != "list"]


def picture(alt: str) -> str:
    """Write a run with a picture, and the text that stands for it."""
    return (
        f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="{alt}"/><a:graphic>'
        "<a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
