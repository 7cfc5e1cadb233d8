"""Kinds of documents on the command line: told by content and name, cut as what they are."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.readers.kinds import FILES
from chunkwright.readers.signatures import kind_of_bytes
from tests.readers.formats import BINARY

from .commandline import COMMAND, Result, Run

CODE = "import os\n\nx = os.name\n\ndef f():\n    y = x\n\n    return y\n"
NOTES = "# Rain\n\nIt rained.\n\n```\n# no title\n\nx = 1\n```\n\n# Sun\n\nThe sun came out.\n"
STONES = "stone,kg\n" + "".join(f'"slate {i}",{i}\n' for i in range(9))


# Formats that no reader makes a document of.
REFUSED = {name: data for name, data in BINARY.items() if kind_of_bytes(data) not in FILES}


@pytest.fixture
def bare(folder: Path) -> Run:
    """Run the command in a process whose environment has nothing but where the package is."""
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}

    def call(*arguments: str | Path, stdin: bytes = b"") -> Result:
        command = [*COMMAND, *map(str, arguments)]
        done = subprocess.run(
            command, input=stdin, capture_output=True, cwd=folder, env=kept, check=False
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def test_no_binary_becomes_chunks(bare: Run) -> None:
    names = []
    for i, data in enumerate(REFUSED.values()):
        names.append(f"{i}.{'txt' if i % 2 else 'md'}")
        Path(names[-1]).write_bytes(data)
    Path("good.txt").write_text("One.")
    for errors in ("strict", "replace", "ignore"):
        result = bare("chunk", *names, "good.txt", "--errors", errors)
        assert result.code == 1
        assert [row["document"] for row in result.rows] == ["good.txt"]
        lines = result.err.splitlines()
        assert len(lines) == len(REFUSED)
        for name, format_, line in zip(names, REFUSED, lines, strict=True):
            assert line.startswith(f"Failed: {name}: this is {format_}")
            assert "--errors" not in line
    result = bare("count", *names, "good.txt", "--errors", "replace")
    assert result.code == 1
    assert len(result.err.splitlines()) == len(REFUSED)


@pytest.mark.parametrize("format_", ["a gzip archive", "a ZIP archive"])
def test_no_binary_from_standard_input(bare: Run, format_: str) -> None:
    for options in ((), ("--errors", "replace"), ("--input-format", "text", "--errors", "replace")):
        result = bare("chunk", "-", *options, stdin=BINARY[format_])
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith(f"Failed: -: this is {format_}")


def test_wide_texts_name_the_flag(bare: Run) -> None:
    Path("wide.txt").write_bytes("One.".encode("utf-16"))
    assert bare("chunk", "wide.txt").rows[0]["text"] == "\ufeffOne."
    result = bare("chunk", "wide.txt", "--encoding", "utf-8")
    assert "this is UTF-16 text: read it with --encoding utf-16\n" in result.err
    assert bare("chunk", "wide.txt", "--encoding", "utf-16").rows[0]["text"] == "One."


def test_markdown_has_titles(bare: Run) -> None:
    Path("notes.md").write_text(NOTES)
    Path("notes.txt").write_text(NOTES)
    options = ("--strategy", "by_title", "--max-chars", "60", "--min-size", "0")
    result = bare("chunk", "notes.md", *options)
    assert (result.code, result.err) == (0, "")
    assert [row["headings"] for row in result.rows] == [["Rain"], ["Sun"]]
    assert [row["text"].split("\n")[0] for row in result.rows] == ["# Rain", "# Sun"]
    for row in result.rows:
        assert NOTES[row["start"] : row["end"]] == row["text"]
    texts = [row["text"] for row in result.rows]
    stdin = bare("chunk", "-", *options, stdin=NOTES.encode())
    told = bare("chunk", "notes.txt", "--input-format", "markdown", *options)
    assert [row["text"] for row in stdin.rows] == [row["text"] for row in told.rows] == texts
    refused = bare("chunk", "notes.txt", *options)
    assert refused.code == 1
    assert "this is text: say by --input-format if it is something else" in refused.err
    as_text = bare("chunk", "notes.md", "--input-format", "text", *options)
    assert "cuts elements, and this is text" in as_text.err


def test_csv_is_cut_by_rows(bare: Run) -> None:
    Path("stones.csv").write_text(STONES)
    options = ("--max-chars", "50", "--strategy", "basic")
    rows = bare("chunk", "stones.csv", *options).rows
    assert len(rows) > 1
    assert all(row["text"].startswith("stone\tkg\nslate ") for row in rows)
    assert bare("chunk", "stones.csv").rows[0]["text"].startswith("stone\tkg\nslate 0\t0\n")
    text = bare("chunk", "stones.csv", "--input-format", "text").rows[0]["text"]
    assert text == STONES.strip()
    Path("stones.csv").write_text('a,b\nc,"' + "d" * 200_000)
    failed = bare("chunk", "stones.csv")
    assert failed.code == 1
    assert "stones.csv: no CSV at line 2: field larger than field limit" in failed.err
    assert "--input-format text reads it as it is" in failed.err


def test_languages_have_their_separators(here: Run) -> None:
    Path("code.py").write_text(CODE)
    Path("notes.md").write_text(NOTES)
    Path("code.txt").write_text(CODE)
    Path("more.py").write_text(CODE)
    names = ["code.py", "notes.md", "code.txt", "more.py"]
    separators: tuple[dict[str, Any], ...] = (
        {"separators": "python"},
        {"separators": "markdown"},
        {},
    )
    expected = [
        text
        for name, own in zip(names, [*separators, separators[0]], strict=True)
        for text in cw.Recursive(max_chars=40, **own)(Path(name).read_text()).texts()
    ]
    for workers in ("1", "3"):
        recursive = ["--strategy", "recursive", "--max-chars", "40"]
        result = here("chunk", *names, *recursive, "--workers", workers)
        assert [row["text"] for row in result.rows] == expected
    python = [row["text"] for row in result.rows if row["document"] == "more.py"]
    assert python == ["import os\n\nx = os.name", "def f():\n    y = x\n\n    return y"]


@pytest.mark.parametrize(
    "options",
    [
        ("--input-format", "text"),
        ("--separator", "\\n\\n", "--separator", "\\n", "--separator", " "),
        ("--strategy", "window"),
    ],
)
def test_who_says_otherwise_is_heard(here: Run, options: tuple[str, ...]) -> None:
    Path("code.py").write_text(CODE)
    Path("code.txt").write_text(CODE)
    of_code, of_text = (
        [row["text"] for row in here("chunk", name, "--max-chars", "40", *options).rows]
        for name in ("code.py", "code.txt")
    )
    assert of_code == of_text
    Path("chunkwright.toml").write_text('separators = "go"\n')
    rows = [here("chunk", name, "--max-chars", "40").rows for name in ("code.py", "code.txt")]
    assert [row["text"] for row in rows[0]] == [row["text"] for row in rows[1]]


def test_view_and_compare_see_the_same(here: Run) -> None:
    Path("code.py").write_text(CODE)
    options = ("code.py", "--max-chars", "40")
    assert "lines 1-3\n" in here("view", *options).out
    assert "lines 3-6\n" in here("view", *options, "--input-format", "text").out
    both = ("code.py", "max_chars=40", r"max_chars=40,separators=python")
    assert "0 only in A, 0 only in B" in here("compare", *both).out
    assert "2 only in A, 1 only in B" in here("compare", *both, "--input-format", "text").out


def test_other_json_stays_text(here: Run) -> None:
    text = json.dumps({"rows": [1, 2], "text": "One."})
    Path("x.json").write_text(text)
    assert here("chunk", "x.json").rows[0]["text"] == text


def test_unknown_formats_are_refused(here: Run) -> None:
    result = here("chunk", "x.md", "--input-format", "markdwon")
    assert result.code == 2
    assert "unknown --input-format 'markdwon': did you mean 'markdown'?" in result.err
