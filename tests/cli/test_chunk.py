"""`chunkwright chunk`: rows, inputs, and inputs that cannot be read."""

import sys
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.rows import OF_ELEMENTS

from .commandline import GUIDE, NOTES, Run

FIELDS = [
    "chunk_id",
    "document",
    "document_id",
    "doc_index",
    "index",
    "text",
    "start",
    "end",
    "byte_start",
    "byte_end",
    "line_start",
    "line_end",
    "source_start",
    "source_end",
    "source_line_start",
    "source_line_end",
    "n_tokens",
]


def test_rows_say_what_the_library_says(here: Run) -> None:
    result = here("chunk", "docs/guide.md", "--max-tokens", "40", "--overlap", "8")
    assert (result.code, result.err) == (0, "")
    chunks = cw.chunk(GUIDE, "recursive", max_tokens=40, overlap=8, name="guide.md")
    assert len(chunks) > 5
    assert [list(row) for row in result.rows] == [[*FIELDS, *OF_ELEMENTS]] * len(chunks)
    for i, (row, chunk) in enumerate(zip(result.rows, chunks, strict=True)):
        assert row["index"] == i
        assert row["document"] == "guide.md"
        assert row["chunk_id"] == chunk.id
        for name in set(FIELDS) - {"index", "document", "chunk_id"}:
            assert row[name] == getattr(chunk, name)


def test_offsets_count_code_points_bytes_and_lines_of_the_file(here: Run) -> None:
    path = Path("docs/deep/notes.txt")
    rows = here("chunk", path, "--max-chars", "12", "--strategy", "window").rows
    assert len(rows) > 3
    data = path.read_bytes()
    for row in rows:
        assert NOTES[row["start"] : row["end"]] == row["text"]
        assert data[row["byte_start"] : row["byte_end"]].decode() == row["text"]
        assert row["line_start"] == 1 + NOTES.count("\n", 0, row["start"])
        assert row["line_end"] == 1 + NOTES.count("\n", 0, row["end"] - 1)


def test_the_default_limit_is_512_tokens(here: Run) -> None:
    Path("long.txt").write_text("word " * 5000)
    sizes = [row["n_tokens"] for row in here("chunk", "long.txt").rows]
    assert max(sizes) == 512


def test_an_oversize_chunk_says_so(here: Run) -> None:
    Path("marks.txt").write_text("a" + "\u0301" * 30 + " b", encoding="utf-8")
    rows = here("chunk", "marks.txt", "--max-chars", "10").rows
    assert [row.get("oversize") for row in rows] == [True, None]


def test_standard_input(spawn: Run) -> None:
    result = spawn("chunk", "-", "--max-chars", "9", stdin=b"one two three")
    assert [(row["document"], row["text"]) for row in result.rows] == [
        ("-", "one two"),
        ("-", "three"),
    ]


def test_a_folder_gives_its_text_files_in_order(here: Run) -> None:
    rows = here("chunk", "docs").rows
    assert list(dict.fromkeys(row["document"] for row in rows)) == [
        "guide.md",
        "deep/notes.txt",
    ]


def test_a_glob_and_a_file_are_each_read_once(here: Run) -> None:
    rows = here("chunk", "docs/**/*.txt", "docs/deep/notes.txt", "./docs/deep/notes.txt").rows
    assert [(row["document"], row["index"]) for row in rows] == [("deep/notes.txt", 0)]


def test_a_file_is_taken_by_its_name_even_if_it_looks_like_a_glob(here: Run) -> None:
    Path("a[1].txt").write_text("brackets")
    Path("a1.txt").write_text("none")
    assert [row["text"] for row in here("chunk", "a[1].txt").rows] == ["brackets"]


def test_a_named_file_is_read_whatever_its_suffix(here: Run) -> None:
    Path("README").write_text("no suffix")
    assert [row["text"] for row in here("chunk", "README").rows] == ["no suffix"]


def test_empty_and_blank_files_have_no_chunks(here: Run) -> None:
    Path("empty.txt").write_text("")
    Path("blank.txt").write_text(" \n\n\t ")
    assert here("chunk", "empty.txt", "blank.txt") == (0, "", "")


