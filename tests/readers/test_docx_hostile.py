"""Hostile Word files end in a document or an error that names the file, within bounds."""

import random
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import docx
import pytest

import chunkwright as cw
from tests.readers.word import (
    cell,
    item,
    levels,
    num,
    numbering,
    p,
    read,
    relationships,
    row,
    style,
    styled,
    t,
    table,
    word,
    zipped,
)

# Memory of the process that reads a file, with the interpreter and what it imports.
_MOST_MEGABYTES = 500


def outcome(data: bytes, name: str = "x.docx") -> str:
    """Read a file, and return what went wrong, or nothing."""
    try:
        cw.read(data, name=name)
    except cw.ReadError as error:
        return str(error)
    return ""


class TestPackages:
    def test_what_is_no_package(self) -> None:
        for data in (b"", b"text", zipped({"a": "b"}), zipped({"word/x.xml": "<w/>"})):
            with pytest.raises(cw.ReadError, match=r"^x: "):
                cw.read_docx(data, name="x")

    def test_bombs_by_declared_and_by_real_size(self) -> None:
        data = word(p("a" * (1 << 27)))
        assert "word/document.xml: its parts hold more than 128 MiB" in outcome(data)
        # Says that it is small.
        liar = bytearray(data)
        at = data.rfind(b"word/document.xml") - 46 + 24
        liar[at : at + 4] = (100).to_bytes(4, "little")
        assert "word/document.xml: damaged" in outcome(bytes(liar))

    def test_what_is_damaged_is_said_in_words(self) -> None:
        whole, draw = word(p("rain") + p("slate")), random.Random(3)
        for _ in range(1000):
            data = bytearray(whole)
            data[draw.randrange(len(data))] = draw.randrange(256)
            assert "0x" not in outcome(
                bytes(data[: draw.choice([len(data), draw.randrange(9000)])])
            )

    def test_all_parts_together(self) -> None:
        headers = {f"header{i}": p("a" * (1 << 22)) * 7 for i in range(1, 6)}
        refer = "".join(f'<w:headerReference w:type="default" r:id="rId{i}"/>' for i in range(1, 6))
        assert "its parts hold more than 128 MiB" in outcome(
            word(f"<w:sectPr>{refer}</w:sectPr>", **headers)
        )

    def test_a_text_as_long_as_a_library(self) -> None:
        assert "a text of more than 10 MB" in outcome(word(p("a" * 11_000_000)))

    def test_more_elements_than_memory(self) -> None:
        assert "more than 1,500,000 elements" in outcome(word("<w:p/>" * 1_500_000))

    def test_more_parts_than_a_document_has(self) -> None:
        parts: dict[str, str | bytes] = {f"word/{i}.xml": "" for i in range(10_001)}
        assert "more than 10,000 parts" in outcome(zipped(parts))

    def test_entities(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("password")
        laughs = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(9))
        for declared, used in (
            (f'<!ENTITY a0 "ha">{laughs}', "&a9;"),
            (f'<!ENTITY x SYSTEM "{secret.as_uri()}">', "&x;"),
            ('<!ENTITY x SYSTEM "http://192.0.2.1/x">', "&x;"),
        ):
            xml = word(p("MARK"))
            with zipfile.ZipFile(BytesIO(xml)) as archive:
                parts = {n: archive.read(n).decode() for n in archive.namelist()}
            body = parts["word/document.xml"].replace("MARK", used)
            parts["word/document.xml"] = f"<!DOCTYPE x [{declared}]>{body}"
            said = outcome(zipped(dict(parts)))
            assert said.startswith("x.docx: word/document.xml: ")
            assert "password" not in said

    def test_an_encrypted_part(self) -> None:
        data = bytearray(word(p("a")))
        at = data.rfind(b"word/document.xml") - 46 + 8
        data[at] |= 1
        assert "word/document.xml: encrypted" in outcome(bytes(data))

    def test_targets_that_are_not_there(self) -> None:
        data = zipped(
            {
                "_rels/.rels": relationships(("officeDocument", "../../../etc/passwd")),
                "word/document.xml": "<a/>",
            }
        )
        assert "holds no Word document" in outcome(data)
        refer = '<w:sectPr><w:headerReference w:type="default" r:id="rId9"/></w:sectPr>'
        assert outcome(word(p("a") + refer)) == ""


