"""The cache of vectors: hits, several processes, and files that are not what they should be."""

from __future__ import annotations

import os
import pickle
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from chunkwright.embed import (
    Cached,
    Onnx,
    cache_folder,
    cached_models,
    clear_cache,
    core_embedder,
)
from chunkwright.errors import ConfigError, MissingExtraError, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Counts:
    """Gives vectors, and notes what it is asked."""

    def __init__(self, fingerprint: str = "counts", factor: float = 1.0, n_dims: int = 2) -> None:
        self.fingerprint = fingerprint
        self.factor = factor
        self.n_dims = n_dims
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.asked.append(list(texts))
        return np.array([[len(text) * self.factor] * self.n_dims for text in texts])


def _expected(texts: list[str], factor: float = 1.0) -> list[list[float]]:
    return [[len(text) * factor] * 2 for text in texts]


def test_texts_are_embedded_once(tmp_path: Path) -> None:
    inner = Counts()
    embedder = Cached(inner, folder=tmp_path)
    texts = ["one", "three", "one", "", "\ud800", "漢字 🚀"]
    first = embedder.embed(texts)
    assert first.dtype == np.float32
    assert first.tolist() == _expected(texts)
    assert inner.asked == [["one", "three", "", "\ud800", "漢字 🚀"]]
    assert embedder.embed(texts[::-1]).tolist() == _expected(texts[::-1])
    assert Cached(inner, folder=tmp_path).embed(["three", "new"]).tolist() == [[5, 5], [3, 3]]
    assert inner.asked[1:] == [["new"]]
    assert embedder.embed([]).shape == (0, 1)


def test_models_do_not_share_vectors(tmp_path: Path) -> None:
    one, other = Counts("one"), Counts("other", 2.0)
    for embedder in (one, other):
        found = Cached(embedder, folder=tmp_path).embed(["abc"])
        assert found.tolist() == _expected(["abc"], embedder.factor)
    assert [model.model for model in cached_models(tmp_path)] == ["one", "other"]


def test_a_callable_needs_a_name(tmp_path: Path) -> None:
    def embed(texts: list[str]) -> Any:
        return [[1.0, float(len(text))] for text in texts]

    with pytest.raises(ConfigError, match="name is needed to keep the vectors of"):
        Cached(embed, folder=tmp_path)
    embedder = Cached(embed, name="mine", folder=tmp_path)
    assert embedder.embed(["ab"]).tolist() == [[1, 2]]
    assert embedder.fingerprint == "named:mine"
    assert [model.model for model in cached_models(tmp_path)] == ["named:mine"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folder": 3}, "folder must be the path of a folder, got 3"),
        ({"folder": ""}, "folder must be the path of a folder, got ''"),
        ({"folder": "a\0b"}, "folder must be the path of a folder"),
        ({"name": 3}, "name must be a str that is not empty, got 3"),
        ({"name": ""}, "name must be a str that is not empty, got ''"),
        ({"name": "\ud800"}, "name must have no surrogates"),
        ({"progress": 3}, "progress must be callable, got 3"),
    ],
)
def test_odd_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Cached(Counts(), **options)


@pytest.mark.parametrize("fingerprint", [3, b"model", "\ud800"])
def test_odd_fingerprints(fingerprint: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="fingerprint must"):
        Cached(Counts(fingerprint), folder=tmp_path)


def test_numbers_too_large_for_float32_become_infinite(tmp_path: Path) -> None:
    embedder = Cached(Counts(factor=1e300), folder=tmp_path)
    assert np.isinf(embedder.embed(["a"])).all()
    assert cached_models(tmp_path) == []


