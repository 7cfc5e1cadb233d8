"""Outputs that cannot be written: the disk is full, in truth or by an error of its file."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunkwright.corpus.inputs import places
from chunkwright.errors import CorpusError
from tests.corpus import children
from tests.corpus.runs import check_whole_parts, held, run


@pytest.mark.parametrize("most", [0, 60, 200, 700, 1500, 3000, 4000])
def test_a_full_disk_is_told_of_and_what_is_done_stays(
    inputs: Path, tmp_path: Path, whole: Callable[..., Any], most: int
) -> None:
    code = children.ended(children.write_little, inputs, tmp_path, {}, most)
    assert code == children.FAILED
    said = tmp_path / "said"
    if most > 100:
        assert said.read_text().startswith(f"CorpusError: cannot write {tmp_path}/"[:most])
        assert "File too large" in said.read_text()
    said.unlink()
    check_whole_parts(tmp_path, whole()[0])
    assert not list(tmp_path.rglob("*tmp"))
    run(inputs, tmp_path)
    assert held(tmp_path) == whole()


class Full:
    """File of a disk that is full after so many bytes."""

    def __init__(self, file: Any, most: int) -> None:
        self._file, self._left = file, most

    def write(self, data: Any) -> int:
        self._left -= len(data)
        if self._left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return int(self._file.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@pytest.mark.parametrize(
    "limit",
    [("part-", most) for most in (0, 3, 100, 1000, 3500)]
    + [("_errors/part-", most) for most in (0, 3, 100, 1000)]
    + [("_run/shards/", most) for most in (0, 3, 100)],
)
def test_an_error_of_the_disk_is_told_with_its_path(
    inputs: Path,
    tmp_path: Path,
    whole: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    limit: tuple[str, int],
) -> None:
    where, most = limit
    pending = places.LocalPlace.pending
    is_reached = False

    def limited(self: places.LocalPlace, path: str) -> Any:
        nonlocal is_reached
        found: Any = pending(self, path)
        if path.removeprefix(f"{tmp_path}/").startswith(where):
            found.file = Full(found.file, most)
            is_reached = True
        return found

    with monkeypatch.context() as patch:
        patch.setattr(places.LocalPlace, "pending", limited)
        with pytest.raises(CorpusError, match=f"cannot write {tmp_path}/{where}.*No space left"):
            run(inputs, tmp_path)
    assert is_reached
    check_whole_parts(tmp_path, whole()[0])
    run(inputs, tmp_path)
    assert held(tmp_path) == whole()
