"""A little package that adds strategies, installed into a folder as pip would do it."""

from __future__ import annotations

from pathlib import Path

SOURCE = '''
"""Strategies of the package demo-cuts."""

from dataclasses import dataclass

import chunkwright as cw
from chunkwright.chunking.bases.own_boundaries import OwnBoundaries


@dataclass(frozen=True, kw_only=True)
class Questions(OwnBoundaries):
    """Begin a chunk at each question."""

    name = "questions"
    mark: str = "?"

    @property
    def fingerprint(self):
        return f"questions 1 {self.spec}"

    def starts(self, sentences):
        return [i for i, sentence in enumerate(sentences) if sentence.endswith(self.mark)]


@dataclass(frozen=True, kw_only=True)
class Clauses(cw.Recursive):
    """Cut contracts at their clauses."""

    name = "clauses"
    separators: object = ("§",)


class Nameless(cw.Recursive):
    """It has the name of its base."""


class NoStrategy:
    """It cuts nothing."""
'''
ENTRY_POINTS = {
    "questions": "demo_cuts:Questions",
    "clauses": "demo_cuts:Clauses",
    "nameless": "demo_cuts:Nameless",
    "no_strategy": "demo_cuts:NoStrategy",
    "no_class": "demo_cuts:NotThere",
    "no_module": "not_there_at_all:Class",
    "window": "demo_cuts:Questions",
}
GOOD = ("clauses", "questions")


def install(
    folder: Path, entry_points: dict[str, str] | None = None, name: str = "demo-cuts"
) -> Path:
    """Write the package into a folder, and return it."""
    folder.mkdir(exist_ok=True)
    (folder / "demo_cuts.py").write_text(SOURCE, "utf-8")
    info = folder / f"{name.replace('-', '_')}-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n")
    lines = [f"{each} = {of}\n" for each, of in (entry_points or ENTRY_POINTS).items()]
    (info / "entry_points.txt").write_text("".join(["[chunkwright.strategies]\n", *lines]))
    return folder
