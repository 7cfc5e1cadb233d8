"""Models in the ONNX format: small ones whose vectors are known exactly."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from chunkwright.embed import Onnx, Static, core_embedder
from chunkwright.embed.onnx.graph import Graph, batches
from chunkwright.errors import ConfigError, MissingExtraError, ModelError
from tests.support.made_tokenizers import made

from .made_models import DIMENSIONS, INT32, tokens_of, write_json, write_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = [
    "the words then there",
    "",
    "sentence",
    "count the words of these sentences, and then those of their words",
    "the words then there",
    "漢字 café",
]


def _weighted(tokens: NDArray[Any]) -> NDArray[Any]:
    weights = np.arange(1, len(tokens) + 1)[:, None]
    return np.asarray((tokens * weights).sum(axis=0) / weights.sum())


POOLED: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "cls": lambda tokens: tokens[0],
    "max": lambda tokens: tokens.max(axis=0),
    "mean": lambda tokens: tokens.mean(axis=0),
    "mean_sqrt_len_tokens": lambda tokens: tokens.sum(axis=0) / np.sqrt(len(tokens)),
    "weightedmean": _weighted,
    "lasttoken": lambda tokens: tokens[-1],
}
FLAGS = {
    "cls": "pooling_mode_cls_token",
    "max": "pooling_mode_max_tokens",
    "mean": "pooling_mode_mean_tokens",
    "mean_sqrt_len_tokens": "pooling_mode_mean_sqrt_len_tokens",
    "weightedmean": "pooling_mode_weightedmean_tokens",
    "lasttoken": "pooling_mode_lasttoken",
}


def _expected(texts: list[str], mode: str = "mean") -> NDArray[Any]:
    return np.stack([POOLED[mode](tokens_of(text)) for text in texts])


@pytest.mark.parametrize("mode", POOLED)
@pytest.mark.parametrize("form", ["named", "listed", "flag", "option"])
def test_pooling(tmp_path: Path, mode: str, form: str) -> None:
    configs: dict[str, dict[str, Any]] = {
        "named": {"pooling_mode": mode},
        "listed": {"pooling_mode": [mode], "word_embedding_dimension": DIMENSIONS},
        "flag": {flag: flag == FLAGS[mode] for flag in FLAGS.values()},
        "option": {"pooling_mode": "max" if mode == "mean" else "mean"},
    }
    path = write_model(tmp_path / "made", pooling=configs[form])
    embedder = Onnx(path, pooling=mode if form == "option" else None)
    found = embedder.embed(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, _expected(TEXTS, mode), atol=1e-6)


def test_several_poolings_follow_one_another(tmp_path: Path) -> None:
    pooling = {FLAGS["mean"]: True, FLAGS["cls"]: True}
    found = Onnx(write_model(tmp_path / "made", pooling=pooling)).embed(TEXTS)
    expected = np.hstack([_expected(TEXTS, "cls"), _expected(TEXTS, "mean")])
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_normalize(tmp_path: Path) -> None:
    path = write_model(tmp_path / "made", kinds=("Transformer", "Pooling", "Normalize"))
    expected = _expected(TEXTS)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(Onnx(path).embed(TEXTS), expected, atol=1e-6)


@pytest.mark.parametrize("activation", ["linear.Identity", "activation.Tanh"])
@pytest.mark.parametrize("has_bias", [True, False])
def test_dense(tmp_path: Path, activation: str, has_bias: bool) -> None:
    path = write_model(tmp_path / "made", kinds=("Transformer", "Pooling", "Dense"))
    random = np.random.default_rng(3)
    weight = random.normal(size=(4, DIMENSIONS)).astype(np.float32)
    bias = random.normal(size=4).astype(np.float32)
    tensors = {"linear.weight": weight} | ({"linear.bias": bias} if has_bias else {})
    write_json(
        path / "2_Dense" / "config.json",
        {"in_features": DIMENSIONS, "activation_function": f"torch.nn.modules.{activation}"},
    )
    save_file(tensors, path / "2_Dense" / "model.safetensors")
    expected = _expected(TEXTS) @ weight.T + (bias if has_bias else 0)
    expected = np.tanh(expected) if "Tanh" in activation else expected
    np.testing.assert_allclose(Onnx(path).embed(TEXTS), expected, atol=1e-5)


def test_order_duplicates_and_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[tuple[int, ...]] = []
    run = Graph.run

    def recorded(self: Graph, ids: Any, mask: Any) -> Any:
        shapes.append(ids.shape)
        return run(self, ids, mask)

    monkeypatch.setattr(Graph, "run", recorded)
    texts = ["words " * (i % 23) + f"{i % 10}" for i in range(300)]
    found = Onnx(folder, batch_tokens=64, workers=1).embed(texts)
    np.testing.assert_allclose(found, _expected(texts), atol=1e-6)
    assert sum(n for n, _ in shapes) == len(set(texts)) < len(texts)
    assert all(n == 1 or n * length <= 64 for n, length in shapes)
    assert max(n for n, _ in shapes) > 1


def test_batches_waste_little() -> None:
    random = np.random.default_rng(1)
    lengths = random.integers(5, 80, size=1000).tolist()
    made_of = batches(lengths, 512)
    assert sorted(row for batch in made_of for row in batch.rows) == list(range(1000))
    assert all(max(lengths[row] for row in batch.rows) == batch.length for batch in made_of)
    assert sum(lengths) > 0.95 * sum(len(batch.rows) * batch.length for batch in made_of)


def test_threads_and_blocks_change_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word {i} " * (i % 7) for i in range(200)]
    one = Onnx(folder, workers=1, batch_tokens=50).embed(texts)
    assert np.array_equal(Onnx(folder, workers=3, batch_tokens=50).embed(texts), one)
    monkeypatch.setattr("chunkwright.embed.onnx.model.BLOCK", 17)
    found = Onnx(folder, workers=3, batch_tokens=50).embed(texts)
    np.testing.assert_allclose(found, one, atol=1e-6)


def test_threads_of_the_caller_share_a_model(folder: Path) -> None:
    embedder = Onnx(folder, workers=2, batch_tokens=30)
    texts = [[f"words {i} of {k}" for i in range(40)] for k in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(embedder.embed, texts))
    for given, vectors in zip(texts, found, strict=True):
        np.testing.assert_allclose(vectors, _expected(given), atol=1e-6)


def test_no_text(folder: Path) -> None:
    assert Onnx(folder).embed([]).shape == (0, 1)


def test_a_tokenizer_without_special_tokens(tmp_path: Path) -> None:
    path = write_model(tmp_path / "made", tokenizer="wordlevel")
    found = Onnx(path).embed(["", "words"])
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[1], tokens_of("words", "wordlevel")[0], atol=1e-6)


def test_surrogates_become_replacement_characters(folder: Path) -> None:
    found = Onnx(folder).embed(["a \ud83d\ude80 \ud800", "a 🚀 \ufffd"])
    assert np.array_equal(found[0], found[1])


@pytest.mark.parametrize("where", ["option", "sentence", "tokenizer", "positions", "roberta"])
def test_long_texts_are_truncated(tmp_path: Path, where: str) -> None:
    path = write_model(tmp_path / "made", max_tokens=5 if where == "sentence" else None)
    limits = {"tokenizer": 5, "positions": int(1e30)}
    if where in limits:
        write_json(path / "tokenizer_config.json", {"model_max_length": limits[where]})
    if where == "positions":
        write_json(path / "config.json", {"max_position_embeddings": 5})
    if where == "roberta":
        (path / "sentence_bert_config.json").unlink()
        write_json(path / "sentence_roberta_config.json", {"max_seq_length": 5})
    embedder = Onnx(path, max_tokens=5 if where == "option" else None)
    ids = made("bert").encode("the the the").ids
    assert len(ids) == 5
    long, short = embedder.embed(["the " * 50, "the the the"])
    np.testing.assert_allclose(long, short, atol=1e-6)


def test_a_tokenizer_without_a_maximum(folder: Path) -> None:
    write_json(folder / "tokenizer_config.json", {"model_max_length": int(1e30)})
    text = "the words " * 2000
    np.testing.assert_allclose(Onnx(folder).embed([text])[0], _expected([text])[0], atol=1e-4)


def test_what_the_tokenizer_file_truncates_and_pads_is_left_out(folder: Path) -> None:
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text("utf-8"))
    tokenizer = made("bert").from_str(json.dumps(content))
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=64, pad_id=3, pad_token="[X]")  # noqa: S106
    file.write_text(tokenizer.to_str(), "utf-8")
    np.testing.assert_allclose(Onnx(folder).embed(TEXTS), _expected(TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        {"ints": INT32},
        {"inputs": ("input_ids",)},
        {"inputs": ("input_ids", "attention_mask", "position_ids")},
        {"outputs": ("sentence_embedding", "token_embeddings")},
        {"outputs": ("tokens",)},
        {"is_half": True},
    ],
)
def test_graphs(tmp_path: Path, options: dict[str, Any]) -> None:
    path = write_model(tmp_path / "made", **options)
    tolerance = 1e-2 if "is_half" in options else 1e-6
    found = Onnx(path).embed(TEXTS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, _expected(TEXTS), atol=tolerance)


@pytest.mark.parametrize("name", ["sentence_embedding", "pooled"])
def test_a_graph_that_pools(tmp_path: Path, name: str) -> None:
    path = write_model(tmp_path / "made", outputs=(name,), kinds=())
    # Texts of one length: this graph's mean takes padding in.
    found = Onnx(path).embed(["the words", "then there"])
    np.testing.assert_allclose(found, _expected(["the words", "then there"]), atol=1e-6)


def test_a_graph_that_rounds_by_the_batch_runs_texts_alone(tmp_path: Path) -> None:
    embedder = Onnx(write_model(tmp_path / "made", is_dynamic=True))
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(together, alone)
    np.testing.assert_allclose(together, _expected(TEXTS), atol=0.05)


@pytest.mark.parametrize("place", ["model.onnx", "onnx/other.onnx", "other.onnx"])
def test_where_the_graph_lies(folder: Path, place: str) -> None:
    shutil.move(folder / "onnx" / "model.onnx", folder / place)
    file = None if place == "model.onnx" else "other.onnx"
    assert Onnx(folder, file=file).embed(["a"]).shape == (1, DIMENSIONS)


def test_an_older_folder_has_a_folder_for_the_transformer(folder: Path) -> None:
    inner = folder / "0_Transformer"
    inner.mkdir()
    for name in ("onnx", "tokenizer.json", "sentence_bert_config.json"):
        shutil.move(folder / name, inner / name)
    listed = json.loads((folder / "modules.json").read_text())
    listed[0]["path"] = "0_Transformer"
    write_json(folder / "modules.json", listed)
    np.testing.assert_allclose(Onnx(folder).embed(TEXTS), _expected(TEXTS), atol=1e-6)


def test_prompts_and_lower_case(folder: Path) -> None:
    prefixed = _expected([f"query: {text}" for text in TEXTS])
    np.testing.assert_allclose(
        Onnx(folder, passage_prompt="query: ").embed(TEXTS), prefixed, atol=1e-6
    )
    write_json(
        folder / "config_sentence_transformers.json",
        {"prompts": {"query": "query: "}, "default_prompt_name": "query"},
    )
    np.testing.assert_allclose(Onnx(folder).embed(TEXTS), prefixed, atol=1e-6)
    np.testing.assert_allclose(
        Onnx(folder, passage_prompt="").embed(TEXTS), _expected(TEXTS), atol=1e-6
    )


def test_queries_have_a_prompt_of_their_own(folder: Path) -> None:
    def prefixed(prompt: str) -> Any:
        return _expected([f"{prompt}{text}" for text in TEXTS])

    given = Onnx(folder, query_prompt="query: ", passage_prompt="passage: ")
    for embedder in (given, Onnx(folder)):
        np.testing.assert_allclose(
            embedder.embed_queries(TEXTS),
            prefixed("query: " if embedder is given else ""),
            atol=1e-6,
        )
    for name in ("document", "passage", "corpus"):
        prompts = {"query": "query: ", name: "passage: ", "sts": "other: "}
        write_json(folder / "config_sentence_transformers.json", {"prompts": prompts})
        own = Onnx(folder)
        assert own.fingerprint == given.fingerprint
        np.testing.assert_allclose(own.embed(TEXTS), prefixed("passage: "), atol=1e-6)
        np.testing.assert_allclose(own.embed_queries(TEXTS), prefixed("query: "), atol=1e-6)


def test_lower_case(tmp_path: Path) -> None:
    path = write_model(tmp_path / "made", tokenizer="gpt2")
    write_json(path / "sentence_bert_config.json", {"do_lower_case": True})
    big, small = Onnx(path).embed(["The Words", "the words"])
    assert np.array_equal(big, small)


def test_progress(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    texts = [*TEXTS, *(f"text {i}" for i in range(20))]
    n_texts = len(set(texts))
    Onnx(folder, batch_tokens=16, progress=lambda *numbers: told.append(numbers)).embed(texts)
    assert told[0] == (0, n_texts)
    assert told[-1] == (n_texts, n_texts)
    assert told == sorted(told)
    assert len(told) > 3


def test_an_interrupt_passes(folder: Path) -> None:
    def interrupt(n_done: int, _n_texts: int) -> None:
        if n_done:
            raise KeyboardInterrupt

    embedder = Onnx(folder, batch_tokens=8, workers=2, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        core_embedder(embedder).embed([f"text {i}" for i in range(50)])


def test_pickled_equal_and_hashable(folder: Path) -> None:
    embedder = Onnx(folder, pooling="cls", workers=2)
    embedder.embed(["a"])
    again = pickle.loads(pickle.dumps(embedder))
    assert again == embedder
    assert hash(again) == hash(embedder)
    assert np.array_equal(again.embed(TEXTS), embedder.embed(TEXTS))
    assert Onnx(folder) != embedder


def test_the_fingerprint_is_of_what_changes_vectors(folder: Path, tmp_path: Path) -> None:
    plain = Onnx(folder).fingerprint
    copied = tmp_path / "elsewhere" / "made"
    shutil.copytree(folder, copied)
    assert Onnx(copied, workers=2, batch_tokens=99).fingerprint == plain
    changed = [
        Onnx(folder, pooling="cls"),
        Onnx(folder, max_tokens=7),
        Onnx(folder, passage_prompt="query: "),
    ]
    assert len({plain, *(embedder.fingerprint for embedder in changed)}) == 4
    with (folder / "onnx" / "model.onnx").open("ab") as graph:
        graph.write(b"\x12\x01x")
    assert Onnx(folder).fingerprint != plain


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _holding(name: str, content: Any) -> Callable[[Path], None]:
    return lambda folder: write_json(folder / name, content)


def _bytes(name: str, content: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return write


TRANSFORMER = {"type": "sentence_transformers.models.Transformer", "path": ""}
DENSE = {"type": "sentence_transformers.models.Dense", "path": "2_Dense"}
POOLING = {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without("tokenizer.json"), r"tokenizer.json' is missing"),
        (_bytes("tokenizer.json", b"{}"), r"tokenizer.json' cannot be used"),
        (_bytes("tokenizer.json", b"\xff"), r"tokenizer.json' cannot be used"),
        (_without("onnx/model.onnx"), r"no graph 'onnx/model.onnx' or 'model.onnx'$"),
        (_bytes("onnx/model.onnx", b""), r"model.onnx' cannot be used"),
        (_bytes("onnx/model.onnx", b"no graph"), r"model.onnx' cannot be used"),
        (_without("modules.json"), r"no 'Pooling' in 'modules.json' says .* pooling='mean'"),
        (_bytes("modules.json", b"[[["), r"modules.json' cannot be read"),
        (_bytes("modules.json", b"[" * 100_000), r"modules.json' cannot be read"),
        (_holding("modules.json", {}), r"modules.json' must hold a list"),
        (_holding("modules.json", [3]), r"module 0 of .*modules.json' needs a 'type'"),
        (
            _holding("modules.json", [TRANSFORMER, {"type": "WordWeights"}]),
            "module 1 .*WordWeights",
        ),
        (_holding("modules.json", [TRANSFORMER, DENSE]), "module 1 .*'Dense'"),
        (_holding("modules.json", [TRANSFORMER, POOLING, POOLING]), "module 2 .*'Pooling'"),
        (_without("1_Pooling/config.json"), r"1_Pooling/config.json' is missing"),
        (_holding("1_Pooling/config.json", []), r"config.json' must hold an object, got list"),
        (_holding("1_Pooling/config.json", {"pooling_mode": "sum"}), "'pooling_mode' .*'sum'"),
        (_holding("1_Pooling/config.json", {"pooling_mode": 3}), "'pooling_mode' .*3"),
        (_holding("1_Pooling/config.json", {"pooling_mode": []}), r"'pooling_mode' .*\[\]"),
        (_holding("1_Pooling/config.json", {"pooling_mode": [["mean"]]}), "'pooling_mode' .*mean"),
        (_holding("modules.json", [TRANSFORMER]), "no 'Pooling' in 'modules.json' says how"),
        (
            _holding("config_sentence_transformers.json", {"default_prompt_name": ["x"]}),
            "'default_prompt_name' of .*names no prompt: ",
        ),
        (
            _holding("sentence_bert_config.json", {"max_seq_length": "long"}),
            "'max_seq_length' of .*sentence_bert_config.json' must be a positive int, got 'long'",
        ),
        (
            _holding("tokenizer_config.json", {"model_max_length": 0}),
            "'model_max_length' of .*tokenizer_config.json' must be a positive int, got 0",
        ),
        (
            _holding("config_sentence_transformers.json", {"default_prompt_name": "x"}),
            "'default_prompt_name' of .*names no prompt: 'x'",
        ),
        (
            _holding("modules.json", [TRANSFORMER, POOLING, DENSE]),
            "2_Dense/config.json' is missing",
        ),
    ],
)
def test_odd_files_are_named(folder: Path, change: Callable[[Path], None], message: str) -> None:
    change(folder)
    with pytest.raises(ModelError, match=message):
        Onnx(folder).embed(["text"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": ("input_ids", "pixels")}, "model.onnx' has an input that is unknown: 'pixels'"),
        ({"outputs": ("a", "b")}, "model.onnx' has no output last_hidden_state, .* but a, b"),
    ],
)
def test_odd_graphs_are_named(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    path = write_model(tmp_path / "made", **options)
    with pytest.raises(ModelError, match=message):
        Onnx(path).embed(["text"])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"activation_function": "torch.nn.GELU"}, "'activation_function' .*'torch.nn.GELU'"),
        ({"use_residual": True}, "'use_residual' of .*2_Dense/config.json' is not supported: True"),
        ({}, "2_Dense/model.safetensors' is missing"),
    ],
)
def test_odd_projections_are_named(tmp_path: Path, config: dict[str, Any], message: str) -> None:
    path = write_model(tmp_path / "made", kinds=("Transformer", "Pooling", "Dense"))
    write_json(path / "2_Dense" / "config.json", config)
    with pytest.raises(ModelError, match=message):
        Onnx(path)


def test_weights_of_another_size_are_an_error(tmp_path: Path) -> None:
    path = write_model(tmp_path / "made", kinds=("Transformer", "Pooling", "Dense"))
    write_json(path / "2_Dense" / "config.json", {})
    cases: list[tuple[dict[str, Any], str]] = [
        ({"weight": np.zeros((2, 2))}, r"model.safetensors' has no tensor 'linear.weight'"),
        ({"linear.weight": np.zeros((2, 9))}, r"model.safetensors' takes vectors of 9 numbers"),
        ({"linear.weight": np.zeros(9)}, r"'linear.weight' of .*model.safetensors' is no matrix"),
    ]
    for tensors, message in cases:
        save_file(tensors, path / "2_Dense" / "model.safetensors")
        with pytest.raises(ModelError, match=message):
            Onnx(path).embed(["text"])


def test_a_tokenizer_of_another_model_is_an_error(folder: Path) -> None:
    (folder / "tokenizer.json").write_text(made("gpt2").to_str(), "utf-8")
    with pytest.raises(ModelError, match=r"model.onnx' failed on a batch of 1x"):
        Onnx(folder).embed(["漢字 café é 🚀 text text"])


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": 0},
        {"batch_tokens": 1.5},
        {"batch_tokens": None},
        {"file": 3},
        {"query_prompt": b"query"},
        {"workers": True},
        {"workers": "2"},
        {"pooling": "average"},
        {"providers": "CPUExecutionProvider"},
        {"progress": 3},
    ],
)
def test_odd_options(folder: Path, options: dict[str, Any]) -> None:
    (value,) = options.values()
    with pytest.raises(ConfigError, match=repr(value)):
        Onnx(folder, **options)


@pytest.mark.parametrize("kind", [Onnx, Static])
@pytest.mark.parametrize("path", [3, None, "", b"bytes"])
def test_odd_paths(kind: Any, path: Any) -> None:
    with pytest.raises(ConfigError, match=f"path must be the path of a folder, got {path!r}"):
        kind(path)


def test_providers_that_are_not_there(folder: Path) -> None:
    gpu_first: list[Any] = [("NoSuchProvider", {"device_id": 0}), "CPUExecutionProvider"]
    with pytest.warns(UserWarning, match="'NoSuchProvider' is not in available"):
        assert Onnx(folder, providers=gpu_first).embed(["a"]).shape == (1, DIMENSIONS)
    with pytest.raises(ModelError, match=r"none of the providers \['NoSuchProvider'\], but \["):
        Onnx(folder, providers=gpu_first[:1]).embed(["a"])


def test_an_exception_that_is_kept_keeps_no_thread_at_work(folder: Path) -> None:
    def fail(n_done: int, _n_texts: int) -> None:
        if n_done:
            raise RuntimeError

    embedder = Onnx(folder, batch_tokens=8, workers=2, progress=fail)
    with pytest.raises(RuntimeError) as caught:
        embedder.embed([f"text {i}" for i in range(500)])
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith("chunkwright-worker")], caught


def test_a_graph_that_is_named_and_missing(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"no graph 'q.onnx' or .*one of 'onnx/model.onnx'"):
        Onnx(folder, file="q.onnx")


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_library_that_is_missing(
    folder: Path, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"chunkwright\[onnx\]"):
        core_embedder(folder).embed(["text"])
