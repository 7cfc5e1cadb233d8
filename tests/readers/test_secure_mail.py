"""Mail that is signed or encrypted, by S/MIME and by PGP, and files that are signed."""

import base64
import logging
import random
import zlib

import pytest

import chunkwright as cw
from chunkwright.readers.mail.cms import Sealed, content_of
from tests.readers.test_mail import outlook, text_of
from tests.readers.word import kinds
from tests.support.compound_files import compound

PKCS_7, PKCS_9 = "2a864886f70d0107", "2a864886f70d01091001"
HEAD = b"From: a@example.org\nSubject: Rain\nMIME-Version: 1.0\n"
INNER = b"Content-Type: text/plain; charset=utf-8\n\nIt rained.\n"


def value(tag: int, *parts: bytes) -> bytes:
    """Write a value of ASN.1 with its length."""
    data = b"".join(parts)
    if len(data) < 0x80:
        return bytes([tag, len(data)]) + data
    n = len(data).to_bytes(4)
    return bytes([tag, 0x84]) + n + data


def open_value(tag: int, *parts: bytes) -> bytes:
    """Write a value whose end is marked."""
    return bytes([tag, 0x80]) + b"".join(parts) + b"\0\0"


def number(of: str) -> bytes:
    return value(6, bytes.fromhex(of))


def cms(kind: str, content: bytes | None, algorithms: int = 0x31) -> bytes:
    """Write a file of S/MIME with that content."""
    octets = () if content is None else (value(0xA0, value(4, content)),)
    inside = value(0x30, number(PKCS_7 + "01"), *octets)
    of = value(0x30, value(2, b"\1"), value(algorithms), inside, value(0x31))
    return value(0x30, number(kind), value(0xA0, of))


SIGNED, ENCRYPTED = PKCS_7 + "02", PKCS_7 + "03"


def opaque(data: bytes, kind: str = "signed-data") -> bytes:
    head = f"Content-Type: application/pkcs7-mime; smime-type={kind}; name=smime.p7m\n"
    coding = "Content-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n"
    return HEAD + (head + coding).encode() + base64.encodebytes(data)


def test_what_is_signed_is_the_text_of_the_mail() -> None:
    document = cw.read(opaque(cms(SIGNED, INNER)), name="a.eml")
    assert kinds(document)[1:] == [
        ("paragraph", "From: a@example.org"),
        ("paragraph", "It rained."),
    ]
    nested = b"Content-Type: application/pkcs7-mime; name=smime.p7m\n"
    nested += b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(cms(SIGNED, INNER))
    assert cw.read(opaque(cms(SIGNED, nested)), name="a.eml").text.endswith("\n\nIt rained.")
    packed = cms(PKCS_9 + "09", zlib.compress(INNER), algorithms=0x30)
    assert cw.read(opaque(packed, "compressed-data"), name="a.eml").text.endswith("It rained.")


def test_values_without_a_length_and_octets_in_pieces() -> None:
    octets = open_value(0x24, value(4, INNER[:9]), open_value(0x24, value(4, INNER[9:])))
    inside = open_value(0x30, number(PKCS_7 + "01"), open_value(0xA0, octets))
    of = open_value(0x30, value(2, b"\1"), value(0x31), inside)
    assert content_of(open_value(0x30, number(SIGNED), open_value(0xA0, of))) == INNER


def test_the_signature_of_a_mail_is_no_attachment() -> None:
    signature = cms(SIGNED, None)
    assert content_of(signature) is Sealed.SIGNATURE
    for kind in ("application/pkcs7-signature", "application/octet-stream"):
        parts = [INNER, f"Content-Type: {kind}; name=smime.p7s\n".encode()]
        parts[1] += b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(signature)
        body = b"".join(b"--b\n" + part + b"\n" for part in parts) + b"--b--\n"
        data = HEAD + b'Content-Type: multipart/signed; boundary="b"\n\n' + body
        said = [text for _, text in kinds(cw.read(data, name="a.eml", attachments=True))]
        assert said == ["Rain", "From: a@example.org", "It rained."]


