"""One way from files to chunks: the command, the corpus, the store and the service cut alike."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import chunkwright as cw
from chunkwright.chunking import make_strategy
from chunkwright.corpus import Corpus
from chunkwright.errors import CorpusError
from tests.corpus.folders import errors, rows, text
from tests.readers import word
from tests.readers.pdf.damaged import good
from tests.server.calls import LINES, chunking, lines, served

MARKDOWN = f"# Rain\n\n{text(1)}\n\n## North\n\n{text(2)}\n\n- one thing\n- another thing\n"
ROWS = [{"text": text(20)}, {"no": "text"}, {"text": text(21)}]
STRATEGIES: dict[str, dict[str, int]] = {
    "recursive": {"max_tokens": 30},
    "auto": {},
    "hybrid": {"max_tokens": 40},
}

FILES: dict[str, bytes] = {
    "plain.txt": text(3, 120).encode(),
    "bom.txt": b"\xef\xbb\xbf" + text(4).encode(),
    "latin.txt": "Überschwemmung in Köln".encode("latin-1"),
    "utf16.txt": text(6).encode("utf-16"),
    "empty.txt": b"",
    "blank.md": b"\n \n",
    "crlf.md": MARKDOWN.replace("\n", "\r\n").encode(),
    ".hidden.txt": b"Nobody sees this.",
    ".folder/inside.txt": b"Nor this.",
    "deep/down/notes.md": MARKDOWN.encode(),
    "page.html": f"<html><body><h1>Sun</h1><p>{text(7)}</p></body></html>".encode(),
    "table.csv": b"day,rain\nMonday,3\nTuesday,4\n",
    "data.json": b'{"rain": [1, 2, 3], "place": "north"}',
    "broken.json": b'{"rain": [1, 2',
    "data.yaml": b"rain:\n  - 1\n  - 2\n",
    "code.py": b"def rain() -> int:\n    return 1\n\n\ndef sun() -> int:\n    return 2\n",
    "word.docx": word.word(word.p(word.t("It rained on Monday. The river rose."))),
    "broken.docx": b"PK\x03\x04 no archive",
    "whole.pdf": good(),
    "broken.pdf": b"%PDF-1.7\n1 0 obj << /Type /Catalog",
    "letter.eml": b"From: a@example.org\nSubject: Rain\n\nIt rained.\n",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "disguised.txt": b"%PDF-1.7\nno more",
}
TABLES: dict[str, bytes] = {
    "rows.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in ROWS),
    "packed.jsonl.gz": gzip.compress(json.dumps({"text": text(22)}).encode() + b"\n{\n"),
    "torn.jsonl.gz": gzip.compress(b"".join(b'{"text": "%d"}\n' % n for n in range(99)))[:-20],
}


class Outcome(NamedTuple):
    """What became of a folder: the texts of the chunks by document, and what failed."""

    chunks: dict[str, list[str]]
    failed: list[str]


Way = Callable[[list[Path], str, Path], Outcome]


def _make(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of files of many kinds, beside which there is room for outputs."""
    return _make(tmp_path / "in", FILES)


@pytest.fixture
def tables(tmp_path: Path) -> list[Path]:
    """Return tables, some of which are damaged."""
    inside = _make(tmp_path / "tables", TABLES)
    pq.write_table(pa.table({"text": [text(23), None, text(24)]}), inside / "rows.parquet")
    (inside / "broken.parquet").write_bytes(b"PAR1 and no more")
    return [*sorted(inside.iterdir()), inside / "gone.jsonl"]


def _outcome(pairs: Iterator[tuple[str, str]], failed: list[str]) -> Outcome:
    chunks: dict[str, list[str]] = {}
    for name, part in pairs:
        chunks.setdefault(name, []).append(part)
    return Outcome(chunks, sorted(failed))


def by_command(paths: list[Path], strategy: str, out: Path) -> Outcome:
    options = [f"--{name.replace('_', '-')}={n}" for name, n in STRATEGIES[strategy].items()]
    command = [sys.executable, "-m", "chunkwright", "chunk", *map(str, paths)]
    command += ["--strategy", strategy, *options]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    told = [line.removeprefix("Failed: ") for line in done.stderr.splitlines()]
    failed = [line.partition(": ")[0] for line in told if line.startswith(str(out.parent))]
    assert done.returncode == (1 if failed else 0), done.stderr
    return _outcome(((row["document"], row["text"]) for row in found), failed)


def by_corpus(paths: list[Path], strategy: str, out: Path) -> Outcome:
    done = Corpus(paths, make_strategy(strategy, STRATEGIES[strategy])).write(out)
    gone = [problem.rpartition(": ")[0] for problem in done.problems]
    failed = [*gone, *(row["place"] for row in errors(out))]
    return _outcome(((row["document"], row["text"]) for row in rows(out)), failed)


