"""Static models: against model2vec itself, on models with random numbers."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from model2vec import StaticModel
from safetensors.numpy import save_file

from chunkwright.embed import Onnx, Static, as_embedder, core_embedder
from chunkwright.errors import MissingExtraError, ModelError
from tests.support.made_tokenizers import made

from .made_models import modules, write_json, write_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSIONS = 12
TEXTS = [
    "the words then there",
    "",
    "unknown zebra \u2603 then \U0001f680",
    "漢字 café e\u0301 " * 300,
    "these words " * 1500,
    "[CLS] then <mask>",
]


def _model(tokenizer: str, kind: str = "float32", **options: Any) -> StaticModel:
    random = np.random.default_rng(5)
    n_tokens = made(tokenizer).get_vocab_size()
    vectors = (random.normal(size=(n_tokens, DIMENSIONS)) * 30).astype(kind)
    if options.pop("is_mapped", False):
        options["token_mapping"] = random.integers(0, 40, n_tokens)
        options["weights"] = random.random(n_tokens).astype(np.float32)
        vectors = vectors[:40]
    config = {"model_type": "model2vec"}
    return StaticModel(vectors, made(tokenizer), config=config, **options)


def _saved(model: StaticModel, folder: Path) -> Path:
    model.save_pretrained(folder)
    return folder


def _close(found: NDArray[Any], expected: NDArray[Any]) -> None:
    # float16 rows are float16 there, and float32 here; sums are of float32 there, of float64 here.
    coarse = expected.dtype == np.float16
    scale = float(np.abs(expected.astype(np.float64)).max())
    np.testing.assert_allclose(found, expected, atol=scale * (2e-3 if coarse else 1e-4))


@pytest.mark.parametrize("tokenizer", ["bert", "wordlevel", "unigram", "llama3", "gpt2"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"kind": "float16"},
        {"kind": "int8"},
        {"is_mapped": True},
        {"normalize": True},
        {"max_length": 7},
        {"max_length": None},
    ],
)
def test_vectors_are_those_of_model2vec(
    tmp_path: Path, tokenizer: str, options: dict[str, Any]
) -> None:
    model = _model(tokenizer, **options)
    embedder = as_embedder(_saved(model, tmp_path / "made"))
    assert isinstance(embedder, Static)
    found = embedder.embed(TEXTS)
    assert found.dtype == np.float32
    _close(found, model.encode(TEXTS))


def test_sums_are_of_double_precision(tmp_path: Path) -> None:
    model = _model("bert", max_length=None)
    embedder = Static(_saved(model, tmp_path / "made"))
    text = "the words then there of these sentences " * 3000
    found, theirs = embedder.embed([text])[0], model.encode([text])[0]
    ids = made("bert").encode(text, add_special_tokens=False).ids
    exact = model.embedding[ids].astype(np.float64).mean(axis=0)
    # What is off is the last rounding, by half of the last digit; theirs is off by more.
    assert (found == exact.astype(np.float32)).all()
    assert (theirs != exact.astype(np.float32)).any()


def test_a_folder_of_sentence_transformers(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    inner = folder / "0_StaticEmbedding"
    inner.mkdir(parents=True)
    tokenizer = made("bert")
    vectors = np.random.default_rng(2).normal(size=(tokenizer.get_vocab_size(), DIMENSIONS))
    save_file({"embedding.weight": vectors.astype(np.float32)}, inner / "model.safetensors")
    (inner / "tokenizer.json").write_text(tokenizer.to_str(), "utf-8")
    write_json(folder / "modules.json", modules("StaticEmbedding", "Normalize"))
    text = "these unknown \u2603 words"
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    expected = vectors[ids].mean(axis=0)
    expected /= np.linalg.norm(expected)
    np.testing.assert_allclose(as_embedder(folder).embed([text])[0], expected, atol=1e-6)


def test_a_folder_with_both_is_told_by_its_modules(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "made", tokenizer="bert")
    assert isinstance(as_embedder(folder), Onnx)
    _model("bert").save_pretrained(folder)
    assert isinstance(as_embedder(folder), Static)


def test_pickled_equal_and_known_by_its_content(tmp_path: Path) -> None:
    folder = _saved(_model("bert"), tmp_path / "made")
    embedder = Static(folder)
    again = pickle.loads(pickle.dumps(embedder))
    assert again == embedder
    assert hash(again) == hash(embedder)
    assert np.array_equal(again.embed(TEXTS), embedder.embed(TEXTS))
    before = embedder.fingerprint
    assert before == Static(folder).fingerprint
    _saved(_model("bert", "float16"), folder)
    assert Static(folder).fingerprint != before


def test_the_core_has_it_without_python(tmp_path: Path) -> None:
    embedder = Static(_saved(_model("bert"), tmp_path / "made"))
    assert core_embedder(embedder) is embedder.core


def _table(**tensors: Any) -> Callable[[Path], None]:
    return lambda folder: save_file(tensors, folder / "model.safetensors")


def _bytes(name: str, content: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def _config(**config: Any) -> Callable[[Path], None]:
    return lambda folder: write_json(folder / "config.json", config)


def _tokenizer_without_model(folder: Path) -> None:
    content = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    write_json(folder / "tokenizer.json", {**content, "model": 3})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: (folder / "model.safetensors").unlink(), "safetensors' is missing"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json' is missing"),
        (_bytes("model.safetensors", b"short"), "model.safetensors' cannot be read"),
        (_bytes("tokenizer.json", b"{}"), "tokenizer.json' cannot be used"),
        (_tokenizer_without_model, "tokenizer.json' cannot be used"),
        (_bytes("config.json", b"{"), "config.json' cannot be read"),
        (_config(model_type="model2vec", max_length="x"), "'max_length' of .*config.json' .*'x'"),
        (_table(vectors=np.zeros((2, 2))), r"has no matrix 'embeddings', but \['vectors'\]"),
        (_table(embeddings=np.zeros(4)), "has no matrix 'embeddings'"),
        (_table(embeddings=np.zeros((300, 0))), "has no matrix 'embeddings'"),
        (_table(embeddings=np.ones((2, 4), dtype=np.complex64)), "has no matrix 'embeddings'"),
        (_table(embeddings=np.full((300, 4), 1e300)), "gave inf as value 0 of row 0"),
        (_table(embeddings=np.ones((2, 4))), "the model has no vector for token"),
        (
            _table(embeddings=np.ones((2, 4)), mapping=np.full(300, 5)),
            "model.safetensors' cannot be used: token 0 is mapped to row 5 of 2",
        ),
        (
            _table(embeddings=np.ones((2, 4)), mapping=np.full(300, -1)),
            "'mapping' of .*model.safetensors' is no vector of usable numbers",
        ),
        (
            _table(embeddings=np.ones((2, 4)), weights=np.ones((2, 2), dtype=np.complex64)),
            "'weights' of .*model.safetensors'",
        ),
        (_table(embeddings=np.full((300, 4), np.nan)), "nan"),
    ],
)
def test_odd_files_are_named(tmp_path: Path, change: Callable[[Path], None], message: str) -> None:
    folder = _saved(_model("bert"), tmp_path / "made")
    change(folder)
    with pytest.raises(ModelError, match=message):
        Static(folder).embed(["the words"])


def test_a_model_without_words(tmp_path: Path) -> None:
    folder = _saved(_model("wordlevel"), tmp_path / "made")
    content = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    content["model"]["vocab"], content["added_tokens"] = {}, []
    write_json(folder / "tokenizer.json", content)
    assert Static(folder).embed([""]).tolist() == [[0] * DIMENSIONS]


def test_a_library_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _saved(_model("bert"), tmp_path / "made")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[static\]"):
        core_embedder(folder)
