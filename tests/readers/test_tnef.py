"""Messages of Outlook in TNEF: their properties, what is attached, and files that are damaged."""

import random
import struct
from email.message import EmailMessage

import pytest

import chunkwright as cw
from tests.readers.word import kinds

SUBJECT, BODY, HTML, SENDER, SENT = 0x0037, 0x1000, 0x1013, 0x0042, 0x0039
LONG_NAME, DATA = 0x3707, 0x3701
NUMBER, TIME, NARROW, WIDE, BINARY, OBJECT = 0x3, 0x40, 0x1E, 0x1F, 0x102, 0xD
MAGIC = b"\x78\x9f\x3e\x22\x01\x00"


def attribute(number: int, data: bytes) -> bytes:
    return struct.pack("<BII", 1, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def properties(*given: tuple[int, int, bytes]) -> bytes:
    """Write a list of properties: their types, numbers and values."""
    made = struct.pack("<I", len(given))
    for kind, number, value in given:
        made += struct.pack("<HH", kind, number)
        if number >= 0x8000:
            made += bytes(16) + struct.pack("<II", 1, 6) + "abc".encode("utf-16-le") + b"\0\0"
        if kind in {NARROW, WIDE, BINARY, OBJECT}:
            made += struct.pack("<II", 1, len(value))
        made += value + bytes(-len(value) % 4)
    return made


def text(number: int, said: str) -> tuple[int, int, bytes]:
    return WIDE, number, (said + "\0").encode("utf-16-le")


def tnef(*attributes: bytes) -> bytes:
    return MAGIC + b"".join(attributes)


def message(*more: tuple[int, int, bytes]) -> bytes:
    return attribute(0x0006_9003, properties(*more))


def attached(name: str, data: bytes) -> bytes:
    start = attribute(0x0006_9002, bytes(14)) + attribute(0x0006_800F, data)
    return start + attribute(0x0006_9005, properties(text(LONG_NAME, name)))


PAGE = (BINARY, HTML, "<meta charset=utf-8><h1>Log</h1><p>Größe".encode())
WHOLE = tnef(
    attribute(0x0006_9007, struct.pack("<II", 1252, 0)),
    message(
        text(0x8001, "named"),
        (TIME, SENT, struct.pack("<q", 133_894_080_000_000_000)),
        text(SENDER, "Ada"),
        text(SUBJECT, "Rain"),
        PAGE,
    ),
    attached("rain.csv", b"day,mm\nMon,3\n"),
)


def test_a_message_is_read_with_what_is_attached() -> None:
    for name in ("winmail.dat", None):
        document = cw.read(WHOLE, name=name, attachments=True)
        assert kinds(document) == [
            ("heading", "Rain"),
            ("paragraph", "From: Ada\nDate: Fri, 18 Apr 2025 00:00:00 +0000"),
            ("heading", "Log"),
            ("paragraph", "Größe"),
            ("heading", "rain.csv"),
            ("table", "| day | mm |\n| - | - |\n| Mon | 3 |"),
        ]
    assert cw.read(WHOLE).text.endswith("Größe")


def test_old_attributes_and_code_pages() -> None:
    old = tnef(
        attribute(0x0006_9007, struct.pack("<II", 1251, 0)),
        attribute(0x0001_8004, "Дождь\0".encode("cp1251")),
        attribute(0x0002_800C, "Было мокро.\0".encode("cp1251")),
        attribute(0x0006_9002, bytes(14)),
        attribute(0x0001_8010, "лог.txt\0".encode("cp1251")),
        attribute(0x0006_800F, b"wet"),
    )
    said = [("heading", "Дождь"), ("paragraph", "Было мокро.")]
    assert kinds(cw.read(old)) == said
    assert [text for _, text in kinds(cw.read(old, attachments=True))][2:] == ["лог.txt", "wet"]
    # Without a code page a narrow text that is no UTF-8 is what Windows wrote.
    narrow = tnef(attribute(0x0001_8004, "Größe\0".encode("cp1252")))
    assert cw.read(narrow).text == "Größe"


def test_messages_in_a_message() -> None:
    inner = tnef(message(text(SUBJECT, "Log"), text(BODY, "Wet.")))
    value = (OBJECT, DATA, bytes(16) + inner)
    start = attribute(0x0006_9002, bytes(14))
    outer = tnef(
        message(text(BODY, "See below.")), start, attribute(0x0006_9005, properties(value))
    )
    assert [text for _, text in kinds(cw.read(outer, attachments=True))] == [
        "See below.",
        "Log",
        "Wet.",
    ]
    for _ in range(40):
        value = (OBJECT, DATA, bytes(16) + outer)
        outer = tnef(start, attribute(0x0006_9005, properties(value)))
    with pytest.raises(cw.ReadError, match="messages are 32 deep"):
        cw.read(outer, attachments=True)


def mail(body: str, packed: bytes, subtype: str = "ms-tnef") -> bytes:
    made = EmailMessage()
    made["Subject"] = "Rain"
    if body:
        made.set_content(body)
    made.add_attachment(packed, maintype="application", subtype=subtype, filename="winmail.dat")
    return made.as_bytes()


@pytest.mark.parametrize("subtype", ["ms-tnef", "vnd.ms-tnef", "octet-stream"])
def test_what_is_packed_in_a_mail_is_its_text_and_its_attachments(subtype: str) -> None:
    document = cw.read(mail("Log Größe", WHOLE, subtype), name="a.eml", attachments=True)
    assert kinds(document) == [
        ("heading", "Rain"),
        ("heading", "Log"),
        ("paragraph", "Größe"),
        ("heading", "rain.csv"),
        ("table", "| day | mm |\n| - | - |\n| Mon | 3 |"),
    ]
    only_files = tnef(attached("a.txt", b"wet"))
    document = cw.read(mail("It rained.", only_files, subtype), name="a.eml", attachments=True)
    assert [text for _, text in kinds(document)] == ["Rain", "It rained.", "a.txt", "wet"]


def test_what_is_no_message_in_tnef_stays_an_attachment() -> None:
    document = cw.read(mail("It rained.", b"\x78\x9f\x3e\x22"), name="a.eml", attachments=True)
    assert [text for _, text in kinds(document)] == ["Rain", "It rained.", "winmail.dat"]


def test_plain_text_that_is_wrapped_into_rtf() -> None:
    rich = rb"{\rtf1\ansi\ansicpg1252\fromtext \deff0{\fonttbl{\f0 Arial;}}Gr\'f6\'dfe\par b}"
    stored = struct.pack("<II4sI", len(rich) + 12, len(rich), b"MELA", 0) + rich
    assert cw.read(tnef(message((BINARY, 0x1009, stored)))).text == "Größe\nb"


def test_damaged_messages_are_read_as_far_as_they_are_whole_or_refused() -> None:
    chance = random.Random(1)
    for _ in range(300):
        data = bytearray(WHOLE)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(4, len(data))] = chance.randrange(256)
        for each in (bytes(data), bytes(data[: chance.randrange(4, len(data))])):
            said = ""
            try:
                cw.read(each, name="x.tnef", attachments=True)
            except cw.ReadError as error:
                said = str(error)
            assert said == "" or said.startswith("x.tnef: ")
    cut = WHOLE[:-60]
    assert cw.read(cut).text.endswith("Größe")
