"""The front door: what is read as what, by content and by name."""

import json
import pickle
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.languages import NAMES
from chunkwright.errors import ReadError
from chunkwright.readers.encodings import encoding_of_text
from chunkwright.readers.kinds import (
    _NEVER_EMPTY,
    FILES,
    KINDS,
    LANGUAGES,
    Kind,
    kind_of,
    language_of,
)
from tests.readers.formats import BINARY
from tests.support.mostly_slow import mostly_slow

ITEMS: list[dict[str, Any]] = [
    {"type": "Title", "text": "Rain", "metadata": {"filename": "rain.pdf"}},
    {"type": "NarrativeText", "text": "It rained."},
]
ELEMENTS = json.dumps(ITEMS)
DOCLING = {
    "schema_name": "DoclingDocument",
    "version": "1.10.0",
    "name": "rain",
    "body": {
        "self_ref": "#/body",
        "children": [{"$ref": "#/texts/0"}],
        "content_layer": "body",
        "name": "_root_",
        "label": "unspecified",
    },
    "texts": [
        {
            "self_ref": "#/texts/0",
            "parent": {"$ref": "#/body"},
            "children": [],
            "content_layer": "body",
            "label": "text",
            "prov": [],
            "orig": "It rained.",
            "text": "It rained.",
        }
    ],
}
TALK = "Ada: Did it rain?\n\nBo: All day.\n\nAda: And the mill?\n\nBo: It stood still.\n"
# Texts that say by themselves what they are, and that of their documents.
BY_CONTENT = {
    "docling": (json.dumps(DOCLING), "It rained."),
    "html": ("<!DOCTYPE html>\n<html><h1>Rain</h1><p>It rained.</html>", "Rain\n\nIt rained."),
    "elements": (ELEMENTS, "Rain\n\nIt rained."),
    "messages": (
        json.dumps([{"role": "user", "content": "Rain?"}, {"role": "assistant", "content": "No."}]),
        "user: Rain?\n\nassistant: No.",
    ),
    "vtt": ("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>It rained.</v>\n", "Ada: It rained."),
    "srt": ("1\n00:00:01,000 --> 00:00:02,000\nADA: It rained.\n", "ADA: It rained."),
}
# Texts that only their names say something about, how these end, and the texts of the documents,
# None if they are the same.
BY_NAME = {
    "markdown": ("Rain\n====\n\nIt rained.\n", ["md", "markdown", "MD", "mdx"], None),
    "rst": ("Rain\n====\n\nIt rained.\n", ["rst", "rest", "RST"], None),
    "transcript": (TALK, ["txt", "log"], None),
    "csv": ("stone,kg\nslate,7\n", ["csv", "CSV"], "stone\tkg\nslate\t7"),
    "tsv": ("stone\tkg\nslate\t7\n", ["tsv", "tab"], "stone\tkg\nslate\t7"),
    "text": ("One.\r\n\r\nTwo.\n", ["txt", "log", "sql", "c3po", "~", ""], None),
}


@pytest.mark.parametrize("suffix", [".json", ".txt", ".csv", ".log", ".dat", ""])
@pytest.mark.parametrize("kind", BY_CONTENT)
def test_content_goes_before_the_name(tmp_path: Path, kind: str, suffix: str) -> None:
    given, text = BY_CONTENT[kind]
    path = tmp_path / f"file{suffix}"
    path.write_text(given, "utf-8")
    for document in (cw.read(path), cw.read(str(path)), cw.read(path.read_bytes(), name=str(path))):
        assert (document.text, document.name) == (text, str(path))
        assert document.elements is not None
        assert pickle.loads(pickle.dumps(document)) == document
    for begin in ("\ufeff", "\n \t"):
        assert cw.read((begin + given).encode()).text == text
    assert cw.read(given.encode(), kind=kind).text == text
    assert cw.read(given.encode(), kind="text").text == given


