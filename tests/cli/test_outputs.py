"""Output files: formats that agree, and files that are whole or not there."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from .commandline import Run

pa = pytest.importorskip("pyarrow")


def read_table(path: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    table = (
        pq.read_table(path)
        if path.suffix == ".parquet"
        else pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    )
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def files() -> set[str]:
    return {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_tables_hold_what_jsonl_holds(here: Run, suffix: str) -> None:
    Path("marks.txt").write_text("a" + "\u0301" * 30 + " b", encoding="utf-8")
    arguments = ["chunk", "docs", "marks.txt", "--max-chars", "20", "--overlap", "5"]
    expected = here(*arguments).rows
    path = Path(f"chunks{suffix}")
    result = here(*arguments, "--out", path)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"{len(expected):,} chunks of 3 inputs written to {path}\n"
    rows = read_table(path)
    assert [row["oversize"] for row in rows] == ["oversize" in row for row in expected]
    assert any(row["oversize"] for row in rows)
    for row in expected:
        row.setdefault("oversize", False)
    assert rows == expected


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_batches_are_written_on_the_way(
    here: Run, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.io.outputs.BATCH_ROWS", 4)
    path = Path(f"chunks{suffix}")
    arguments = ["chunk", "docs", "--max-chars", "40"]
    assert here(*arguments, "--out", path).code == 0
    assert [row["text"] for row in read_table(path)] == [r["text"] for r in here(*arguments).rows]


def test_jsonl_file_equals_standard_output(here: Run) -> None:
    shown = here("chunk", "docs", "--max-chars", "40").out
    here("chunk", "docs", "--max-chars", "40", "--out", "chunks.jsonl")
    assert Path("chunks.jsonl").read_text(encoding="utf-8") == shown


def test_format_goes_before_the_suffix(here: Run) -> None:
    here("chunk", "docs", "--out", "chunks.data", "--format", "jsonl", "--quiet")
    assert json.loads(Path("chunks.data").read_text(encoding="utf-8").splitlines()[0])["index"] == 0


def test_a_table_says_a_lone_surrogate_by_a_replacement(here: Run) -> None:
    Path("bad.txt").write_bytes(b"caf\xe9!")
    options = ("--encoding", "utf-8", "--errors", "surrogateescape")
    assert here("chunk", "bad.txt", *options, "--out", "x.arrow").code == 0
    row = read_table(Path("x.arrow"))[0]
    assert (row["text"], row["end"]) == ("caf\ufffd!", 5)


def test_a_table_of_no_chunks_has_its_columns(here: Run) -> None:
    Path("empty.txt").write_text("")
    assert here("chunk", "empty.txt", "--out", "x.parquet").code == 0
    assert read_table(Path("x.parquet")) == []


def test_quiet_says_nothing_but_failures(here: Run) -> None:
    result = here("chunk", "docs", "none", "--out", "x.jsonl", "--quiet")
    assert (result.code, result.err) == (1, "Failed: none: no such file or folder\n")
    assert Path("x.jsonl").exists()


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".arrow"])
def test_a_run_without_any_input_leaves_the_old_output(here: Run, suffix: str) -> None:
    out = Path(f"old{suffix}")
    out.write_text("old")
    before = files()
    assert here("chunk", "none.txt", "--out", out, "--force").code == 1
    assert out.read_text() == "old"
    assert files() == before


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".arrow"])
def test_fail_fast_leaves_no_output(here: Run, suffix: str) -> None:
    before = files()
    assert here("chunk", "docs", "none", "--fail-fast", "--out", f"new{suffix}").code == 1
    assert files() == before


def test_a_missing_extra_names_its_install_line(spawn: Run, folder: Path) -> None:
    (folder / "block").mkdir()
    (folder / "block" / "pyarrow.py").write_text("raise ImportError('no pyarrow')\n")
    path = os.pathsep.join([str(folder / "block"), os.environ.get("PYTHONPATH", "")])
    for suffix in (".parquet", ".arrow"):
        result = spawn("chunk", "docs", "--out", f"chunks{suffix}", PYTHONPATH=path)
        assert result.code == 3
        assert 'pip install "chunkwright[arrow]"' in result.err
        assert len(result.err.splitlines()) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["block", "docs"]
    assert spawn("chunk", "docs", PYTHONPATH=path).code == 0


def test_the_mode_is_that_of_any_new_file_or_of_the_old_one(here: Run) -> None:
    plain, out = Path("plain"), Path("x.jsonl")
    plain.touch()
    here("chunk", "docs", "--out", out)
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    out.chmod(0o640)
    here("chunk", "docs", "--out", out, "--force")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_a_link_stays_a_link(here: Run) -> None:
    Path("elsewhere").mkdir()
    Path("x.jsonl").symlink_to("elsewhere/real.jsonl")
    here("chunk", "docs", "--out", "x.jsonl")
    assert Path("x.jsonl").is_symlink()
    assert Path("elsewhere/real.jsonl").stat().st_size > 0


def test_a_pipe_is_written_and_not_replaced(spawn: Run, folder: Path) -> None:
    result = spawn("chunk", "docs", "--out", "/dev/stdout", "--format", "jsonl")
    assert result.code == 0
    assert {row["document"] for row in result.rows} == {"guide.md", "deep/notes.txt"}
    assert folder.is_dir()


def test_out_as_a_dash_is_standard_output(here: Run) -> None:
    assert here("chunk", "docs", "--out", "-").out == here("chunk", "docs").out


@pytest.mark.parametrize(
    ("out", "message"),
    [("docs", "cannot tell the format"), ("docs.jsonl", "docs.jsonl: it is a folder")],
)
def test_a_folder_is_no_output(here: Run, out: str, message: str) -> None:
    Path("docs.jsonl").mkdir()
    result = here("chunk", "docs", "--out", out)
    assert result.code == 2
    assert message in result.err


def test_an_input_is_not_overwritten(here: Run) -> None:
    Path("x.jsonl").write_text("text")
    result = here("chunk", "*.jsonl", "--out", "./x.jsonl")
    assert result.code == 2
    assert "x.jsonl is an input too" in result.err
    assert Path("x.jsonl").read_text() == "text"


@pytest.mark.parametrize(
    ("arguments", "flag"),
    [
        (["chunk", "docs", "--out", "old.jsonl"], "--out"),
        (["chunk", "none", "--out", "old.jsonl", "--dry-run"], "--out"),
        (["view", "docs/guide.md", "--strategy", "kamradt", "--plot", "old.svg"], "--plot"),
    ],
)
def test_a_file_that_is_there_is_replaced_only_with_force(
    here: Run, arguments: list[str], flag: str
) -> None:
    old = Path(arguments[arguments.index(flag) + 1])
    old.write_text("old")
    result = here(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err == f"Error: {flag}: {old} is there already: say --force to replace it\n"
    assert old.read_text() == "old"
    if "none" not in arguments:
        assert here(*arguments, "--force").code == 0
        assert old.read_text() != "old"


def test_what_is_no_file_needs_no_force(here: Run) -> None:
    assert here("chunk", "docs", "--out", "/dev/null", "--format", "jsonl").code == 0
    Path("link.jsonl").symlink_to("nowhere.jsonl")
    assert here("chunk", "docs", "--out", "link.jsonl").code == 0
    assert here("chunk", "docs", "--out", "link.jsonl").code == 2
