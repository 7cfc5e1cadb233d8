"""What can be made an embedder, and how the core is given vectors."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import chunkwright as cw
from chunkwright import _core
from chunkwright.embed import (
    Cached,
    Embedder,
    Lexical,
    Onnx,
    OpenAICompatible,
    as_embedder,
    core_embedder,
)
from chunkwright.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = ["one", "three", "eleven"]
ROWS = [[3.0, 1.0], [5.0, 1.0], [6.0, 1.0]]


def lengths(texts: Sequence[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0] for text in texts]


class Ours:
    fingerprint = "lengths"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array(lengths(texts), dtype=np.float32)


class Generates:
    def embed(self, texts: list[str]) -> Any:
        return (np.array(row) for row in lengths(texts))


class Encodes:
    def encode(self, texts: list[str]) -> Any:
        return np.array(lengths(texts), dtype=np.float16)

    def __call__(self, texts: list[str]) -> Any:
        raise AssertionError(texts)


class EmbedsDocuments:
    def embed_documents(self, texts: list[str]) -> Any:
        return lengths(texts)

    def embed_query(self, text: str) -> Any:
        raise AssertionError(text)


class OfLlamaIndex:
    def get_text_embedding_batch(self, texts: list[str]) -> Any:
        return tuple(map(tuple, lengths(texts)))


FORMS = [Ours(), Generates(), Encodes(), EmbedsDocuments(), OfLlamaIndex(), lengths]


@pytest.mark.parametrize("like", FORMS)
def test_forms(like: Any) -> None:
    embedder = as_embedder(like)
    assert isinstance(embedder, Embedder)
    assert np.asarray(embedder.embed(TEXTS)).tolist() == ROWS
    core = core_embedder(like)
    assert np.asarray(core.embed(TEXTS)).tolist() == ROWS
    assert len(np.asarray(core.embed([]))) == 0
    assert as_embedder(embedder) is embedder
    again = pickle.loads(pickle.dumps(embedder))
    assert np.asarray(again.embed(TEXTS)).tolist() == ROWS


def test_a_fingerprint_is_not_asked_for_before_it_is_needed() -> None:
    class Costly(Ours):
        @property
        def fingerprint(self) -> str:  # type: ignore[override]
            raise AssertionError

    embedder = Costly()
    assert as_embedder(embedder) is embedder
    assert np.asarray(core_embedder(embedder).embed(TEXTS)).tolist() == ROWS


def test_names_and_folders(folder: Path) -> None:
    assert as_embedder("lexical") == Lexical()
    assert as_embedder(folder) == Onnx(folder)
    assert np.array_equal(as_embedder(str(folder)).embed(["a"]), Onnx(folder).embed(["a"]))


@pytest.mark.parametrize(
    ("like", "message"),
    [
        ("lexicl", "unknown embedder 'lexicl': .*did you mean 'lexical'"),
        ("", "unknown embedder ''"),
        ("all-MiniLM-L6-v2", "unknown embedder 'all-MiniLM-L6-v2': there is no such folder"),
        ("a\0b", "unknown embedder"),
        (Path("nowhere") / "at all", "unknown embedder 'nowhere/at all': there is no such folder"),
        (Path(__file__), "test_as_embedder.py': it is a file, not a folder"),
        (3, "3 is no embedder: 'lexical', a model's folder"),
        (None, "None is no embedder"),
        ([lengths], "is no embedder"),
        (Ours, "embedder must be an object, got the class Ours"),
    ],
)
def test_what_is_none(like: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        as_embedder(like)
    with pytest.raises(ConfigError, match=message):
        core_embedder(like)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="has no graph"):
        as_embedder(tmp_path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[1.0], [2.0, 3.0], [1.0]], "row 1 has 2 values, row 0 has 1"),
        ([[1.0], [2.0]], "gave 2 vectors for 3 texts"),
        ([1.0, 2.0, 3.0], r"shape \(3, d\), got \(3,\)"),
        (np.zeros((3, 0)), r"shape \(3, d\), got \(3, 0\)"),
        (np.zeros((3, 2, 2)), r"got \(3, 2, 2\)"),
        ([["a"], ["b"], ["c"]], "gave no numbers, but list of type"),
        ([[None], [1.0], [1.0]], "gave no numbers, but list of type object"),
        (None, "gave no numbers, but NoneType"),
        (np.ones((3, 2), dtype=bool), "no numbers"),
        (np.ones((3, 2), dtype=complex), "no numbers"),
        ([[1.0], [float("inf")], [1.0]], "gave inf as value 0 of row 1"),
        ([[1.0], [1.0], [float("nan")]], "gave nan as value 0 of row 2"),
    ],
)
def test_what_is_no_matrix(given: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        core_embedder(lambda _texts: given).embed(TEXTS)


def _given(matrix: Any, _texts: list[str]) -> Any:
    return matrix


@pytest.mark.parametrize(
    "kind", ["float16", "float32", ">f4", "float64", ">f8", "longdouble", "int8", "uint64"]
)
def test_kinds_of_numbers(kind: str) -> None:
    given = np.array([[1, 2], [3, 4], [5, 6]]).astype(kind)
    for matrix in (given, np.asfortranarray(given), given[::-1], given[:, ::-1]):
        core = core_embedder(partial(_given, matrix))
        assert np.asarray(core.embed(TEXTS)).tolist() == matrix.astype(float).tolist()


def test_memory_that_is_not_aligned() -> None:
    memory = bytearray(b"\0" + np.arange(6, dtype="<f4").tobytes())
    matrix = np.frombuffer(memory, dtype="<f4", offset=1).reshape(3, 2)
    assert not matrix.flags.aligned
    core = core_embedder(partial(_given, matrix))
    assert np.asarray(core.embed(TEXTS)).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_matrices_are_not_copied() -> None:
    from chunkwright.embed.vectors import matrix_of

    for kind in (np.float32, np.float64):
        given = np.ones((3, 2), dtype=kind)
        assert matrix_of(given, 3) is given


def test_an_exception_becomes_an_error_from_it() -> None:
    def fail(_texts: list[str]) -> Any:
        raise RuntimeError("no more memory")

    with pytest.raises(ModelError, match=r"failed on 3 texts: RuntimeError\('no more") as caught:
        core_embedder(fail).embed(TEXTS)
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_other_exceptions_pass(kind: type[BaseException]) -> None:
    def stop(_texts: list[str]) -> Any:
        raise kind

    with pytest.raises(kind):
        core_embedder(stop).embed(TEXTS)


class Counting:
    """Says how many threads were in it at once."""

    def __init__(self, *, concurrent: bool | None) -> None:
        self.most = self.n_inside = 0
        self._met = threading.Condition()
        # Seconds for another thread to come in: where none may, there is nothing to wait for.
        self._patience = 60 if concurrent else 0.02
        self.fingerprint = "counting"
        if concurrent is not None:
            self.concurrent = concurrent

    def embed(self, texts: Sequence[str]) -> Any:
        with self._met:
            self.n_inside += 1
            self.most = max(self.most, self.n_inside)
            self._met.notify_all()
            self._met.wait_for(lambda: self.most > 1, self._patience)
            self.n_inside -= 1
        return lengths(texts)


@pytest.mark.parametrize("concurrent", [None, False, True])
def test_threads_wait_for_one_another(concurrent: bool | None) -> None:
    embedder = Counting(concurrent=concurrent)
    core = core_embedder(embedder)
    threads = [threading.Thread(target=core.embed, args=(TEXTS,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (embedder.most > 1) is (concurrent is True)


def test_an_embedder_may_use_itself() -> None:
    def nested(texts: list[str]) -> Any:
        if len(texts) > 1:
            return np.concatenate([np.asarray(core.embed([text])) for text in texts])
        return lengths(texts)

    core = core_embedder(nested)
    assert np.asarray(core.embed(TEXTS)).tolist() == ROWS


def test_lexical() -> None:
    found = Lexical().embed(["cats purr", "cats sleep", "engines hum", ""])
    assert found.shape == (4, 4096)
    cosines = found @ found.T
    assert cosines[0, 1] > cosines[0, 2]
    assert not found[3].any()
    assert np.asarray(core_embedder(Lexical(16)).embed(["cats"])).shape == (1, 16)
    assert Lexical(16).fingerprint != Lexical().fingerprint


def test_ours_can_be_called() -> None:
    lexical = Lexical(8)
    assert np.array_equal(lexical(TEXTS), lexical.embed(TEXTS))
    # As Chroma calls it.
    assert np.array_equal(lexical(input=TEXTS), lexical.embed(TEXTS))
    assert as_embedder(lexical) is lexical


@pytest.mark.parametrize("kind", ["lexical", "onnx", "cached", "openai"])
def test_texts_are_a_list_of_texts(folder: Path, tmp_path: Path, kind: str) -> None:
    embedders: dict[str, Embedder] = {
        "lexical": Lexical(),
        "onnx": Onnx(folder),
        "cached": Cached(Ours(), folder=tmp_path),
        "openai": OpenAICompatible("http://localhost/v1", "small"),
    }
    with pytest.raises(ConfigError, match="texts must be a list of str, got str"):
        embedders[kind].embed("text")
    with pytest.raises(ConfigError, match=r"texts\[1\] must be a str, got NoneType"):
        embedders[kind].embed(["text", None])  # type: ignore[list-item]


@pytest.mark.parametrize("dimensions", [0, -1, 1.5, "8", True, None, 2**40])
def test_odd_dimensions(dimensions: Any) -> None:
    with pytest.raises(
        ConfigError, match=r"dimensions must be (an int|at least 1|between 1 and .*), got"
    ):
        Lexical(dimensions)


def test_importing_embedders_loads_no_library() -> None:
    import subprocess
    import sys

    heavy = ["numpy", "onnxruntime", "tokenizers", "safetensors", "openai", "sqlite3"]
    code = f"import sys, chunkwright.embed; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_interrupt_stops_the_threads_that_embed() -> None:
    both_embed, stopped = threading.Barrier(2, timeout=60), threading.Event()

    class Endless:
        fingerprint, concurrent = "endless", True

        def embed(self, _texts: Sequence[str]) -> Any:
            both_embed.wait()
            if threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            try:
                # As a model does between its batches.
                for _ in range(10_000):
                    _core.check_signals()
                    time.sleep(0.001)
            except KeyboardInterrupt:
                stopped.set()
                raise

    splitter = cw.Kamradt(max_chars=100, embedder=Endless())
    with pytest.raises(KeyboardInterrupt):
        # So long that each goes to a thread.
        splitter.batch(["One. Two. Three. " * 10_000] * 2, workers=2)
    assert stopped.is_set()
    # Only threads of that run were stopped.
    _core.check_signals()