@pytest.mark.parametrize("kind", BY_NAME)
def test_else_the_name_says(tmp_path: Path, kind: str) -> None:
    given, suffixes, text = BY_NAME[kind]
    for suffix in suffixes:
        path = tmp_path / f"file.{suffix}".removesuffix(".")
        path.write_bytes(given.encode())
        for document in (cw.read(path), cw.read(given.encode(), name=path.name)):
            assert document.text == (text or given)
            assert (document.elements is None) == (kind == "text")
            assert pickle.loads(pickle.dumps(document)) == document
        assert cw.read(path, name="other").name == "other"
    read = cw.read(given.encode(), kind=kind)
    assert (read.text, read.elements is None) == (text or given, kind == "text")


@pytest.mark.parametrize(
    ("text", "is_markdown"),
    [
        ("# Rain\n\nIt rained.", True),
        ("\n\n## Rain\r\n\r\nIt rained.", True),
        ("---\ntitle: Rain\n---\nIt rained.", True),
        ("\ufeff# Rain\n\n", True),
        ("#!/bin/sh\n\ntrue\n", False),
        ("# a comment\nx = 1\n", False),
        ("#include <stdio.h>\n\n", False),
        ("---\nIt rained.\n", False),
        ("It rained.\n\n# Rain\n\n", False),
    ],
)
def test_a_text_without_a_name_may_begin_as_markdown_does(text: str, is_markdown: bool) -> None:
    document = cw.read(text.encode())
    assert (document.text, document.elements is not None) == (text, is_markdown)
    assert cw.read(text.encode(), name="Makefile").elements is None


@pytest.mark.parametrize("kind", [*BY_CONTENT, *BY_NAME])
def test_all_kinds_are_tried(kind: str) -> None:
    assert {*BY_CONTENT, *BY_NAME} == {*KINDS}
    given = (BY_CONTENT | BY_NAME)[kind][0]
    # In a source file another language may stand.
    assert cw.read(given.encode(), name="x.py") == cw.Document(text=given, name="x.py")


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"schema": "DoclingDocument"}',
        '{"text": "\\"schema_name\\": \\"DoclingDocument\\""}',
        '{"page": {"schema_name": "DoclingDocument"}}',
        '{"schema_name": "DoclingDocument"'[:-3],
        "[1, 2]",
        "[[]]",
        "[] and more",
        '[{"type": "Title"}]',
        '[{"text": "Rain"}]',
        '[{"type": "Ti',
        "[" * 100_000,
        '[{"a":' * 100_000,
        '{"a":' * 100_000 + '"schema_name":"DoclingDocument"',
        "null",
        '"text"',
    ],
)
def test_other_json_is_text(text: str) -> None:
    for name in (None, "x.json", "x.txt"):
        assert cw.read(text.encode(), name=name) == cw.Document(text=text, name=name)


def test_broken_elements_are_named() -> None:
    with pytest.raises(cw.ReadError, match=r"^x\.json: the JSON: not JSON at line 1"):
        cw.read(ELEMENTS[:-9].encode(), name="x.json")
    with pytest.raises(cw.ReadError, match=r"^input: elements\[1\]: text"):
        cw.read(b'[{"type": "Text", "text": "x"}, {"type": "Text", "text": 1}]')


def test_objects() -> None:
    document = cw.read(ITEMS)
    assert (document.text, document.name) == ("Rain\n\nIt rained.", "rain.pdf")
    assert cw.read(iter(ITEMS), name="x", kind="elements").name == "x"
    assert cw.read(document) is document
    assert cw.read(document, name="y") == document.named("y")
    plain = cw.Document(text="One.", name="one")
    assert cw.read(plain) is plain
    assert cw.read(bytearray(b"One.")) == cw.read(memoryview(b"One.")) == cw.Document(text="One.")


def test_docling_documents() -> None:
    assert cw.read(DOCLING, name="x").text == cw.read(json.dumps(DOCLING).encode()).text
    last = dict(reversed(DOCLING.items()))
    assert cw.read(json.dumps(last).encode(), name="x") == cw.read(DOCLING, name="x")
    docling = pytest.importorskip("docling_core.types.doc.document")
    document = docling.DoclingDocument.model_validate(DOCLING)
    assert cw.read(document, kind="docling").text == "It rained."


