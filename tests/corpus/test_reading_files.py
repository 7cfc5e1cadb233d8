"""Reading of files that are a document each, of all kinds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.corpus import Corpus
from chunkwright.errors import ConfigError
from tests.corpus.folders import text
from tests.corpus.runs import written
from tests.readers.office_files import RTF
from tests.readers.pdf.damaged import good
from tests.readers.word import p, word


def test_files_of_all_kinds_are_documents(folder: Path) -> None:
    pytest.importorskip("pypdfium2", reason="reading of PDF")
    (folder / "a.md").write_text(f"# A\n\n{text(1)}")
    (folder / "b.txt").write_text(text(2))
    (folder / "c.html").write_text(f"<h1>C</h1><p>{text(3)}</p>")
    (folder / "d.docx").write_bytes(word(p("It rained.")))
    (folder / "e.pdf").write_bytes(good())
    (folder / "f.py").write_text("def f():\n    return 1\n")
    (folder / "more").mkdir()
    (folder / "more" / "a.md").write_text(text(5))
    (folder / "broken.pdf").write_bytes(good()[:100])
    (folder / "latin.txt").write_bytes(b"Gr\xf6\xdfe")
    strategy = cw.Recursive(max_chars=80)
    chunks, failures, counts = written(folder, strategy)
    names = {chunk["document"] for chunk in chunks}
    assert names == {"a.md", "b.txt", "c.html", "d.docx", "e.pdf", "f.py", "latin.txt", "more/a.md"}
    assert {(failure["document"], failure["unit"]) for failure in failures} == {
        ("broken.pdf", "broken.pdf"),
    }
    for failure in failures:
        assert failure["message"].startswith(str(folder / failure["document"]))
        assert (failure["stage"], failure["kind"]) == ("read", "ReadError")
    assert (counts.documents, counts.failed) == (8, 1)
    for name in ("a.md", "c.html", "d.docx", "e.pdf"):
        document = cw.read(folder / name, name=name)
        language = "markdown" if name == "a.md" else None
        wanted = cw.Recursive(max_chars=80, separators=language)(document).to_dicts()
        found = [chunk for chunk in chunks if chunk["document"] == name]
        assert [chunk["chunk_id"] for chunk in found] == [row["chunk_id"] for row in wanted]
        assert [chunk["text"] for chunk in found] == [row["text"] for row in wanted]
        assert [chunk["kind"] for chunk in found] == [row.get("kind") for row in wanted]


def test_files_that_cannot_be_read_for_want_of_a_library_do_not_end_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.txt").write_text("Good.")
    (folder / "b.rtf").write_bytes(RTF)
    monkeypatch.setitem(sys.modules, "xberg", None)
    chunks, failures, _ = written(folder)
    assert [chunk["text"] for chunk in chunks] == ["Good."]
    assert [failure["document"] for failure in failures] == ["b.rtf"]
    assert "pip install" in failures[0]["message"]


def test_a_failure_of_cutting_names_its_own_file(folder: Path) -> None:
    (folder / "a.md").write_text(f"# A\n\n{text(1)}")
    (folder / "b.txt").write_text(text(2))
    (folder / "c.md").write_text(f"# C\n\n{text(3)}")

    def count(piece: str) -> int:
        if "Document 2." in piece:
            raise ValueError("it cannot be counted")
        return len(piece.split())

    chunks, failures, counts = written(
        folder, cw.Sentence(max_tokens=9, tokenizer=count), fingerprint="words"
    )
    assert {chunk["document"] for chunk in chunks} == {"a.md", "c.md"}
    [failure] = failures
    assert (failure["unit"], failure["document"], failure["stage"]) == ("b.txt", "b.txt", "cut")
    assert failure["place"] == str(folder / "b.txt")
    assert (failure["kind"], failure["message"]) == ("ValueError", "it cannot be counted")
    assert (counts.documents, counts.failed) == (2, 1)


def test_other_encodings_are_read_where_they_are_named(folder: Path) -> None:
    (folder / "a.txt").write_bytes("Größe".encode("latin-1"))
    (folder / "b.jsonl").write_bytes('{"text": "Größe, too"}'.encode("latin-1"))
    chunks, failures, _ = written(folder, reading={"encoding": "latin-1"})
    assert not failures
    assert [chunk["text"] for chunk in chunks] == ["Größe", "Größe, too"]
    with pytest.raises(ConfigError, match="encoding"):
        Corpus(folder, reading={"encoding": "klingon"})
    with pytest.raises(ConfigError, match="colour") as told:
        Corpus(folder, reading={"colour": "red"})
    assert told.value.option == "reading"


def test_names_of_files_below_a_root_say_where_they_are(folder: Path, tmp_path: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "a.txt").write_text("A.")
    chunks, _, _ = written(folder, root=tmp_path)
    assert [chunk["document"] for chunk in chunks] == ["in/more/a.txt"]
