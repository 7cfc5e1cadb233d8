"""Kinds of mail: the words that are read of each, here and by Unstructured."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import NamedTuple

import pytest

from chunkwright.errors import ReadError

from .asking import elements

HEAD = "From: a@example.org\nSubject: Rain\nMIME-Version: 1.0\n"
UTF_16 = f"{HEAD}\nIt rained.".encode("utf-16")
LONG = "https://example.org/?" + "x" * 400


class Case(NamedTuple):
    """A mail, the texts of its elements, and what Unstructured reads of it."""

    data: bytes
    texts: list[str]
    theirs: str


def alternative(plain: str, html: str, before: str = "") -> bytes:
    """Return a mail in two forms."""
    return (
        f"{HEAD}Content-Type: multipart/alternative; boundary=b\n\n{before}"
        f"--b\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n"
        f"--b\nContent-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
    ).encode()


def mixed(*parts: str, end: str = "--") -> bytes:
    """Return a mail of several parts."""
    body = "".join(f"--b\n{part}\n" for part in parts)
    return f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{body}--b{end}\n".encode()


def one_part(data: bytes, kind: str, coding: str = "8bit") -> bytes:
    """Return a mail of one part."""
    head = f"{HEAD}Content-Type: {kind}\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode() + data


KINDS = {
    # Forms of one text.
    "addresses of links are no words of the plain form": Case(
        alternative(
            f"Read it <{LONG}> today <{LONG}>.", f"<p>Read <a href='{LONG}'>it</a> today.</p>"
        ),
        ["Read it today."],
        "Read it today.",
    ),
    "a page that lacks the text": Case(
        alternative("It rained all day, and the trains were late.", "<p>See the text.</p>"),
        ["It rained all day, and the trains were late."],
        "See the text.",
    ),
    "a preview that the page hides": Case(
        alternative(
            "Wet days\n\nIt rained.", "<p style='display:none'>Wet days</p><p>It rained.</p>"
        ),
        ["It rained."],
        "Wet days\nIt rained.",
    ),
    # Encodings.
    "bytes that are not in the stated encoding": Case(
        one_part("Größe “9”".encode("cp1252"), "text/plain; charset=us-ascii"),
        ["Größe “9”"],
        "Gr\ufffd\ufffde \ufffd9\ufffd",
    ),
    "UTF-8 that is stated to be another encoding": Case(
        one_part("Größe".encode(), "text/plain; charset=iso-8859-1"), ["Größe"], "GrÃ¶Ã\x9fe"
    ),
    "an encoding that nobody knows": Case(
        one_part("Größe".encode(), "text/plain; charset=x-unknown"), ["Größe"], "LookupError"
    ),
    "a mail in UTF-16": Case(UTF_16, ["It rained."], UTF_16.decode("utf-8", "replace")),
    # Messages in messages.
    "a message that is passed on": Case(
        mixed("\nSee below.", "Content-Type: message/rfc822\n\nSubject: Snow\n\nIt snowed."),
        ["See below.", "It snowed."],
        "See below.\nIt snowed.",
    ),
    "a message that is passed on in base64": Case(
        mixed(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
            + base64.b64encode(b"Subject: Snow\n\nIt snowed.").decode()
        ),
        ["It snowed."],
        "U3ViamVjdDogU25vdwoKSXQgc25vd2VkLg==",
    ),
    # Heads.
    "no head behind the line of a mailbox": Case(
        b"From a@example.org Mon Jun 01 10:00:00 2026\n\nIt rained.\n", ["It rained."], "It rained."
    ),
    "no head but a blank line": Case(b"\nIt rained.\n", ["It rained."], "It rained."),
    "a head that ends in a line that is no field": Case(
        b"Subject: Rain\nIt rained.\n", ["It rained."], "It rained."
    ),
    "no content": Case(b" \r\n\t\r\n", [], ""),
    # Boundaries.
    "a boundary that is not the stated one": Case(
        (
            f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n"
            "--c\nContent-Type: text/plain\n\nIt rained.\n--c\n"
            "Content-Type: text/plain\n\nIt snowed.\n--c--\n"
        ).encode(),
        ["It rained.", "It snowed."],
        "",
    ),
    "a last boundary that is missing": Case(
        mixed("\nIt rained.", end="\n\nWet."), ["It rained.", "Wet."], "It rained.\nWet."
    ),
    "parts of which there are none": Case(
        f"{HEAD}Content-Type: multipart/mixed\n\nIt rained.".encode(), ["It rained."], ""
    ),
    # Texts of several parts.
    "several parts of text": Case(mixed("\nOne.", "\nTwo."), ["One.", "Two."], "One.\nTwo."),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_words_of_each_kind_of_mail_are_read(kind: str) -> None:
    case = KINDS[kind]
    assert [each["text"] for each in elements("a.eml", case.data)] == case.texts


@pytest.mark.differential
@pytest.mark.parametrize("kind", KINDS)
def test_what_unstructured_reads_of_each_kind(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = pytest.importorskip("unstructured.partition.email", reason="it reads mails")
    kinds = pytest.importorskip("unstructured.partition.text_type", reason="it tells sentences")
    # It asks a language model, to be fetched, whether a text has a verb: here each has one.
    monkeypatch.setattr(kinds, "pos_tag", lambda text: [(word, "VB") for word in text.split()])
    monkeypatch.setattr(kinds, "word_tokenize", str.split)
    monkeypatch.setattr(kinds, "sent_tokenize", lambda text: [text])
    case = KINDS[kind]
    try:
        found = peer.partition_email(file=BytesIO(case.data), languages=["eng"])
        said = "\n".join(each.text for each in found)
    except LookupError as error:
        said = type(error).__name__
    assert said == case.theirs


def test_links_of_a_page_stand_in_metadata() -> None:
    (found,) = elements("a.eml", KINDS["addresses of links are no words of the plain form"].data)
    assert found["metadata"]["link_urls"] == [LONG]


def test_a_text_that_is_called_a_mail_is_refused() -> None:
    with pytest.raises(ReadError, match=r"^a\.eml: .* does not begin with the headers of a mail"):
        elements("a.eml", b"It rained.")
