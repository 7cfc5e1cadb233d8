"""Office files that are damaged, or larger and deeper than they look."""

import random
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest

import chunkwright as cw
from chunkwright.readers import compound
from chunkwright.readers.office import package
from chunkwright.readers.office.sheets import sheet
from tests.readers import office_files as files

MADE: dict[str, Callable[[], bytes]] = {
    "a.pptx": files.pptx,
    "a.xlsx": files.xlsx,
    "a.odt": files.odt,
    "a.ods": files.ods,
    "a.odp": files.odp,
    "a.epub": files.epub,
}
MAIN = {
    "a.pptx": "ppt/slides/slide1.xml",
    "a.xlsx": "xl/worksheets/sheet1.xml",
    "a.odt": "content.xml",
    "a.ods": "content.xml",
    "a.odp": "content.xml",
    "a.epub": "O/p.opf",
}


def changed(name: str, change: Callable[[bytes], bytes]) -> bytes:
    """Make a file whose main part is changed."""
    file = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(MADE[name]())) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == MAIN[name] else data)
    return file.getvalue()


def read_or_refused(data: bytes, name: str) -> None:
    """Read a file, or have it refused with its name."""
    try:
        cw.read(data, name=name, kind="office")
    except cw.ReadError as error:
        assert str(error).startswith(f"{name}: ")  # noqa: PT017 - some are read


@pytest.mark.parametrize("name", MADE)
def test_damaged_files_are_read_or_refused(name: str) -> None:
    data, chance = MADE[name](), random.Random(7)
    for _ in range(40):
        at, end = chance.randrange(len(data)), chance.randrange(len(data))
        read_or_refused(data[:end], name)
        read_or_refused(data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :], name)

        def shuffled(part: bytes, at: int = at, end: int = end) -> bytes:
            i, j = sorted((at % len(part), end % len(part)))
            return part[:i] + part[j:]

        read_or_refused(changed(name, shuffled), name)


@pytest.mark.parametrize("name", MADE)
def test_damaged_parts_are_read_or_refused(name: str) -> None:
    chance = random.Random(7)
    words = [b"0", b"-1", b"99999", b"1e9", b'"', b"<", b">", b"&", b"\0", b"\xff"]

    def damage(data: bytes) -> bytes:
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(data))
            data = data[:at] + chance.choice(words) + data[at + chance.randrange(20) :]
        return data

    for _ in range(60):
        read_or_refused(changed(name, damage), name)


def test_a_workbook_that_goes_in_a_circle_is_refused() -> None:
    """The first small sector of its stream is said to follow itself."""
    pytest.importorskip("xlrd")
    end, free = 0xFFFF_FFFE, 0xFFFF_FFFF

    def sector(*numbers: int) -> bytes:
        return struct.pack(f"<{len(numbers)}I", *numbers).ljust(512, b"\xff")

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        named = name.encode("utf-16-le").ljust(64, b"\0")
        around = struct.pack("<HBB3I", 2 * len(name) + 2, kind, 1, free, free, child)
        return named + around + bytes(36) + struct.pack("<IQ", start, size)

    head = compound.MAGIC + bytes(16) + struct.pack("<5H", 62, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<9I", 1, 1, 0, 4096, 2, 1, end, 0, 0)
    directory = entry("Root Entry", 5, 1, 3, 512) + entry("Workbook", 2, free, 0, 256)
    tables = sector(0xFFFF_FFFD, end, end, end), directory.ljust(512, b"\0"), sector(0)
    with pytest.raises(cw.ReadError):
        cw.read(head.ljust(512, b"\xff") + b"".join(tables) + bytes(512), name="a.xls")


@pytest.mark.parametrize("name", MADE)
def test_entities_are_refused(name: str) -> None:
    def bomb(part: bytes) -> bytes:
        front, _, rest = part.partition(b"?>")
        return front + b'?><!DOCTYPE a [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]>' + rest

    with pytest.raises(cw.ReadError, match=rf"^{name}: .* declares entities"):
        cw.read(changed(name, bomb), name=name)


@pytest.mark.parametrize("name", ["a.odt", "a.pptx"])
def test_what_is_nested_too_deep_is_refused(name: str) -> None:
    n = 20_000
    inner = {"a.odt": b"text:list><text:list-item", "a.pptx": b"p:grpSp"}[name]
    tags = inner.split(b"><")
    deep = b"".join(b"<" + tag + b">" for tag in tags) * n
    deep += b"".join(b"</" + tag + b">" for tag in reversed(tags)) * n
    place = {"a.odt": b"<office:text>", "a.pptx": b"<p:spTree>"}[name]
    data = changed(name, lambda part: part.replace(place, place + deep))
    with pytest.raises(cw.ReadError, match=f"^{name}: .*(deep|damaged)"):
        cw.read(data, name=name)


@pytest.mark.parametrize("name", MADE)
def test_what_unpacks_to_more_than_is_held_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bound in ("MAX_BYTES", "MAX_ROWS_BYTES"):
        monkeypatch.setattr(package, bound, 100_000)
    data = changed(name, lambda part: part + b" " * 200_000)
    assert len(data) < 10_000
    with pytest.raises(cw.ReadError, match=rf"^{name}: .*part '.*' is too large"):
        cw.read(data, name=name)


def test_cells_are_counted_also_where_they_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet, "MAX_CELLS", 1000)
    cell = (
        '<table:table-cell table:number-columns-repeated="9"><text:p>x</text:p></table:table-cell>'
    )
    rows = f'<table:table-row table:number-rows-repeated="9999999">{cell}</table:table-row>'
    data = files.open_document("spreadsheet", f"<table:table>{rows}</table:table>")
    with pytest.raises(cw.ReadError, match="more than 1,000 cells"):
        cw.read(data, name="a.ods")
    data = files.open_document("text", f"<table:table>{rows}</table:table>")
    with pytest.raises(cw.ReadError, match="more than 1,000,000 slots"):
        cw.read(data, name="a.odt")


def test_names_of_parts_may_be_in_other_letters_and_slashes() -> None:
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(files.xlsx())) as old, zipfile.ZipFile(file, "w") as new:
        for part in old.namelist():
            new.writestr(part.replace("sheets/sheet1", "sheets\\Sheet1"), old.read(part))
    assert cw.read(file.getvalue()).text == cw.read(files.xlsx()).text


def test_names_with_prefixes_are_read() -> None:
    def prefixed(part: bytes) -> bytes:
        for tag in (b"worksheet", b"sheetData", b"row", b"is", b"t", b"v"):
            part = part.replace(b"<" + tag + b">", b"<x:" + tag + b">")
            part = part.replace(b"<" + tag + b" ", b"<x:" + tag + b" ")
            part = part.replace(b"</" + tag + b">", b"</x:" + tag + b">")
        part = part.replace(b"<c ", b"<x:c ").replace(b"</c>", b"</x:c>")
        return part.replace(b" xmlns=", b" xmlns:x=")

    assert cw.read(changed("a.xlsx", prefixed)).text == cw.read(files.xlsx()).text