class TestDocuments:
    @pytest.mark.parametrize(
        "deep",
        [
            pytest.param(("<w:smartTag>", "</w:smartTag>"), id="tags"),
            pytest.param(("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"), id="controls"),
            pytest.param(("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"), id="frames"),
            pytest.param(("<w:tbl><w:tr><w:tc/><w:tc>", "</w:tc></w:tr></w:tbl>"), id="tables"),
        ],
    )
    @pytest.mark.parametrize("n", [60, 5_000])
    def test_blocks_that_are_nested_deep(self, deep: tuple[str, str], n: int) -> None:
        said = outcome(word(deep[0] * n + p("a") + deep[1] * n))
        assert "not well-formed" in said if n > 1000 else said == ""

    @pytest.mark.parametrize("n", [40, 5_000])
    def test_runs_and_equations_that_are_nested_deep(self, n: int) -> None:
        for begin, end in (
            ("<w:ins>", "</w:ins>"),
            ("<m:oMath><m:rad><m:e>", "</m:e></m:rad></m:oMath>"),
            ("<w:r><w:drawing><w:txbxContent><w:p>", "</w:p></w:txbxContent></w:drawing></w:r>"),
        ):
            said = outcome(word(p(begin * n + t("a") + end * n)))
            assert "not well-formed" in said if n > 1000 else said == ""

    def test_spans_and_rows_beyond_reason(self) -> None:
        wide = '<w:gridSpan w:val="999999999"/>'
        before = '<w:gridBefore w:val="999999999"/>'
        document = read(table(row(cell("a", wide), "b"), row("c", "d", properties=before)))
        assert document.elements[0].table.n_columns == 2
        many = row(*(["x"] * 2000))
        said = outcome(word(table(many, *(["<w:tr/>"] * 600))))
        assert "more than 1,000,000 rows" in said

    def test_numbers_beyond_reason(self) -> None:
        for form in ("upperRoman", "lowerLetter", "chineseCounting", "decimalEnclosedCircle"):
            huge = numbering(levels((form, "%1." * 10_000), start=999_999_999))
            assert len(read(item("a", 1), numbering=huge).text) < 4000
        strange = numbering(levels(("decimal", "%1.")), nums=num(5, 77))
        body = item("a", 5) + item("b", 1, 99) + p("c", '<w:outlineLvl w:val="x"/>')
        assert read(body, numbering=strange).text

    def test_a_long_chain_of_styles(self) -> None:
        n = 20_000
        styles = "".join(style(f"s{i}", "x", based_on=f"s{i + 1}") for i in range(n))
        document = read(styled("a", "s0"), styles=styles + style(f"s{n}", "heading 2"))
        assert document.elements[0].kind == "heading"

    def test_a_note_that_is_referred_to_often(self) -> None:
        refer = p('<w:r><w:footnoteReference w:id="1"/></w:r>' * 1000)
        note = f'<w:footnote w:id="1">{p("a" * 100_000)}</w:footnote>'
        assert len(read(refer * 10, footnotes=note).text) == 100_000

    def test_a_numbering_of_a_style_of_itself(self) -> None:
        link = '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="S"/></w:abstractNum>'
        inner = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
        styles = style("S", "s", type_="numbering", inner=inner)
        assert read(item("a", 1), styles=styles, numbering=link + num(1, 1)).text == "a"