def by_store(paths: list[Path], strategy: str, out: Path) -> Outcome:
    cutting = make_strategy(strategy, STRATEGIES[strategy])
    with cw.Store.open(out.with_suffix(".db")) as store:
        report = store.add(paths, strategy=cutting)
        failed = [each.uri for each in report.of("failed")]
        blocks = {each.uri: store.blocks(each.uri) for each in report.of("new")}
    return _outcome(
        ((uri, block.text) for uri, all_of in blocks.items() for block in all_of), failed
    )


def _below(folder: Path, found: Outcome) -> Outcome:
    """Return an outcome with all names as paths below the folder."""

    def name(of: str) -> str:
        return of.removeprefix(f"{folder.as_posix()}/")

    chunks = {name(key): value for key, value in found.chunks.items()}
    return Outcome(chunks, sorted(map(name, found.failed)))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_folder_is_cut_alike(folder: Path, tmp_path: Path, strategy: str) -> None:
    ways: list[Way] = [by_command, by_corpus, by_store]
    command, corpus, store = (
        _below(folder, way([folder], strategy, tmp_path / f"out{n}")) for n, way in enumerate(ways)
    )
    assert corpus.chunks == command.chunks
    assert corpus.failed == command.failed
    assert store.failed == command.failed
    assert store.chunks.keys() == command.chunks.keys()
    for name, own in store.chunks.items():
        # Blocks have their own texts, without the headings that chunks repeat.
        whole = command.chunks[name]
        assert len(own) == len(whole)
        assert all(part in all_of for part, all_of in zip(own, whole, strict=True))
    assert {"plain.txt", "deep/down/notes.md"} - command.chunks.keys() <= {"plain.txt"}
    assert {"broken.pdf", "broken.docx"} <= {*command.failed}


def test_named_tables_are_cut_alike(tables: list[Path], tmp_path: Path) -> None:
    ways: list[Way] = [by_command, by_corpus, by_store]
    command, corpus, store = (
        way(tables, "recursive", tmp_path / f"out{n}") for n, way in enumerate(ways)
    )
    assert _texts(corpus) == _texts(command) == _texts(store)
    assert _files(corpus) == _files(command) == _files(store)


def _texts(found: Outcome) -> list[str]:
    return sorted(part for parts in found.chunks.values() for part in parts)


def _files(found: Outcome) -> list[str]:
    """Return the files that something failed in, as often as it did."""
    return sorted(Path(name.partition(":")[0]).name for name in found.failed)


def test_nothing_is_missing_where_a_folder_is_empty_now(tmp_path: Path) -> None:
    folder, out = _make(tmp_path / "in", {"a/1.txt": b"One.", "b/2.txt": b"Two."}), tmp_path / "out"
    corpus = Corpus(folder, "recursive", shard_bytes=1)
    with cw.Store.open(tmp_path / "kb.db") as store:
        store.add(folder)
        corpus.write(out)
        (folder / "b/2.txt").unlink()
        (left,) = store.add(folder, remove_missing=True).left
        with pytest.raises(CorpusError, match=f"{left.place}: {left.why}"):
            corpus.write(out)
        assert [row["text"] for row in rows(out)] == ["One.", "Two."]
        # A folder that is gone itself was looked for in one that is there.
        (folder / "b").rmdir()
        report = store.add(folder, remove_missing=True)
        assert [Path(each.uri).name for each in report.of("removed")] == ["2.txt"]
        corpus.write(out)
        assert [row["text"] for row in rows(out)] == ["One."]


def test_shards_of_a_folder_that_is_empty_go_by_force(tmp_path: Path) -> None:
    folder, out = _make(tmp_path / "in", {"a/1.txt": b"One.", "b/2.txt": b"Two."}), tmp_path / "out"
    corpus = Corpus(folder, "recursive", shard_bytes=1)
    corpus.write(out)
    (folder / "b/2.txt").unlink()
    corpus.write(out, force=True)
    assert [row["text"] for row in rows(out)] == ["One."]


def test_a_stream_of_the_service_is_cut_as_the_same_lines_in_a_file(tmp_path: Path) -> None:
    rows_ = [{"text": text(n, 60)} for n in range(5)]
    (tmp_path / "rows.jsonl").write_bytes(lines(*rows_))
    command = by_command([tmp_path / "rows.jsonl"], "recursive", tmp_path / "out")
    params = {"chunking": json.dumps(chunking("recursive", **STRATEGIES["recursive"]))}
    with served() as client:
        answer = client.post(
            "/v1/chunk:batch", params=params, content=lines(*rows_), headers={"content-type": LINES}
        )
    found = [json.loads(line) for line in answer.content.splitlines()]
    assert [row["text"] for row in found] == [
        part for parts in command.chunks.values() for part in parts
    ]