@pytest.mark.parametrize("source", [None, 1, {"type": "Title"}, {1, 2}, object()])
def test_other_objects_are_refused(source: Any) -> None:
    with pytest.raises(cw.ConfigError, match="source must be a path, bytes, a list of elements"):
        cw.read(source)


def test_an_open_file_is_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"# Rain")
    with path.open("rb") as file, pytest.raises(cw.ConfigError, match=r"give what its read\(\)"):
        cw.read(file)


def test_lists_of_other_things_are_refused() -> None:
    with pytest.raises(cw.ReadError, match=r"elements\[0\]"):
        cw.read(["text"])


@pytest.mark.parametrize(
    "source", ["# Rain\n\nIt rained.", "no such file.md", "", "x" * 9000, "\0"]
)
def test_a_text_is_no_path(source: str) -> None:
    with pytest.raises(cw.ReadError, match=r"no such file: .* give a text as text\.encode\(\)"):
        cw.read(source)


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(cw.ReadError, match=r"none\.md: No such file"):
        cw.read(tmp_path / "none.md")
    with pytest.raises(cw.ReadError, match=r"'a\\x00b': no such file"):
        cw.read(Path("a\0b"))
    for folder in (tmp_path, str(tmp_path)):
        with pytest.raises(cw.ReadError, match="Is a directory"):
            cw.read(folder)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "cvs"}, "unknown kind 'cvs': did you mean 'csv'"),
        ({"kind": 1}, "unknown kind 1"),
        ({"name": 1}, "name must be a str or None"),
        ({"encoding": "utf-9"}, "unknown encoding 'utf-9'"),
        ({"encoding": 8}, "encoding must be a str, got 8"),
        ({"errors": "replac"}, "unknown errors 'replac'"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    for source in (b"x", ITEMS):
        with pytest.raises(cw.ConfigError, match=message):
            cw.read(source, **options)


def test_a_kind_is_for_bytes() -> None:
    with pytest.raises(cw.ConfigError, match="kind 'csv' is for bytes and files, got list"):
        cw.read(ITEMS, kind="csv")


def test_encodings() -> None:
    assert cw.read("Größe".encode("cp1252"), encoding="cp1252").text == "Größe"
    with pytest.raises(cw.ReadError, match=r"^x: not valid utf-8 at byte 2 "):
        cw.read("Größe".encode("cp1252"), name="x", encoding="utf-8")
    escaped = cw.read(b"Gr\xf6", encoding="utf-8", errors="surrogateescape")
    assert escaped.text == "Gr\udcf6"
    assert cw.read("a,b\nGrö,1".encode("cp1252"), name="x.csv", errors="replace").elements


ANY_BYTES = st.binary(max_size=200) | st.text(max_size=200).map(str.encode)
HEADS = st.sampled_from(sorted({data[:24] for data in [*BINARY.values(), b"\x89PNG\r\n\x1a\n"]}))


@given(ANY_BYTES | st.builds(bytes.__add__, HEADS, st.binary(max_size=99)))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for name in (None, "x.csv", "x.txt"):
        refused = ""
        try:
            document = cw.read(data, name=name)
        except (cw.ReadError, cw.MissingExtraError) as error:
            refused = str(error)
            said_first = "" if isinstance(error, cw.MissingExtraError) else name or "input"
        if refused:
            assert refused.startswith(said_first)
        else:
            assert document.elements is not None or document.text == data.decode(
                encoding_of_text(data)
            )


@given(st.text('[]{}"typexschema_name :,<!-->html#\n ', max_size=300))
def test_any_text_has_a_kind(text: str) -> None:
    assert kind_of(text, None) in KINDS


@pytest.mark.parametrize(
    "text", ["<!-- -->" * 5000, "<!--" * 9000, " " * 99999 + "<", "---\n" * 9999, "# a\n" * 9999]
)
def test_the_kind_is_told_in_bounded_time(text: str) -> None:
    assert kind_of(text, None) in KINDS


def test_languages_of_source_files_have_separators() -> None:
    assert {*LANGUAGES.values()} <= {*NAMES}
    assert [language_of(name) for name in ("a.py", "B.RS", ".py", "py", None)] == [
        "python",
        "rust",
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("Dockerfile.dev", "", "dockerfile"),
        ("src/Makefile", "", "make"),
        ("deploy", "#!/usr/bin/env -S python3 -u\n# Deploys.\n", "python"),
        (None, "#!/bin/sh\n# One\n# Two\n", "bash"),
        (None, "#!/bin/sh", "bash"),
        ("notes.txt", "# One\n", None),
        ("a.html", "#!/bin/sh\n", None),
        ("a.md", "#!/bin/sh\n", None),
        ("a.yaml", "", None),
        ("\ud800", "\udfff", None),
    ],
)
def test_source_files_are_told_by_name_or_first_line(
    name: str | None, text: str, language: str | None
) -> None:
    assert language_of(name, text) == language
    if language is not None:
        assert kind_of(text, name) == "text"