def test_nul_bytes_and_newlines_stay_as_they_are(here: Run) -> None:
    Path("mixed.txt").write_bytes(b"a\x00b\r\nc\rd\ne")
    result = here("chunk", "mixed.txt", "--input-format", "text")
    assert result.rows[0]["text"] == "a\x00b\r\nc\rd\ne"
    assert "to read a text with NULs, give --input-format text" in here("chunk", "mixed.txt").err


def test_what_failed_is_named_and_the_rest_is_done(here: Run) -> None:
    result = here("chunk", "none.txt", "docs/deep", "*.nothing", "docs/.hidden/nothing")
    assert result.code == 1
    assert [row["document"] for row in result.rows] == ["notes.txt"]
    assert result.err.splitlines() == [
        "Failed: none.txt: no such file or folder",
        "Failed: *.nothing: no file matches",
        "Failed: docs/.hidden/nothing: no such file or folder",
    ]


def test_a_folder_without_text_fails(here: Run) -> None:
    Path("bare").mkdir()
    result = here("chunk", "bare")
    assert (result.code, result.err) == (1, "Failed: bare: no text file in this folder\n")


def test_invalid_utf8_is_named_with_its_offset(here: Run) -> None:
    Path("bad.txt").write_bytes("Größe ".encode() + b"\xff rest")
    result = here("chunk", "bad.txt", "docs/guide.md")
    assert result.code == 1
    assert result.err.startswith("Failed: bad.txt: not valid utf-8 at byte 8 (0xff: invalid start")
    assert result.err.endswith("set --encoding, or --errors to 'replace', to read it\n")
    assert {row["document"] for row in result.rows} == {"guide.md"}


def test_errors_and_encoding_let_a_file_be_read(here: Run) -> None:
    Path("bad.txt").write_bytes(b"caf\xe9")
    assert here("chunk", "bad.txt").rows[0]["text"] == "café"
    replaced = here("chunk", "bad.txt", "--encoding", "utf-8", "--errors", "replace")
    assert replaced.rows[0]["text"] == "caf\ufffd"
    assert here("chunk", "bad.txt", "--encoding", "latin-1").rows[0]["text"] == "café"


def test_a_lone_surrogate_is_escaped(here: Run) -> None:
    Path("bad.txt").write_bytes(b"caf\xe9 au lait")
    result = here("chunk", "bad.txt", "--encoding", "utf-8", "--errors", "surrogateescape")
    assert r'"caf\udce9 au lait"' in result.out
    assert result.rows[0]["text"] == "caf\udce9 au lait"


def test_fail_fast_ends_at_the_first_failure(here: Run) -> None:
    result = here("chunk", "none.txt", "docs/guide.md", "--fail-fast")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Failed: none.txt: no such file or folder\n"


def test_dry_run_lists_and_cuts_nothing(here: Run) -> None:
    result = here("chunk", "docs", "none.txt", "--dry-run", "--out", "x.jsonl", "--overlap", "9")
    assert result.code == 1
    assert result.out.splitlines() == ["docs/guide.md", "docs/deep/notes.txt"]
    assert "Failed: none.txt" in result.err
    assert "2 inputs; auto, max_tokens=512, overlap=9" in result.err
    assert not Path("x.jsonl").exists()


def test_separators_are_unescaped(here: Run) -> None:
    text = "ab\tcd;ef\\gh-ij"
    Path("x.txt").write_text(text)
    arguments = ["chunk", "x.txt", "--max-chars", "8", "--separator"]
    texts = [row["text"] for row in here(*arguments, r"\t", "--separator", r"\\").rows]
    assert texts == cw.chunk(text, max_chars=8, separators=["\t", "\\"]).texts()
    assert texts == ["ab", "cd;ef", "\\gh-ij"]


