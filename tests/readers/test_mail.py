"""Mail: bodies, heads, messages in messages, what is attached, and files that are damaged."""

import base64
import logging
import struct
import subprocess
import sys
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers.mail.flowed import unflowed
from chunkwright.readers.mail.outlook_rtf import html_in, unpacked
from tests.readers.word import kinds
from tests.support.compound_files import Tree, compound

HEAD = b"From: a@example.org\nSubject: Rain\nMIME-Version: 1.0\n"


def read(data: bytes, **options: Any) -> cw.Document:
    return cw.read(data, name="x.eml", **options)


def page(html: str) -> list[tuple[str, str]]:
    """Return what a mail with that page says behind its head."""
    data = HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()
    return kinds(read(data))[2:]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        (
            "<table><tr><td>day<td>mm<tr><td>Mon<td>3</table>",
            [("table", "| day | mm |\n| Mon | 3 |")],
        ),
        (
            "<head><style>p {color: red}</style></head><script>go()</script><p>Wet.</p>",
            [("paragraph", "Wet.")],
        ),
        (
            "<table><tr><td><h1>News</h1><p>One.</p><p>Two.</p><ul><li>a</ul><tr><td>b</table>",
            [
                ("heading", "News"),
                ("paragraph", "One."),
                ("paragraph", "Two."),
                ("list item", "a"),
                ("paragraph", "b"),
            ],
        ),
        ("<div style='display: none'>Preview</div><p>Wet.", [("paragraph", "Wet.")]),
        ("<span style='mso-hide:all'>Preview</span><p>Wet.", [("paragraph", "Wet.")]),
    ],
)
def test_pages_in_mail_are_read_as_pages(html: str, said: list[tuple[str, str]]) -> None:
    assert page(html) == said