def test_importing_stays_light() -> None:
    """Neither the package, nor a path, loads readers that are not asked for."""
    script = (
        "import sys; import chunkwright; before = set(sys.modules);"
        "assert not [m for m in before if m.startswith('chunkwright.readers')], before;"
        "chunkwright.read(b'One.');"
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('csv', 'zipfile', 'numpy', 'unstructured', 'docling_core')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_a_name_has_no_dots_in_front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.txt").write_text("Rain.")
    for path in ("docs/a.txt", "./docs/a.txt", "docs//a.txt", Path("docs/a.txt")):
        assert cw.read(path).name == "docs/a.txt"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "text"])
def test_a_kind_without_a_function_is_read_by_the_core(kind: str) -> None:
    """A reader of the core serves users without a line of Python."""
    text = (BY_CONTENT | BY_NAME)[kind][0]
    document = Kind(kind, (), "").read(text, name="a")
    expected = cw.read(text.encode(), kind=kind, name="a")
    assert (document.text, document.name) == (expected.text, "a")
    kinds = [[element.kind for element in each.elements or ()] for each in (document, expected)]
    assert kinds[0] == kinds[1] != []


def test_a_kind_that_the_core_does_not_know_is_named() -> None:
    with pytest.raises(cw.ConfigError, match='unknown kind "rtf"'):
        Kind("rtf", (), "").read("a", name=None)


SUFFIXES = [suffix for kind in FILES.values() for suffix in kind.suffixes]
# Each may have no rows, no words or no lines, and is a file of its kind all the same.
MAY_BE_EMPTY = [suffix for kind in KINDS.values() for suffix in kind.suffixes]
MAY_BE_EMPTY += ["", ".txt", ".log", ".jsonl", ".ndjson", ".yaml", ".py", ".rst", ".odd"]


@pytest.mark.parametrize(
    ("suffix", "data"),
    mostly_slow(
        product(
            [*SUFFIXES, *sorted(_NEVER_EMPTY), ".PDF", ".csv.gz"],
            [b"", b"\r\n", b"\xef\xbb\xbf"],
        ),
        quick=70,
    ),
)
def test_an_empty_file_of_a_kind_that_is_never_empty_is_refused(
    suffix: str, data: bytes, tmp_path: Path
) -> None:
    path = tmp_path / f"download{suffix}"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=re.escape(f"{path}: it is empty")):
        cw.read(path)
    with cw.Store.open(tmp_path / "kb.db") as store:
        assert [each.outcome for each in store.add(path)] == ["failed"]


@pytest.mark.parametrize("kind", FILES)
def test_nothing_is_no_file_of_a_kind_that_is_named(kind: str) -> None:
    with pytest.raises(ReadError, match="it is empty"):
        cw.read(b"", kind=kind)


@pytest.mark.parametrize("suffix", MAY_BE_EMPTY)
def test_an_empty_text_is_a_document(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"")
    assert cw.read(path).text == cw.read(b"", name=f"a{suffix}").text == ""


@pytest.mark.parametrize("suffix", [".json", ".png"])
def test_what_is_read_as_text_may_be_empty(suffix: str) -> None:
    assert cw.read(b"", name=f"a{suffix}", kind="text").text == ""
    assert cw.read(b"").text == ""