@pytest.mark.parametrize("n_bytes", [3000, 20_000, 300_000])
def test_a_full_disk_costs_a_warning_and_leaves_nothing_behind(
    tmp_path: Path, n_bytes: int
) -> None:
    pytest.importorskip("resource", reason="only here can files be kept from growing")
    code = f"""
import resource, sys
from chunkwright.embed import Cached
resource.setrlimit(resource.RLIMIT_FSIZE, ({n_bytes}, {n_bytes}))
cached = Cached(lambda texts: [[1.0] * 200 for _ in texts], name="m", folder=sys.argv[1])
print(cached.embed([str(i) for i in range(1000)]).shape)
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "(1000, 200)\n")
    assert "RuntimeWarning: the cache" in done.stderr
    assert all(file.suffix == ".sqlite" for file in tmp_path.iterdir())


def test_many_texts_are_kept_as_they_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.embed.cache.BLOCK", 10)
    texts = [f"text {i}" for i in range(1200)]
    inner, told = Counts(), list[tuple[int, int]]()
    Cached(inner, folder=tmp_path).embed(texts[:5])

    def stop(n_done: int, n_texts: int) -> None:
        told.append((n_done, n_texts))
        if n_done > 700:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Cached(inner, folder=tmp_path, progress=stop).embed(texts)
    assert told[0] == (5, 1200)
    assert told == sorted(told)
    n_kept = cached_models(tmp_path)[0].entries
    assert n_kept == 705
    assert Cached(inner, folder=tmp_path).embed(texts).tolist() == _expected(texts)
    assert sum(map(len, inner.asked)) == 1200


def test_a_model_is_run_less(folder: Path, tmp_path: Path) -> None:
    n_run: list[int] = []
    model = Onnx(folder, progress=lambda n_done, _n_texts: n_run.append(n_done))
    embedder = Cached(model, folder=tmp_path / "cache")
    first = embedder.embed(["the words", "there"])
    assert n_run
    n_run.clear()
    assert np.array_equal(embedder.embed(["there", "the words"]), first[::-1])
    assert not n_run
    assert embedder.concurrent


def test_what_is_not_finite_is_not_kept(tmp_path: Path) -> None:
    def embed(texts: list[str]) -> Any:
        return [[float("nan") if text == "bad" else 1.0] for text in texts]

    embedder = Cached(embed, name="mine", folder=tmp_path)
    assert np.isnan(embedder.embed(["good", "bad"])[1, 0])
    assert cached_models(tmp_path)[0].entries == 1
    with pytest.raises(ModelError, match="gave nan"):
        core_embedder(embedder).embed(["good", "bad"])


def test_a_model_that_changes_under_its_name(tmp_path: Path) -> None:
    Cached(Counts(), folder=tmp_path).embed(["a", "b"])
    changed = Counts(n_dims=3)
    for _ in range(2):
        assert Cached(changed, folder=tmp_path).embed(["a", "c"]).tolist() == [[1, 1, 1], [1, 1, 1]]
    assert changed.asked == [["c"], ["a", "c"]]


def test_pickled(tmp_path: Path) -> None:
    embedder = Cached(Counts(), folder=tmp_path)
    embedder.embed(["a"])
    again = pickle.loads(pickle.dumps(embedder))
    assert again.embed(["a"]).tolist() == [[1, 1]]
    assert again._embedder.asked == [["a"]]


def _file(folder: Path) -> Path:
    (model,) = cached_models(folder)
    return model.path


def _corrupted_page(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xff" * (file.stat().st_size - 4096))


def _sql(command: str) -> Callable[[Path], None]:
    def run(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute(command)

    return run


def _header_of(formats: bytes) -> Callable[[Path], None]:
    def run(file: Path) -> None:
        file.write_bytes(file.read_bytes()[:18] + formats + file.read_bytes()[20:])

    return run


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "zeros": lambda file: file.write_bytes(bytes(100)),
    "text": lambda file: file.write_text("no database " * 1000),
    "cut": lambda file: os.truncate(file, 5000),
    "header": lambda file: file.write_bytes(b"\0" * 100 + file.read_bytes()[100:]),
    "pages": _corrupted_page,
    "another version": _sql("PRAGMA user_version = 1"),
    "no table": _sql("DROP TABLE entries"),
    "no model": _sql("DELETE FROM namespace"),
    "another model": _sql("UPDATE namespace SET name = 'x'"),
    "another kind": _sql("UPDATE namespace SET kind = 'x'"),
    "other columns": _sql("ALTER TABLE entries RENAME COLUMN crc TO sum"),
    "another format": _header_of(b"\3\3"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    inner = Counts()
    embedder = Cached(inner, folder=tmp_path)
    texts = [f"text {i}" for i in range(300)]
    embedder.embed(texts)
    file = _file(tmp_path)
    DAMAGES[damage](file)
    with pytest.warns(RuntimeWarning, match=r"sqlite' is set aside as '.*\.damaged'"):
        assert embedder.embed(texts).tolist() == _expected(texts)
    # The next one has a whole file again.
    assert embedder.embed(texts).tolist() == _expected(texts)
    assert len(inner.asked) == 2
    assert file.with_name(f"{file.name}.damaged").exists()
    assert cached_models(tmp_path)[0].entries == 300


def test_an_empty_file_is_begun_again(tmp_path: Path) -> None:
    # It is what another process leaves that was killed before it wrote anything.
    inner = Counts()
    embedder = Cached(inner, folder=tmp_path)
    embedder.embed(["a"])
    file = _file(tmp_path)
    file.write_bytes(b"")
    assert [model.entries for model in cached_models(tmp_path)] == [0]
    for _ in range(2):
        assert embedder.embed(["a"]).tolist() == _expected(["a"])
    assert inner.asked == [["a"], ["a"]]
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("column", ["crc = crc + 1", "value = x'00'", "value = x'0000803f'"])
def test_a_damaged_vector_is_computed_again(tmp_path: Path, column: str) -> None:
    inner = Counts()
    embedder = Cached(inner, folder=tmp_path)
    embedder.embed(["a", "bc"])
    _sql(f"UPDATE entries SET {column} WHERE rowid = 1")(_file(tmp_path))
    with pytest.warns(RuntimeWarning, match="has damaged entries, which are made again: 1"):
        assert embedder.embed(["a", "bc"]).tolist() == _expected(["a", "bc"])
    # A second warning would be an error here.
    assert embedder.embed(["a", "bc"]).tolist() == _expected(["a", "bc"])
    assert inner.asked == [["a", "bc"], ["a"]]


def test_files_of_the_layout_before_are_left_alone(tmp_path: Path) -> None:
    old = tmp_path / f"{'0' * 32}.sqlite"
    old.write_bytes(b"of an earlier version")
    Cached(Counts(), folder=tmp_path).embed(["a"])
    assert len(cached_models(tmp_path)) == 1
    assert clear_cache(tmp_path) == 1
    assert [file.name for file in tmp_path.iterdir()] == [old.name]


def test_a_folder_that_cannot_be_used_costs_a_warning(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    inner = Counts()
    embedder = Cached(inner, folder=blocked)
    with pytest.warns(RuntimeWarning, match="cannot be used") as caught:
        assert embedder.embed(["a"]).tolist() == [[1, 1]]
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="this system has no modes of files")
def test_who_may_only_read_a_cache_reads_it() -> None:
    code = """