def mail(text: str = "It rained.", **head: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in {"From": "Ada <a@example.org>", "Subject": "Rain", **head}.items():
        made[name] = value
    made.set_content(text)
    return made


def test_heads() -> None:
    made = mail(
        To="b@example.org", Cc="Jörg <c@example.org>", Date="Mon, 02 Mar 2026 10:00:00 +0000"
    )
    made.replace_header("Subject", "Grüße aus Köln und ein langer Betreff " * 3)
    document = read(made.as_bytes(policy=SMTP))
    head = "From: Ada <a@example.org>\nTo: b@example.org\nCC: Jörg <c@example.org>\n"
    assert kinds(document) == [
        ("heading", ("Grüße aus Köln und ein langer Betreff " * 3).strip()),
        ("paragraph", f"{head}Date: Mon, 02 Mar 2026 10:00:00 +0000"),
        ("paragraph", "It rained."),
    ]
    raw = "Subject: Größe\n =?utf-8?q?=C3=A9?= b\nFrom: =?none?q?a?=\n\nx".encode("latin-1")
    assert kinds(read(raw))[0] == ("heading", "Größe é b")


def test_the_form_that_keeps_most_is_read() -> None:
    both = mail("One.\n\n- two\n")
    both.add_alternative("<p>One.<ul><li>two</ul>", subtype="html")
    assert kinds(read(both.as_bytes()))[2:] == [("paragraph", "One."), ("list item", "two")]
    lacking = mail("It rained for days, and then the sun came out.")
    lacking.add_alternative("<p>See the text.", subtype="html")
    assert kinds(read(lacking.as_bytes()))[-1][1].startswith("It rained for days")


def test_encodings_are_those_of_the_bytes() -> None:
    for stated, encoding in [
        ("iso-8859-1", "cp1252"),
        ("us-ascii", "utf-8"),
        ("iso-8859-1", "utf-8"),
        ("none-such", "cp1252"),
        ("utf-8", "cp1252"),
    ]:
        text = "Größe über „alles“, schöne Grüße"
        head = f"Content-Type: text/plain; charset={stated}\nContent-Transfer-Encoding: 8bit\n\n"
        document = read(HEAD + head.encode() + text.encode(encoding))
        assert kinds(document)[-1] == ("paragraph", text), (stated, encoding)


def test_flowed_text() -> None:
    text = "It rained for \ndays.\n\n> Did \n> it?\n>> Yes. \n> So.\n-- \nAda\n \xa0"
    assert unflowed(text) == "It rained for days.\n\n> Did it?\n>> Yes. \n> So.\n-- \nAda\n\xa0"
    assert unflowed("漢 \n字\n", deletes_space=True) == "漢字"
    data = HEAD + b"Content-Type: text/plain; format=flowed\n\nIt rained \nfor days.\n\n> Yes.\n"
    assert kinds(read(data))[2:] == [("paragraph", "It rained for days."), ("quote", "> Yes.")]


def test_messages_that_are_passed_on_are_read() -> None:
    inner, outer = mail("It was wet.", Subject="Log"), mail("See below.")
    outer.add_attachment(inner, disposition="inline")
    assert [(e.kind, e.level, e.text) for e in read(outer.as_bytes()).elements] == [
        ("heading", 1, "Rain"),
        ("paragraph", None, "From: Ada <a@example.org>"),
        ("paragraph", None, "See below."),
        ("heading", 2, "Log"),
        ("paragraph", None, "From: Ada <a@example.org>"),
        ("paragraph", None, "It was wet."),
    ]


def test_attachments(caplog: pytest.LogCaptureFixture) -> None:
    made = mail()
    made.add_attachment(b"# Log\n\n1. wet\n", maintype="text", subtype="x", filename="é.md")
    made.add_attachment(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="map.png")
    made.add_attachment(mail("Wet.", Subject="Sun"), disposition="attachment")
    data = made.as_bytes()
    with caplog.at_level(logging.INFO, "chunkwright"):
        assert kinds(read(data))[2:] == [("paragraph", "It rained.")]
        assert "attachments=True reads what is attached: é.md, map.png, Sun" in caplog.text
        document = read(data, attachments=True)
    assert "skipped the attachment 'map.png'" in caplog.text
    assert [(e.level, e.text) for e in document.elements if e.kind == "heading"] == [
        (1, "Rain"),
        (2, "é.md"),
        (3, "# Log"),
        (2, "map.png"),
        (2, "Sun"),
    ]
    assert document.elements[-1].headings == ("Rain", "Sun")
    with pytest.raises(cw.ConfigError, match="attachments must be"):
        read(data, attachments="all")


def test_messages_that_were_encoded_are_read() -> None:
    coded = base64.encodebytes(mail("Wet.", Subject="Log").as_bytes())
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    assert [text for kind, text in kinds(read(HEAD + head + coded)) if kind == "heading"] == [
        "Rain",
        "Log",
    ]


def test_what_is_signed_is_read_as_mail() -> None:
    made = mail()
    inner = (
        mail("Signed.", Subject="Log").as_bytes().replace(b"From:", b"MIME-Version: 1.0\nFrom:", 1)
    )
    made.add_attachment(inner, maintype="application", subtype="x", filename="smime.bin")
    made.add_attachment(b"0\x82\x01\x02", maintype="application", subtype="x", filename="smime.p7m")
    document = read(made.as_bytes(), attachments=True)
    assert kinds(document)[3:] == [
        ("heading", "smime.bin"),
        ("heading", "Log"),
        ("paragraph", "From: Ada <a@example.org>"),
        ("paragraph", "Signed."),
        ("heading", "smime.p7m"),
    ]


def test_kinds() -> None:
    data = mail().as_bytes()
    assert cw.read(data, kind="office").text == cw.read(data, kind="mail").text
    with pytest.raises(cw.ReadError, match="not an office file, book or mail"):
        cw.read(b"It rained.", kind="mail")


def test_parts_are_counted() -> None:
    nested = "".join(
        f'Content-Type: multipart/mixed; boundary="b{i}"\n\n--b{i}\n' for i in range(900)
    )
    many = 'Content-Type: multipart/mixed; boundary="b"\n\n' + "--b\n\na\n" * 10_001
    for text in (nested, many):
        with pytest.raises(cw.ReadError, match=r"x\.eml: a mail \(EML\)"):
            read(b"MIME-Version: 1.0\n" + text.encode())


@given(st.data())
def test_damaged_mail_is_read_or_refused(data: st.DataObject) -> None:
    made = mail("Größe")
    made.add_alternative("<p>Größe", subtype="html")
    made.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="a.csv")
    whole = bytearray(made.as_bytes())
    for _ in range(data.draw(st.integers(0, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    said = ""
    try:
        read(bytes(whole), attachments=True)
    except cw.ReadError as error:
        said = str(error)
    assert said == "" or said.startswith("x.eml: ")


def test_no_part_is_lost() -> None:
    table = b"Content-Type: application/x\n\nday,mm\nMon,3\n"
    text = b"Content-Type: text/x-log\n\nIt rained.\n"
    named = "Content-Type: text/x; name=Größe.csv\n\nday\nMon\n".encode("latin-1")
    body = b"".join(b"--b\n" + part for part in (text, table, named)) + b"--b--\n"
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n"
    document = read(head + body, attachments=True)
    assert [text for _, text in kinds(document)][2:] == [
        "It rained.",
        "application/x",
        "day,mm\nMon,3",
        "Größe.csv",
        "| day |\n| - |\n| Mon |",
    ]
    forms = b"--b\nContent-Type: text/plain\n\nWet.\n--b\nContent-Type: text/x-amp-html\n\n<p>"
    data = HEAD + b"Content-Type: multipart/alternative; boundary=b\n\n" + forms + b"x" * 99
    assert kinds(read(data))[2:] == [("paragraph", "Wet.")]


def test_a_boundary_that_is_not_the_one_that_is_stated() -> None:
    body = (
        b"--c\nContent-Type: text/html\n\n<p>One.\n--c\nContent-Type: text/plain\n\nTwo.\n--c--\n"
    )
    data = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + body
    assert kinds(read(data))[2:] == [("paragraph", "One."), ("paragraph", "Two.")]


def test_a_link_over_several_elements_and_addresses_of_pictures() -> None:
    data = HEAD + b"Content-Type: text/html\n\n<a href='https://a.example'><p>One.<p>Two.</a>"
    document = read(data + b"<p><img src=x alt='cid:image001.jpg@01D2'>")
    links = [(e.text, [link.target for link in e.links]) for e in document.elements[2:]]
    assert links[:2] == [("One.", ["https://a.example"]), ("Two.", ["https://a.example"])]
    assert "cid:" not in document.text


# ---------------------------------------------------------------------- Outlook


def text_of(number: int, text: str) -> Tree:
    return {f"__substg1.0_{number:04X}001F": text.encode("utf-16-le")}


def numbers(head: int, **values: int) -> Tree:
    entries = [struct.pack("<HHIq", 3, int(k[1:], 16), 6, v) for k, v in values.items()]
    return {"__properties_version1.0": bytes(head) + b"".join(entries)}


def outlook(**more: Any) -> Tree:
    tree = numbers(32, p0039=133_894_080_000_000_000)
    tree |= text_of(0x0037, "Rain") | text_of(0x0042, "Ada") | text_of(0x5D02, "a@example.org")
    person = text_of(0x3001, "Bob") | text_of(0x39FE, "b@example.org") | numbers(8, p0C15=1)
    return {**tree, "__recip_version1.0_#00000000": person, **more}


def test_messages_of_outlook() -> None:
    html = {"__substg1.0_10130102": "<meta charset=utf-8><p>Größe<p>b".encode()}
    document = cw.read(compound(outlook(**html)), name="x.msg")
    head = (
        "From: Ada <a@example.org>\nTo: Bob <b@example.org>\nDate: Fri, 18 Apr 2025 00:00:00 +0000"
    )
    assert kinds(document) == [
        ("heading", "Rain"),
        ("paragraph", head),
        ("paragraph", "Größe"),
        ("paragraph", "b"),
    ]
    plain = cw.read(compound(outlook(**text_of(0x1000, "One.\r\n\r\nTwo."))))
    assert [text for _, text in kinds(plain)[2:]] == ["One.", "Two."]
    narrow = {"__substg1.0_1000001E": "Привет, мир".encode("cp1251")} | numbers(32, p3FFD=1251)
    assert kinds(cw.read(compound(outlook() | narrow)))[-1] == ("paragraph", "Привет, мир")


def test_the_code_page_of_a_message_is_that_of_its_page() -> None:
    html = {"__substg1.0_10130102": "<p>автоматически".encode("cp1251")}
    document = cw.read(compound(outlook() | html | numbers(32, p3FDE=1251)))
    assert kinds(document)[-1] == ("paragraph", "автоматически")
    # That of the page is UTF-8, the others are of Windows.
    narrow = {"__substg1.0_0037001E": "Größe".encode("cp1252")}
    tree = {name: of for name, of in outlook().items() if "0037" not in name}
    assert cw.read(compound(tree | narrow | numbers(32, p3FDE=65001))).text.startswith("Größe")


def test_what_is_attached_in_outlook() -> None:
    inner = numbers(24) | text_of(0x0037, "Log") | text_of(0x1000, "Wet.")
    tree = outlook(
        **text_of(0x1000, "It rained."),
        **{
            "__attach_version1.0_#00000000": text_of(0x3707, "a.csv")
            | {"__substg1.0_37010102": b"stone,kg\nslate,7\n"},
            "__attach_version1.0_#00000001": {"__substg1.0_3701000D": inner},
        },
    )
    assert [text for _, text in kinds(cw.read(compound(tree)))[2:]] == ["It rained."]
    document = cw.read(compound(tree), attachments=True)
    assert kinds(document)[3:] == [
        ("heading", "a.csv"),
        ("table", "| stone | kg |\n| - | - |\n| slate | 7 |"),
        ("heading", "Log"),
        ("paragraph", "Wet."),
    ]


def test_pages_that_are_wrapped_into_rtf() -> None:
    rich = (
        rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}"
        rb"\htmlrtf {\htmlrtf0 Gr\'f6\'dfe \u8364? \{a\}\htmlrtf }\htmlrtf0 {\*\htmltag <b>}\par b}"
    )
    assert html_in(rich) == "<p>Größe € {a}<b>\nb"
    assert html_in(rb"{\rtf1 a}") is None
    # Letters of two escapes, halves of one, and bytes of a picture.
    odd = rb"{\rtf1\fromhtml1 \u-10240?\u-8398? \u-10240? \u66354? {\pict\bin4 a}\'}b}"
    assert html_in(odd) == "\U00010332 \ufffd \U00010332 b"
    stored = struct.pack("<II4sI", len(rich) + 12, len(rich), b"MELA", 0) + rich
    assert unpacked(stored) == rich
    document = cw.read(compound(outlook(**{"__substg1.0_10090102": stored})))
    assert kinds(document)[-1] == ("paragraph", "Größe € {a} b")
    cut = {"__substg1.0_10090102": stored[:-20], **text_of(0x1000, "Plain.")}
    assert kinds(cw.read(compound(outlook(**cut))))[-1] == ("paragraph", "Plain.")


def test_packed_rtf() -> None:
    # Of the specification's own example: letters, and places of what was said before.
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af3206865"
        "6c090020627705b06c647d0a800fa0"
    )
    assert unpacked(packed) == rb"{\rtf1\ansi\ansicpg1252\pard hello world}" + b"\r\n"
    assert unpacked(packed[:9]) == unpacked(b"") == b""


def test_damaged_messages_of_outlook_leave_the_interpreter_alive() -> None:
    code = """
import random, sys
import chunkwright as cw
from tests.readers.test_mail import compound, outlook, text_of
whole, chance = compound(outlook(**text_of(0x1000, "It rained."))), random.Random(1)
for _ in range(60):
    data = bytearray(whole)
    for _ in range(chance.randrange(1, 30)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    for each in (bytes(data), bytes(data[: chance.randrange(len(data))])):
        try:
            cw.read(each, kind="mail", attachments=True)
        except cw.ReadError:
            pass
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr[-2000:]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
def test_a_mail_is_read_in_any_encoding_of_unicode(encoding: str) -> None:
    text = (
        "Subject: Rain\nFrom: Ann <a@x.org>\nContent-Type: text/plain; charset=utf-16\n\n"
        "It rained — for two days.\n"
    )
    plain, other = (cw.read(text.encode(of), name="a.eml") for of in ("utf-8", encoding))
    assert next(each.text for each in plain.elements or ()) == "Rain"
    assert other.text == plain.text
    assert other.text.endswith("It rained — for two days.")


def test_a_mail_that_is_damaged_in_its_encoding_is_named() -> None:
    with pytest.raises(cw.ReadError, match="not an office file, book or mail"):
        cw.read("Subject: Rain\n\nIt".encode("utf-16") + b"\x00", name="a.eml")