def test_what_is_encrypted_is_refused_and_said_where_it_is_a_part(
    caplog: pytest.LogCaptureFixture,
) -> None:
    secret = cms(ENCRYPTED, b"xyz")
    pgp = HEAD + b"Content-Type: multipart/encrypted; boundary=b; "
    pgp += b'protocol="application/pgp-encrypted"\n\n--b\nContent-Type: application/pgp-encrypted'
    pgp += b"\n\nVersion: 1\n--b\nContent-Type: application/octet-stream\n\nxyz\n--b--\n"
    for data, by in (
        (opaque(secret, "enveloped-data"), "S/MIME"),
        (secret, "S/MIME"),
        (pgp, "PGP"),
    ):
        for attachments in (False, True):
            with pytest.raises(cw.ReadError, match=rf"a\.eml: .* that is encrypted \({by}\)"):
                cw.read(data, name="a.eml", attachments=attachments)
    body = opaque(secret).removeprefix(HEAD)
    both = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nIt rained.\n--b\n" + body
    with caplog.at_level(logging.WARNING, "chunkwright"):
        assert cw.read(both, name="a.eml").text.endswith("It rained.")
    assert "skipped a part of a.eml: encrypted (S/MIME)" in caplog.text


def test_pgp_in_a_text(caplog: pytest.LogCaptureFixture) -> None:
    head = HEAD + b"Content-Type: text/plain\n\n"
    signed = (
        b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nIt rained.\n- -- \nAda\n"
        b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n=ab\n-----END PGP SIGNATURE-----\n"
    )
    assert kinds(cw.read(head + signed, name="a.eml"))[2:] == [
        ("paragraph", "It rained.\n-- \nAda")
    ]
    secret = b"-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nhQEM\n=ab\n-----END PGP MESSAGE-----\n"
    with pytest.raises(cw.ReadError, match=r"encrypted \(PGP\)"):
        cw.read(head + secret, name="a.eml")
    with caplog.at_level(logging.WARNING, "chunkwright"):
        document = cw.read(head + b"Hello.\n\n" + secret, name="a.eml")
    assert kinds(document)[2:] == [("paragraph", "Hello.")]
    assert "encrypted (PGP)" in caplog.text


def test_files_that_are_signed_are_read_as_what_they_are() -> None:
    csv = cms(SIGNED, b"day,mm\nMon,3\n")
    document = cw.read(csv, name="rain.csv.p7m")
    assert (document.name, kinds(document)[0][0]) == ("rain.csv.p7m", "table")
    made = HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n--b\n"
    made += b"Content-Type: application/pkcs7-mime; name=rain.csv.p7m\n"
    made += b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(csv)
    document = cw.read(made, name="a.eml", attachments=True)
    assert [text for _, text in kinds(document)][3:] == [
        "rain.csv",
        "| day | mm |\n| - | - |\n| Mon | 3 |",
    ]
    assert cw.read(cms(SIGNED, INNER), name="smime.p7m").text == "It rained."


def test_messages_of_outlook_that_are_signed() -> None:
    clear = b'Content-Type: multipart/signed; boundary="b"\n\n--b\n' + INNER + b"\n--b--\n"
    for data in (clear, cms(SIGNED, INNER)):
        tree = outlook(
            **text_of(0x001A, "IPM.Note.SMIME.MultipartSigned"),
            **{
                "__attach_version1.0_#00000000": text_of(0x3707, "smime.p7m")
                | {"__substg1.0_37010102": data}
            },
        )
        document = cw.read(compound(tree), name="a.msg", attachments=True)
        assert [kind for kind, _ in kinds(document)] == ["heading", "paragraph", "paragraph"]
        assert document.text.endswith("It rained.")


def test_damaged_files_are_read_or_refused() -> None:
    chance, whole = random.Random(2), cms(SIGNED, INNER)
    for _ in range(500):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        for each in (bytes(data), whole[: chance.randrange(len(whole))]):
            said = ""
            try:
                cw.read(opaque(each), name="x.eml", attachments=True)
                cw.read(each, name="x.p7m", kind="mail")
            except cw.ReadError as error:
                said = str(error)
            assert said == "" or said.startswith(("x.eml: ", "x.p7m: "))
    with pytest.raises(cw.ReadError, match="values 32 deep"):
        content_of(b"\x30\x80" * 100)
    with pytest.raises(cw.ReadError, match="damaged"):
        content_of(whole[:-1])
