"""Inputs of runs, and what comes out of these if nothing disturbs them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.folders import mixed, text, write_json
from tests.corpus.runs import held, run


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return inputs of many formats, some rows of which fail."""
    folder = mixed(tmp_path_factory.mktemp("inputs"), 12)
    write_json(folder / "c.jsonl", [{"text": text(1)}, {"no": "text"}, {"text": text(2)}])
    for n in range(4):
        write_json(folder / f"d{n}.jsonl", ({"text": text(300 + 9 * n + i)} for i in range(6)))
    return folder


@pytest.fixture(scope="module")
def whole(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Return what a run over these inputs that nobody disturbs comes to, by its options."""
    found: dict[str, Any] = {}

    def of(**options: Any) -> Any:
        key = repr(options)
        if key not in found:
            out = tmp_path_factory.mktemp("whole")
            assert run(inputs, out, **options).n_made > 2
            found[key] = held(out)
        return found[key]

    return of


@pytest.fixture
def own_inputs(inputs: Path, tmp_path: Path) -> Path:
    """Return the same files, as ones that a test may change."""
    folder = tmp_path / "in"
    shutil.copytree(inputs, folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder of inputs, beside which there is room for outputs."""
    path = tmp_path / "in"
    path.mkdir()
    return path
