"""Mail: its texts, what their metadata say of its head, and what is attached."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest

from chunkwright.errors import ReadError
from tests.readers.test_mail import numbers, outlook, text_of
from tests.support.compound_files import compound

from .asking import asked, elements


def mail(**head: str) -> EmailMessage:
    """Return a mail with a text."""
    made = EmailMessage()
    fields = {"From": "Ann <ann@example.org>", "To": "bob@example.org", "Subject": "Rain", **head}
    for field, said in fields.items():
        made[field.replace("_", "-")] = said
    made.set_content("It rained.\n\nIt rained again.\n")
    return made


def texts(name: str, data: bytes, **fields: Any) -> list[str]:
    return [each["text"] for each in elements(name, data, **fields)]


def test_the_head_stands_in_metadata_alone() -> None:
    sent = mail(Cc='"Doe, Jim" <jim@example.org>, kim@example.org', Message_ID="<1@example.org>")
    first, second = elements("rain.eml", sent.as_bytes())
    assert (first["text"], second["text"]) == ("It rained.", "It rained again.")
    for each in (first, second):
        assert each["metadata"] == {
            "sent_from": ["Ann <ann@example.org>"],
            "sent_to": ["bob@example.org"],
            "cc_recipient": ['"Doe, Jim" <jim@example.org>', "kim@example.org"],
            "subject": "Rain",
            "email_message_id": "1@example.org",
            "filename": "rain.eml",
            "filetype": "message/rfc822",
        }


def test_the_form_that_keeps_most_is_read_once() -> None:
    sent = mail()
    sent.add_alternative("<h1>Rain</h1><ul><li>one</li></ul><p>It rained.</p>", subtype="html")
    found = elements("rain.eml", sent.as_bytes())
    assert [(each["type"], each["text"]) for each in found] == [
        ("Title", "Rain"),
        ("ListItem", "one"),
        ("NarrativeText", "It rained."),
    ]


def test_what_is_attached_says_so_and_has_its_own_type() -> None:
    sent = mail()
    sent.add_attachment(b"# Snow\n\nIt snowed.", "text", "markdown", filename="snow.md")
    sent.add_attachment(mail(Subject="Hail"))
    found = elements("rain.eml", sent.as_bytes(), unique_element_ids=False)
    _, _, title, snow, hail, _ = (each["metadata"] for each in found)
    assert [each["text"] for each in found[2:5]] == ["Snow", "It snowed.", "It rained."]
    assert title["attached_to_filename"] == snow["attached_to_filename"] == "rain.eml"
    assert (title["filetype"], title["filename"]) == ("text/markdown", "rain.eml")
    assert snow["parent_id"] == found[2]["element_id"]
    assert (hail["subject"], hail["filetype"]) == ("Hail", "message/rfc822")
    assert len({each["element_id"] for each in found}) == len(found)
    assert "subject" not in snow


def test_what_is_attached_and_cannot_be_read_is_named() -> None:
    sent = mail()
    sent.add_attachment(b"\x7fELF" + bytes(90), "application", "octet-stream", filename="run.exe")
    found = asked(("rain.eml", sent.as_bytes()))
    (warning,) = found.warnings
    assert warning.startswith("rain.eml: the attachment 'run.exe' is not read: ")
    assert texts("rain.eml", sent.as_bytes()) == ["It rained.", "It rained again."]


def test_a_mail_without_a_text_has_no_elements() -> None:
    sent = mail()
    sent.set_content("")
    assert elements("rain.eml", sent.as_bytes()) == []


def test_a_mail_of_which_all_is_encrypted_is_refused() -> None:
    data = (
        b'From: a@example.org\r\nContent-Type: multipart/encrypted; boundary=b; protocol="pgp"\r\n'
        b"\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--\r\n"
    )
    with pytest.raises(ReadError, match=r"^rain\.eml: .* encrypted"):
        elements("rain.eml", data)


def test_who_calls_a_mail_a_text_gets_all_of_its_lines() -> None:
    data = mail().as_bytes()
    for given in ({"kind": "text/plain"}, {"content_type": "text/plain"}):
        found = elements("rain.eml", data, **given)
        assert found[0]["metadata"]["filetype"] == "text/plain"
        assert "Subject: Rain" in " ".join(each["text"] for each in found)


def test_chunks_of_a_mail_say_who_sent_it() -> None:
    (chunk,) = elements("rain.eml", mail().as_bytes(), chunking_strategy="by_title")
    assert chunk["text"] == "It rained.\n\nIt rained again."
    assert chunk["metadata"]["sent_from"] == ["Ann <ann@example.org>"]


def test_a_name_that_is_not_ascii_is_readable() -> None:
    (first, _) = elements("rain.eml", mail(From="Zo\u00eb <z@example.org>").as_bytes())
    assert first["metadata"]["sent_from"] == ["Zo\u00eb <z@example.org>"]


def test_a_report_says_its_fields_and_words() -> None:
    data = (
        b"From: postmaster@example.org\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nNobody lives there.\r\n\r\n"
        b"Action: failed\r\n\r\n--b--\r\n"
    )
    assert texts("report.eml", data) == ["Nobody lives there.", "Action: failed"]


def test_all_recipients_of_a_message_of_outlook_are_addresses() -> None:
    pytest.importorskip("olefile", reason="it reads messages of Outlook")
    people = {
        f"__recip_version1.0_#0000000{i}": text_of(0x3001, name)
        | text_of(0x39FE, address)
        | numbers(8, p0C15=kind)
        for i, (name, address, kind) in enumerate(
            [("Doe, Bob", "b@example.org", 1), ("Kim", "k@example.org", 2), ("Nobody", "", 1)]
        )
    }
    tree = outlook(**text_of(0x1000, "It rained."), **people)
    (found,) = elements("rain.msg", compound(tree))
    assert found["metadata"]["sent_to"] == ["b@example.org", "k@example.org"]
    assert found["metadata"]["cc_recipient"] == ["Kim <k@example.org>"]
    alone = {name: of for name, of in tree.items() if "recip" not in name or name.endswith("2")}
    (found,) = elements("rain.msg", compound(alone))
    assert found["metadata"]["sent_to"] == ["Nobody"]


def test_all_senders_are_named() -> None:
    sent = mail(From="Ann <ann@example.org>, bob@example.org")
    for each in elements("rain.eml", sent.as_bytes()):
        assert each["metadata"]["sent_from"] == ["Ann <ann@example.org>", "bob@example.org"]


def test_a_group_of_nobody_is_no_recipient() -> None:
    sent = mail().as_bytes().replace(b"To: bob@example.org", b"To: undisclosed-recipients:;")
    assert "sent_to" not in elements("rain.eml", sent)[0]["metadata"]
