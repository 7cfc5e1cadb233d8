"""Files as text."""

import re
from pathlib import Path

import pytest

from chunkwright.errors import ConfigError, ReadError
from chunkwright.readers.text import decode, read_text


def test_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n\x00")
    assert read_text(path) == "\ufeffa\r\nb\rc\n\x00"
    assert read_text(path, encoding="utf-8-sig") == "a\r\nb\rc\n\x00"


@pytest.mark.parametrize(
    ("data", "encoding", "offset", "byte"),
    [
        (b"\xff", "utf-8", 0, 0xFF),
        ("日本".encode() + b"\x80", "utf-8", 6, 0x80),
        (b"ab\xe6\x97", "utf-8", 2, 0xE6),
        (b"a\xed\xa0\x80", "utf-8", 1, 0xED),
        (b"\xef\xbb\xbfab\xff", "utf-8-sig", 5, 0xFF),
        (b"\xff\xfea\x00b", "utf-16", 4, 0x62),
        (b"a\x81", "cp1252", 1, 0x81),
        (b"abc\xe9", "ascii", 3, 0xE9),
    ],
)
def test_the_first_wrong_byte_is_named(
    tmp_path: Path, data: bytes, encoding: str, offset: int, byte: int
) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(data)
    with pytest.raises(ReadError) as caught:
        read_text(path, encoding=encoding)
    message = f"{path}: not valid {encoding} at byte {offset} (0x{byte:02x}: "
    assert str(caught.value).startswith(message)


def test_handlers(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"a\xffb")
    assert read_text(path, errors="replace") == "a\ufffdb"
    assert read_text(path, errors="ignore") == "ab"
    assert read_text(path, errors="backslashreplace") == r"a\xffb"
    assert read_text(path, errors="surrogateescape") == "a\udcffb"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.txt: No such file or directory"):
        read_text(tmp_path / "none.txt")
    with pytest.raises(ReadError, match="Is a directory"):
        read_text(tmp_path)


@pytest.mark.parametrize("encoding", ["utf9", "utf-9", "latin 12", "rot13", "hex", "", "a\0b"])
@pytest.mark.parametrize("data", [b"", b"text"])
def test_unknown_encodings(encoding: str, data: bytes) -> None:
    with pytest.raises(ConfigError, match="unknown encoding"):
        decode(data, encoding=encoding)


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("zip", "unknown encoding of text 'zip': such as utf-8, utf-16, latin-1, cp1252"),
        ("hex", "unknown encoding of text 'hex': such as utf-8, "),
        ("rot13", "unknown encoding of text 'rot13': such as utf-8, "),
        ("base64_codec", "unknown encoding of text 'base64_codec': such as utf-8, "),
        ("zp", "unknown encoding 'zp': such as utf-8, "),
        ("bz2_codek", "unknown encoding 'bz2_codek': such as utf-8, "),
        ("utf-9", "unknown encoding 'utf-9': did you mean 'utf-8'?"),
        ("latin_2", "unknown encoding 'latin_2': did you mean "),
    ],
)
def test_a_hint_is_an_encoding_of_text(encoding: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        decode(b"a", encoding=encoding, name="a.txt")
    if found := re.search("did you mean '(.*)'", str(error.value)):
        assert decode(b"a", encoding=found[1], name="a.txt") == "a"


@pytest.mark.parametrize("encoding", ["utf-16", "UTF8", "utf-32-le", "shift_jis", "utf-7"])
def test_known_encodings(encoding: str) -> None:
    assert decode("text".encode(encoding), encoding=encoding) == "text"


def test_unknown_handlers() -> None:
    with pytest.raises(ConfigError, match="unknown errors 'replac': did you mean 'replace'"):
        decode(b"", errors="replac")
