"""Models named on the command line: their vectors, what is kept of them, and how far they are."""

import os
import re
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.cli.show.report import Embedded
from chunkwright.embed import Onnx
from tests.embed.made_models import write_model

from .commandline import Run

pytest.importorskip("onnxruntime")

WORDS = (
    "The words then there. Count the words.",
    "These sentences are there.",
    "Sentences, words.",
)
TEXT = " ".join(f"{words} {i}." for i in range(9) for words in WORDS)
CUT = ("chunk", "x.txt", "--strategy", "cluster", "--embedder", "model", "--max-chars", "150")


@pytest.fixture(autouse=True)
def model(folder: Path) -> Path:
    """A text, and the folder of a small model."""
    (folder / "x.txt").write_text(TEXT)
    return write_model(folder / "model")


def kept() -> list[str]:
    return [path.suffix for path in Path("cache").rglob("*") if path.is_file()]


def test_a_folder_is_a_model(here: Run) -> None:
    result = here(*CUT)
    assert (result.code, result.err) == (0, "")
    chunks = cw.chunk(TEXT, "cluster", max_chars=150, embedder=Onnx("model"), name="x.txt")
    assert len(chunks) > 3
    assert [row["chunk_id"] for row in result.rows] == chunks.ids
    assert [row["score"] for row in result.rows][:-1] == chunks.scores.tolist()[:-1]
    lexical = cw.chunk(TEXT, "cluster", max_chars=150)
    assert chunks.scores.tolist()[:-1] != lexical.scores.tolist()[:-1]


def test_vectors_are_kept_and_taken(here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = here(*CUT)
    assert ".sqlite" in kept()

    def fail(*_: object) -> None:
        raise AssertionError("embedded again")

    monkeypatch.setattr(Onnx, "embed", fail)
    assert here(*CUT) == expected
    assert here(*CUT, "--no-vector-cache").code == 1


def test_vectors_are_not_kept_if_they_are_not_to_be(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = here(*CUT, "--no-vector-cache")
    Path("chunkwright.toml").write_text("vector_cache = false\n")
    assert here(*CUT) == expected
    assert kept() == []
    monkeypatch.setenv("CHUNKWRIGHT_VECTOR_CACHE", "true")
    assert here(*CUT) == expected
    assert ".sqlite" in kept()


def test_a_cache_that_cannot_be_used_is_said_in_one_line(spawn: Run) -> None:
    Path("cache").write_text("no folder")
    result = spawn(*CUT)
    assert result.code == 0
    assert result.rows
    assert re.fullmatch(r"Warning: the cache \S+ cannot be used: .*\n", result.err)


def test_a_broken_model_names_its_file(here: Run) -> None:
    Path("model/tokenizer.json").unlink()
    for command in ("chunk", "view"):
        result = here(command, *CUT[1:])
        assert (result.code, result.out) == (2, "")
        assert "tokenizer.json" in result.err


def test_a_graph_that_cannot_be_read_is_named_with_each_input(here: Run) -> None:
    Path("model/onnx/model.onnx").write_bytes(b"no graph")
    result = here(*CUT)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("Failed: x.txt: ")
    assert "model.onnx" in result.err


@pytest.mark.parametrize("command", ["chunk", "view", "compare"])
def test_a_missing_extra_names_its_install_line(spawn: Run, folder: Path, command: str) -> None:
    (folder / "block").mkdir()
    (folder / "block" / "onnxruntime.py").write_text("raise ImportError('no onnxruntime')\n")
    path = os.pathsep.join([str(folder / "block"), os.environ.get("PYTHONPATH", "")])
    specs = ["cluster", "kamradt"] if command == "compare" else []
    options = CUT[2:] if command != "compare" else ("--embedder", "model", "--max-chars", "150")
    result = spawn(command, "x.txt", *specs, *options, PYTHONPATH=path)
    assert (result.code, result.out) == (3, "")
    assert 'pip install "chunkwright[onnx]"' in result.err
    assert len(result.err.splitlines()) == 1


def test_both_sides_of_a_comparison_have_the_model(here: Run) -> None:
    options = ("--embedder", "model", "--max-chars", "150")
    out = here("compare", "x.txt", "cluster", "cluster:embedder=lexical", *options).out
    assert "embedder='model'" in out.splitlines()[1]
    assert "embedder='lexical'" in out.splitlines()[2]


@pytest.mark.slow
def test_a_bar_says_how_far_a_model_is(on_terminal: Run) -> None:
    out = on_terminal(*CUT, "--out", "x.jsonl", streams="err").out
    assert re.search(r"(\d+)/\1\b.*texts embedded", out)
    assert on_terminal(*CUT, "--out", "x.jsonl", "--quiet", "--force", streams="err").out == ""
    shown = on_terminal("view", *CUT[1:], "--no-vector-cache", streams="err").out
    assert "texts embedded" in shown
    Path("chunkwright.toml").write_text("quiet = true\nvector_cache = false\n")
    assert on_terminal("view", *CUT[1:], streams="err").out == ""


def test_there_is_no_bar_where_nobody_looks(spawn: Run) -> None:
    result = spawn(*CUT, "--out", "x.jsonl", FORCE_COLOR="1")
    assert re.fullmatch(r"\d+ chunks of 1 input written to x.jsonl\n", result.err)
    assert spawn("view", *CUT[1:]).err == ""


def test_steps_of_cache_and_model_end_at_all_texts(
    here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    note = Embedded._note

    def listen(self: Embedded, thread: int, done: int, total: int) -> None:
        told.append((done, total))
        note(self, thread, done, total)

    monkeypatch.setattr(Embedded, "_note", listen)
    monkeypatch.setattr("chunkwright.embed.cache.BLOCK", 3)
    here(*CUT)
    (total,) = {total for _, total in told}
    assert len(told) >= total / 3 > 1
    assert told[0] == (0, total)
    assert told == sorted(told)
    assert told.count((total, total)) == 1
