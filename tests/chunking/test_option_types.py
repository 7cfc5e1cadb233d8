"""Misspelt options and strategies are found by a type checker."""

import runpy
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from chunkwright._strategies import CLASSES
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.chunking import option_types as types

RIGHT = """
import chunkwright as cw
from chunkwright.chunking.option_types import StrategyName

chunks: cw.Chunks = cw.chunk("text")
cw.chunk("text", max_tokens=10, overlap_at="sentence", separators=["x"])
cw.chunk(cw.Document(text="text"), "sentence", sentences=3, name="a")
cw.chunk("text", "kamradt", embedder=lambda texts: [[0.0] for _ in texts], threshold="gradient")
elements: cw.Chunks = cw.chunk([{"text": "a"}], "by_title", min_size=3)
cw.chunk("text", "by_similarity", embedder=None, similarity_threshold=0.5)
cw.Recursive.for_language("python", max_tokens=10)
cw.chunk("text", separators="python", markup="text")
sequence: list[cw.Chunk] = sorted(chunks, key=lambda chunk: chunk.start)
titles = [chunk.kind for chunk in elements]
cw.chunk("text", "auto", overlap=3)
cw.chunk("text", cw.Window(max_chars=9), name="a")


def of_a_request(name: str, **options: object) -> cw.Chunks:
    return cw.chunk("text", cw.strategy(name, **options))


def named(strategy: StrategyName) -> cw.Chunks:
    return cw.chunk("text", strategy, max_chars=10)
"""

WRONG = [
    'cw.chunk("text", max_token=10)',
    'cw.chunk("text", "recursiv", max_tokens=10)',
    'cw.chunk("text", "recursive", sentences=3)',
    'cw.chunk("text", "sentence", separators=["x"])',
    'cw.chunk("text", "window", language="en")',
    'cw.chunk("text", max_tokens="10")',
    'cw.chunk("text", overlap_at="words")',
    'cw.chunk("text", "kamradt", threshold="percentil")',
    'cw.chunk([{"text": "a"}], "recursive")',
    'cw.chunk("text", "basic", multipage_sections=True)',
    'cw.chunk("text", "basic", max_chars=9).kind',
    "cw.Recursive(max_token=10)",
    "cw.Recursive(chunk_size=10)",
    'cw.chunk("text", "auto", separators="python")',
    'cw.chunk("text", cw.Window(), max_chars=9)',
    'cw.Recursive.for_language("python", max_token=10)',
    'cw.Kamradt(threshold="percentil")',
    "cw.Cluster(mean=1)",
]


def checked(path: Path, source: str) -> list[str]:
    """What mypy finds in a module, a line each."""
    path.write_text(source, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    # Of what else is installed it would read a million lines, which are of no concern here.
    command += ["--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent"]
    command += ["--cache-dir", str(path.parent / "cache"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
def test_mypy_finds_what_is_misspelt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYPYPATH", str(Path(types.__file__).parents[2]))
    assert checked(tmp_path / "right.py", RIGHT) == []
    found = checked(tmp_path / "wrong.py", "\n".join(["import chunkwright as cw", *WRONG]))
    lines = {int(line.split(":")[1]) for line in found if ": error:" in line}
    assert lines == set(range(2, len(WRONG) + 2))


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_options_are_those_of_the_strategy(name: str) -> None:
    known = getattr(types, f"{CLASSES[name]}Options").__annotations__
    said = {option: getattr(kind, "__forward_arg__", kind) for option, kind in known.items()}
    assert said == {field.name: field.type for field in fields(ALL_STRATEGIES[name]) if field.init}


def test_the_files_are_as_the_script_makes_them() -> None:
    script = Path(__file__).parents[2] / "scripts" / "generate_option_types.py"
    made = runpy.run_path(str(script))["generated"]()
    for name, text in made.items():
        assert (Path(types.__file__).parent / name).read_text("utf-8") == text, f"run {script.name}"


def test_names_are_those_of_the_strategies() -> None:
    assert get_args(types.TextStrategyName) == tuple(STRATEGIES)
    assert get_args(types.ElementStrategyName) == tuple(ELEMENT_STRATEGIES)
    assert get_args(types.StrategyName) == tuple(ALL_STRATEGIES)