def test_language_brings_its_separators(here: Run) -> None:
    code = "import os\n\ndef f():\n    pass\n\ndef g():\n    return 1\n"
    Path("x.py").write_text(code)
    rows = here("chunk", "x.py", "--separators", "python", "--max-chars", "24").rows
    expected = cw.Recursive.for_language("python", max_chars=24)(code).texts()
    assert [row["text"] for row in rows] == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategy", "semantic"], "'kamradt', 'kamradt_modified', 'cluster', 'discontinuity'"),
        (["--strategy", "recursiv"], "did you mean 'recursive'?"),
        (["--tokenizer", "cl100k"], "did you mean 'cl100k_base'?"),
        (["--separators", "pyton"], "did you mean 'python'?"),
        (["--overlap-at", "words"], "did you mean 'word'?"),
        (["--encoding", "utf-9"], "unknown --encoding 'utf-9': did you mean 'utf-8'?"),
        (["--errors", "ignor"], "did you mean 'ignore'?"),
        (["--format", "parket"], "did you mean 'parquet'?"),
        (["--max-token", "9"], "--max-tokens"),
        (["--max-tokens", "many"], "--max-tokens: 'many' is not an integer"),
        (["--max-tokens", "0"], "--max-tokens must be"),
        (["--max-chars", "-5"], "-5"),
        (["--max-tokens", "5", "--max-chars", "5"], "one of --max-tokens and --max-chars"),
        (
            ["--max-tokens", "5", "--overlap", "5"],
            "--overlap must be less than --max-tokens=5",
        ),
        (["--language", "python", "--strategy", "window"], "--strategy 'window' has no --language"),
        (["--separators", "python", "--separator", "x"], "give one of the two"),
        (
            ["--separator", "x", "--strategy", "window"],
            "no --separators, which is for 'recursive'",
        ),
        (["--out", "chunks.xlsx"], "cannot tell the format of chunks.xlsx"),
        (["--out", "nowhere/chunks.jsonl"], "cannot write nowhere/chunks.jsonl: No such file"),
        (["--format", "arrow"], "needs a file"),
        (["--config", "none.toml"], "cannot read none.toml"),
    ],
)
def test_wrong_usage(here: Run, arguments: list[str], message: str) -> None:
    result = here("chunk", "docs", *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


@pytest.mark.parametrize("workers", ["0", "-1", "many", "99999"])
def test_wrong_workers(here: Run, workers: str) -> None:
    result = here("chunk", "docs", "--workers", workers)
    assert (result.code, result.out) == (2, "")
    assert workers in result.err


def test_the_same_bytes_for_any_number_of_workers(here: Run) -> None:
    for i in range(40):
        Path(f"{i}.txt").write_text(f"{GUIDE}{i}" * (i % 7), encoding="utf-8")
    arguments = ["chunk", "*.txt", "docs", "none.txt", "--max-tokens", "30", "--overlap", "5"]
    expected = here(*arguments, "--workers", "1")
    assert len(expected.out) > 100_000
    for workers in ("2", "7", "1000"):
        assert here(*arguments, "--workers", workers) == expected
    assert here(*arguments) == expected


def test_a_text_that_cannot_be_cut_is_named_and_the_rest_is_done(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(text: str) -> int:
        if "bad" in text:
            raise LookupError("no such word")
        return len(text)

    strategy = cw.Window(max_tokens=9, tokenizer=count)
    module = sys.modules["chunkwright.cli.chunk"]
    monkeypatch.setattr(module, "strategies_of", lambda *_, **__: lambda _: strategy)
    Path("x.jsonl").write_text('{"text": "one"}\n{"text": "bad"}\n{"text": "two"}\n')
    Path("bad.txt").write_text("bad")
    result = here("chunk", "x.jsonl", "bad.txt")
    assert result.code == 1
    assert [row["text"] for row in result.rows] == ["one", "two"]
    failures = result.err.splitlines()
    assert [line.split(": ")[:2] for line in failures] == [
        ["Failed", "x.jsonl:2"],
        ["Failed", "bad.txt"],
    ]
    assert all("no such word" in line for line in failures)


def test_what_a_strategy_lacks_is_wrong_usage(here: Run) -> None:
    result = here("chunk", "docs", "--sentences", "2", "--max-tokens", "9")
    assert result.code == 2
    assert "strategy 'auto' has no --sentences, which is for 'sentence'" in result.err


def test_a_path_is_needed(here: Run) -> None:
    assert here("chunk").code == 2