def samples() -> list[bytes]:
    """Return small files that hold all that is read."""
    made = docx.Document()
    made.add_heading("Rain", 1)
    made.add_paragraph("It rained.", style="List Number")
    made.add_table(2, 3).cell(0, 0).merge(made.tables[0].cell(1, 0)).text = "a"
    made.sections[0].header.paragraphs[0].text = "Log"
    file = BytesIO()
    made.save(file)
    rich = word(
        item("a", 1) + item("b", 1, 1) + styled("c", "H") + table(row("a", "b"), row("c", "d")),
        styles=style("H", "heading 1"),
        numbering=numbering(levels(("decimal", "%1."), ("bullet", "-"))),
        footnotes=f'<w:footnote w:id="1">{p("x")}</w:footnote>',
        header1=p("y"),
    )
    return [file.getvalue(), rich]


def mutated(seed: int) -> bytes:
    """Return a file with bytes flipped, in the ZIP or a part, parts doubled, or its end cut off."""
    at_random = random.Random(seed)
    data = at_random.choice(samples())
    if seed % 3 == 0:
        return flipped(data, at_random)
    if seed % 7 == 0:
        return data[: at_random.randrange(4, len(data))]
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts: dict[str, str | bytes] = {n: archive.read(n) for n in archive.namelist()}
    name = at_random.choice([n for n in parts if n.endswith((".xml", ".rels"))])
    xml = parts[name]
    assert isinstance(xml, bytes)
    if seed % 5 == 0:
        # A part of the XML again inside of itself.
        start, end = sorted(at_random.randrange(len(xml)) for _ in range(2))
        middle = at_random.randrange(len(xml))
        xml = xml[:middle] + xml[start:end] * at_random.choice([1, 10, 100]) + xml[middle:]
    else:
        xml = flipped(xml, at_random, most=3)
    return zipped(parts | {name: xml})


def flipped(data: bytes, at_random: random.Random, most: int = 20) -> bytes:
    """Change some bytes, half of them to digits and letters, which keep XML well-formed."""
    changed = bytearray(data)
    for _ in range(at_random.randrange(1, most)):
        letters = b"0123456789abcdefpPwW"
        to = at_random.choice(letters) if at_random.random() < 0.5 else at_random.randrange(256)
        changed[at_random.randrange(len(changed))] = to
    return bytes(changed)


def test_mutated_files() -> None:
    for seed in range(60):
        said = outcome(mutated(seed))
        assert said == "" or said.startswith("x.docx: ")


@pytest.mark.slow
def test_500_mutated_files_each_in_bounded_time_and_memory() -> None:
    code = (
        "import time\n"
        "from tests.readers.test_docx_hostile import mutated, outcome\n"
        "from tests.support.memory import peak\n"
        "for seed in range(500):\n"
        "    data, start = mutated(seed), time.process_time()\n"
        "    said = outcome(data)\n"
        "    assert said == '' or said.startswith('x.docx: '), said\n"
        "    assert time.process_time() - start < 10\n"
        "print(peak())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < _MOST_MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        pytest.param('"<w:p/>" * 1_400_000', id="paragraphs"),
        pytest.param('"<w:tbl><w:tr><w:tc/><w:tc/></w:tr></w:tbl>" * 350_000', id="tables"),
        pytest.param('"<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 450_000', id="text"),
        pytest.param(
            '"<w:tbl>" + ("<w:tr>" + "<w:tc/>" * 9 + "</w:tr>") * 140_000 + "</w:tbl>"', id="cells"
        ),
        pytest.param('"<w:p><w:r><w:t>" + "a " * 50_000_000 + "</w:t></w:r></w:p>"', id="long"),
    ],
)
def test_the_largest_files_in_bounded_time_and_memory(body: str) -> None:
    code = (
        "import time\n"
        "from tests.readers.test_docx_hostile import outcome\n"
        "from tests.readers.word import word\n"
        "from tests.support.memory import peak\n"
        f"data = word({body})\n"
        "start = time.process_time()\n"
        "outcome(data)\n"
        "print(peak(), time.process_time() - start)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    most, seconds = done.stdout.split()
    assert int(most) < _MOST_MEGABYTES
    assert float(seconds) < 10