import os, sys
from chunkwright.embed import Cached
asked = []
def embed(texts):
    asked.append(texts)
    return [[float(len(text)), 1.0] for text in texts]
cached = Cached(embed, name="m", folder=sys.argv[1])
cached.embed(["a", "bc"])
for file in os.listdir(sys.argv[1]):
    os.chmod(os.path.join(sys.argv[1], file), 0o444)
os.chmod(sys.argv[1], 0o555)
if os.getuid() == 0:
    os.setuid(65534)  # root may write everywhere
assert cached.embed(["bc", "new"]).tolist() == [[2, 1], [3, 1]]
assert asked == [["a", "bc"], ["new"]], asked
"""
    # Not pytest's own folder, into which no other user may look.
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        Path(folder).chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert "cannot be used: attempt to write a readonly database" in done.stderr


def test_a_file_that_another_process_keeps_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwright.files.disk_cache._WAIT", 0.05)
    embedder = Cached(Counts(), folder=tmp_path)
    embedder.embed(["a"])
    with closing(sqlite3.connect(_file(tmp_path))) as other:
        other.execute("BEGIN IMMEDIATE")
        # Readers do not wait for a writer.
        assert embedder.embed(["a"]).tolist() == [[1, 1]]
        with pytest.warns(RuntimeWarning, match="cannot be used: database is locked"):
            assert embedder.embed(["a", "bc"]).tolist() == [[1, 1], [2, 2]]


def test_threads(tmp_path: Path) -> None:
    results: dict[int, list[list[float]]] = {}
    texts = [[f"{i * 7 % 40} text {'!' * (i % 3)}" for i in range(k, k + 60)] for k in range(8)]

    def work(k: int) -> None:
        for _ in range(3):
            results[k] = Cached(Counts(), folder=tmp_path).embed(texts[k]).tolist()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {k: _expected(texts[k]) for k in range(8)}


def test_processes(tmp_path: Path) -> None:
    code = """
import sys
from chunkwright.embed import Cached
def embed(texts):
    return [[float(len(text)), 1.0] for text in texts]
texts = [str(i) * (i % 5) for i in range(400)]
cached = Cached(embed, name="shared", folder=sys.argv[1])
for start in range(0, 400, 40):
    rows = cached.embed(texts[start : start + 80])
    assert rows.tolist() == embed(texts[start : start + 80])
"""
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path)]
    children = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    for child in children:
        assert child.communicate(timeout=60)[1] == b""
        assert child.returncode == 0
    assert [model.entries for model in cached_models(tmp_path)] == [
        len({str(i) * (i % 5) for i in range(400)})
    ]


def test_listing_and_clearing(tmp_path: Path) -> None:
    assert cached_models(tmp_path / "nowhere") == []
    assert clear_cache(tmp_path / "nowhere") == 0
    Cached(Counts("one"), folder=tmp_path).embed(["a", "bc"])
    Cached(Counts("two"), folder=tmp_path).embed(["a"])
    (tmp_path / f"vectors-{'0' * 32}.sqlite").write_bytes(
        b"no database at all, but long enough " * 9
    )
    (tmp_path / "notes.sqlite").write_text("not ours")
    (tmp_path / f"chunks-{'0' * 32}.sqlite").write_text("of another kind")
    found = cached_models(tmp_path)
    assert [(model.model, model.entries) for model in found] == [(None, 0), ("one", 2), ("two", 1)]
    assert all(model.bytes >= model.path.stat().st_size > 0 for model in found)
    assert clear_cache(tmp_path) >= 3
    assert sorted(file.name[:6] for file in tmp_path.iterdir()) == ["chunks", "notes."]


def test_where_vectors_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKWRIGHT_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here" / "vectors"
    Cached(Counts()).embed(["a"])
    assert [model.path.parent for model in cached_models()] == [cache_folder()]
    assert clear_cache() >= 1
    monkeypatch.delenv("CHUNKWRIGHT_CACHE")
    assert cache_folder().parts[-2:] == ("chunkwright", "vectors")
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[cache\]"):
        cache_folder()
