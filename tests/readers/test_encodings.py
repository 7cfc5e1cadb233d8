"""Encodings of pages: found in the same way in files and bytes, by `read` and by `read_html`."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.readers import ebcdic
from chunkwright.readers.encodings import encoding_of_html

BODY = "<html><p>é漢</p></html>"
LATIN = "<html><p>Größe €</p></html>"
XML = '<?xml version="1.0" encoding="iso-8859-1"?>\n'
PAGES = {
    "utf-8": (BODY.encode(), "é漢"),
    "byte order mark": (BODY.encode("utf-8-sig"), "é漢"),
    "utf-16": (BODY.encode("utf-16"), "é漢"),
    "utf-16 big end first": (b"\xfe\xff" + BODY.encode("utf-16-be"), "é漢"),
    "charset": (f"<html><meta charset=windows-1252>{LATIN}".encode("cp1252"), "Größe €"),
    "latin-1": (f"<html><meta charset=ISO-8859-1>{LATIN}".encode("cp1252"), "Größe €"),
    "content": (
        f"<html><meta content='text/html; charset=shift_jis'>{BODY[6:]}".encode("cp932", "ignore"),
        "漢",
    ),
    "xml": (f"{XML}{LATIN}".encode("cp1252"), "Größe €"),
    "meta before xml": (f"{XML}<html><meta charset=utf-8>{BODY}".encode(), "é漢"),
    "mark before meta": (f"<html><meta charset=koi8-r>{BODY}".encode("utf-8-sig"), "é漢"),
    "comment": (f"<!-- <meta charset=koi8-r> -->{BODY}".encode(), "é漢"),
    "unknown": (f"<html><meta charset=none-such>{BODY}".encode(), "é漢"),
    "no text": (f"<html><meta charset=rot13>{BODY}".encode(), "é漢"),
    "late": (f"<html>{' ' * 1024}<meta charset=koi8-r>{BODY}".encode(), "é漢"),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_read_alike(tmp_path: Path, name: str) -> None:
    data, text = PAGES[name]
    path = tmp_path / "page.html"
    path.write_bytes(data)
    documents = [
        cw.read(path),
        cw.read(str(path)),
        cw.read(data),
        cw.read(data, name="page.txt"),
        cw.read(data, kind="html"),
        cw.read_html(data),
        cw.read_html(path),
    ]
    assert [document.text for document in documents] == [text] * len(documents)


def test_a_suffix_tells_a_page_too() -> None:
    data = "<meta charset=cp1252><p>Größe".encode("cp1252")
    assert cw.read(data, name="page.htm").text == "Größe"
    assert cw.read(data, name="page.txt").text == data.decode("cp1252")


def test_an_encoding_that_is_given_counts() -> None:
    data = "<html><meta charset=koi8-r><p>Größe".encode("cp1252")
    assert cw.read(data, encoding="cp1252").text == "Größe"
    assert cw.read_html(data, encoding="cp1252").text == "Größe"
    with pytest.raises(cw.ReadError, match="not valid utf-8"):
        cw.read(data, encoding="utf-8", errors="strict")
    with pytest.raises(cw.ConfigError, match="unknown encoding ''"):
        cw.read(data, encoding="")


def test_what_a_page_states_is_in_the_error() -> None:
    data = b"<html><meta charset=shift_jis><p>\x81\xff"
    for read in (cw.read, cw.read_html):
        with pytest.raises(cw.ReadError, match=r"x\.html: not valid cp932 at byte 33 .* set enc"):
            read(data, name="x.html", errors="strict")
        assert read(data, name="x.html").text[0] == "\ufffd"


def test_other_files_state_nothing() -> None:
    data = b"# <meta charset=koi8-r>\n\n\xc3\xa9"
    for kind in ("text", "markdown", "csv"):
        assert "é" in cw.read(data, kind=kind).text
    assert "é" in cw.read(data, name="x.md").text
    assert cw.read("<p>One.".encode("utf-16"), name="x.html").text == "One."


@given(st.binary(max_size=300) | st.text("<!->meta charset='x\"?=é", max_size=300).map(str.encode))
def test_any_bytes_have_an_encoding(data: bytes) -> None:
    assert data.decode(encoding_of_html(data), "replace") is not None


RAIN = {
    "de": ("Es hat tagelang geregnet, und über Köln ging die größte Flut hinweg. ", ["cp1252"]),
    "fr": ("Après l’été, la forêt était déjà très humide, et ça gênait. ", ["cp1252"]),
    "pl": ("Wczoraj padał deszcz, więc żaden z pociągów nie przyjechał. ", ["cp1250", "iso8859-2"]),
    "ru": (
        "Вчера шёл дождь, и поезда опаздывали на несколько часов. ",
        ["cp1251", "koi8-r", "cp866"],
    ),
    "el": ("Χθες έβρεχε όλη την ημέρα και τα τρένα καθυστέρησαν. ", ["cp1253", "iso8859-7"]),
    "tr": ("Dün bütün gün yağmur yağdı ve trenler saatlerce gecikti. ", ["cp1254"]),
    "he": ("אתמול ירד גשם כל היום והרכבות איחרו בכמה שעות. ", ["cp1255"]),
    "ar": ("هطل المطر أمس طوال اليوم وتأخرت القطارات عدة ساعات. ", ["cp1256"]),
    "th": ("เมื่อวานฝนตกทั้งวันและรถไฟล่าช้าหลายชั่วโมง ", ["cp874"]),
    "ja": ("昨日は一日中雨が降り、電車が何時間も遅れました。", ["cp932", "euc_jp", "iso2022_jp"]),
    "zh": ("昨天下了一整天的雨，火车晚点了好几个小时。", ["gb18030"]),
    "zh-TW": ("昨天下了一整天的雨，火車誤點了好幾個小時。", ["big5"]),
    "ko": ("어제 하루 종일 비가 와서 기차가 몇 시간 늦었습니다. ", ["euc_kr"]),
}
CASES = [
    (language, encoding)
    for language, (_, encodings) in RAIN.items()
    for encoding in [*encodings, "utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"]
    # Without blanks, and so without a zero, nothing tells it.
    if not (encoding.startswith("utf-16-") and language in {"ja", "zh", "zh-TW"})
]


@pytest.mark.parametrize(("language", "encoding"), CASES)
@pytest.mark.parametrize("times", [1, 40])
def test_encodings_are_told(language: str, encoding: str, times: int) -> None:
    text = f"# {RAIN[language][0] * times}\n\n".replace(". \n", ".\n")
    data = text.encode(encoding)
    for name in ("a.txt", "a.md", "a.csv"):
        assert text.split()[1] in cw.read(data, name=name).text, name
    page = f"<html><p>{text}".encode(encoding)
    assert cw.read(page, name="a.html").text.startswith(f"# {text.split()[1]}")


def test_what_was_told_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "chunkwright"):
        cw.read("Größe über alles, schöne Grüße".encode("cp1252"), name="a.txt")
        assert caplog.messages == ["a.txt: read as cp1252"]
        caplog.clear()
        cw.read("Größe".encode(), name="a.txt")
        assert caplog.messages == []
        page = "<html><meta charset=utf-8><p>Größe über alles, schöne Grüße".encode()
        document = cw.read(page + b"\xff <p>\xff b", name="a.html")
    assert document.text == "Größe über alles, schöne Grüße\ufffd\n\n\ufffd b"
    at = len(page)
    expected = f"a.html: 2 places of it is not valid utf-8, the first at byte {at}: read as U+FFFD"
    assert caplog.messages == [expected.replace(" is ", " are ")]


def test_texts_that_are_broken_are_no_other_texts() -> None:
    broken = "Größe über alles, schöne Grüße".encode() + b"\xff"
    with pytest.raises(cw.ReadError, match=r"a\.txt: not valid utf-8 at byte 36"):
        cw.read(broken, name="a.txt")
    for data in (bytes(range(128, 256)) + bytes(range(1, 32)), b"\x90\x81\x8d\x01\x02\xff"):
        with pytest.raises(cw.ReadError, match="not valid utf-8 at byte 0"):
            cw.read(data, name="a.txt")


@pytest.mark.parametrize("stated", ["utf-8", "none-such", ""])
def test_pages_that_state_a_wrong_encoding_are_read_by_their_bytes(stated: str) -> None:
    data = f"<html><meta charset='{stated}'><p>Größe über alles, schöne Grüße".encode("cp1252")
    assert cw.read(data, name="a.html").text == "Größe über alles, schöne Grüße"


def test_a_charset_far_behind_the_front_is_found() -> None:
    front = f"<html><!-- {' archive ' * 200} --><script>x = '<meta charset=koi8-r>'</script>"
    text = "Größe"
    data = f"{front}<meta charset=windows-1250><p>{text} ő".encode("cp1250")
    assert cw.read(data, name="a.html").text == "Größe ő"


def test_a_document_knows_its_encoding() -> None:
    for text, encoding, name in [
        ("Größe über alles", "cp1252", "a.txt"),
        ("# Größe\n\nLänge", "utf-8", "a.md"),
        ("Größe;b\n1;2", "utf-16", "a.csv"),
        ("<meta charset=koi8-r><p>Было мокро.", "koi8-r", "a.html"),
    ]:
        document = cw.read(text.encode(encoding), name=name)
        told = "utf-16-le" if encoding == "utf-16" else encoding
        assert document.encoding == told
        changed = document.named("b").with_id("d").with_metadata({"year": 1921})
        assert (changed.encoding, changed.with_encoding(None).encoding) == (told, None)
        assert pickle.loads(pickle.dumps(changed)).encoding == told
        chunks = cw.chunk(document, "recursive", max_chars=40)
        assert [each.encoding for each in chunks.documents] == [told]
        assert [each.encoding for each in pickle.loads(pickle.dumps(chunks)).documents] == [told]
    assert cw.read(b"a", encoding="latin-1").encoding == "iso8859-1"
    assert cw.read_html("<p>a").encoding is None
    assert cw.read_html("<p>ö".encode()).encoding == "utf-8"
    assert cw.Document(text="a").encoding is None
    assert cw.read(b"a") == cw.Document(text="a")
    assert repr(cw.read(b"a")) == "Document(text='a', name=None, encoding='utf-8')"
    with pytest.raises(cw.ConfigError, match="encoding must be a str or None"):
        cw.read(b"a").with_encoding(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("page", ebcdic.PAGES)
def test_ebcdic_is_read_where_its_code_pages_agree(page: str) -> None:
    text = "It rained all day, and trains were hours late.\nMust we wait (7 hours)? Yes.\n"
    document = cw.read(text.encode(page), name="a.txt")
    assert (document.text, document.encoding) == (text, "cp037")
    # Lines of mainframes end with a sign of their own.
    data = text.replace("\n", "\x85").encode(page)
    assert cw.read(data, name="a.txt").text == text
    assert cw.read(data, name="a.txt", encoding=page).text == text


@pytest.mark.parametrize("page", ["cp037", "cp273", "cp500", "cp1140"])
@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.csv"])
def test_ebcdic_of_an_unknown_code_page_is_refused(page: str, name: str) -> None:
    text = "Gestern regnete es den ganzen Tag über Köln. Wie schön!"
    with pytest.raises(cw.ReadError, match=r"EBCDIC.*encoding='cp037'.*cp273, .*cp1140"):
        cw.read(text.encode(page), name=name)
    assert cw.read(text.encode(page), name="a.txt", encoding=page).text == text


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_other_texts_are_no_ebcdic(language: str, encoding: str) -> None:
    text = RAIN[language][0]
    for part in (text, text.replace(" ", ""), text.split()[0][:4], f"{text}@@ @"):
        assert not ebcdic.is_ebcdic(part.encode(encoding))


@pytest.mark.parametrize("encoding", ["big5", "gb18030", "cp949", "cp932"])
def test_texts_without_blanks_are_no_ebcdic(encoding: str) -> None:
    # The second byte of a letter may be a blank of EBCDIC: in Big5, that of the first one is.
    text = "一天下午一個人在山上等火車,可是火車一直沒有來。他一個人走了一百里路。" * 2
    data = [each.encode(encoding, "ignore") for each in text]
    for first in range(len(data) // 2):
        for length in range(3, len(data) // 2):
            assert not ebcdic.is_ebcdic(b"".join(data[first : first + length]))
