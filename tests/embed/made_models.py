"""Small models of every kind, written by hand: a table in a graph, and the folder around it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.made_tokenizers import made

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOAT, INT32, INT64, FLOAT16 = 1, 6, 7, 10
DIMENSIONS = 6
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _field(number: int, value: int | str | bytes) -> bytes:
    """Return a field of a protobuf message."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _fields(number: int, values: Iterable[int | str | bytes]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def _node(kind: str, inputs: list[str], outputs: list[str], **ints: int) -> bytes:
    attributes = [_field(1, k) + _field(3, v) + _field(20, 2) for k, v in ints.items()]
    return _fields(1, inputs) + _fields(2, outputs) + _field(4, kind) + _fields(5, attributes)


def _tensor(name: str, values: NDArray[Any], kind: int) -> bytes:
    return (
        _fields(1, values.shape) + _field(2, kind) + _field(8, name) + _field(9, values.tobytes())
    )


def _value(name: str, kind: int, shape: tuple[str | int, ...]) -> bytes:
    dims = (_field(1, n) if isinstance(n, int) else _field(2, n) for n in shape)
    tensor = _field(1, kind) + _field(2, _fields(1, dims))
    return _field(1, name) + _field(2, _field(1, tensor))


def table(n_tokens: int) -> NDArray[np.float32]:
    """Return the vectors of tokens that every graph here holds."""
    return np.random.default_rng(7).normal(size=(n_tokens, DIMENSIONS)).astype(np.float32)


def graph(  # noqa: PLR0913 - each is one thing that graphs differ in
    n_tokens: int,
    *,
    inputs: tuple[str, ...] = INPUTS,
    ints: int = INT64,
    outputs: tuple[str, ...] = ("last_hidden_state",),
    is_half: bool = False,
    is_dynamic: bool = False,
) -> bytes:
    """Return a graph that looks tokens up.

    Parameters
    ----------
    n_tokens
        The size of the vocabulary.
    inputs, ints
        Names of inputs, all but the first unused, and their type.
    outputs
        Names; ``sentence_embedding`` and what begins with ``pooled`` is the plain mean of tokens.
    is_half
        Whether the output is of float16.
    is_dynamic
        Whether vectors are rounded by the largest number of the batch.
    """
    nodes = [_node("Gather", ["table", inputs[0]], ["looked_up"])]
    last = "looked_up"
    if is_dynamic:
        nodes += [
            _node("DynamicQuantizeLinear", [last], ["q", "scale", "zero"]),
            _node("DequantizeLinear", ["q", "scale", "zero"], ["rounded"]),
        ]
        last = "rounded"
    if is_half:
        nodes.append(_node("Cast", [last], ["half"], to=FLOAT16))
        last = "half"
    nodes += [_output_node(last, name) for name in outputs]
    kind = FLOAT16 if is_half else FLOAT
    content = (
        _fields(1, nodes)
        + _field(2, "made")
        + _field(5, _tensor("table", table(n_tokens), FLOAT))
        + _field(5, _tensor("one", np.array([1]), INT64))
        + _fields(11, (_value(name, ints, ("batch", "sequence")) for name in inputs))
        + _fields(12, (_value(name, kind, _shape(name)) for name in outputs))
    )
    opset = _field(1, "") + _field(2, 18)
    return _field(1, 8) + _field(8, opset) + _field(7, content)


def _is_pooled(name: str) -> bool:
    return name == "sentence_embedding" or name.startswith("pooled")


def _shape(name: str) -> tuple[str | int, ...]:
    return ("batch", DIMENSIONS) if _is_pooled(name) else ("batch", "sequence", DIMENSIONS)


def _output_node(of: str, name: str) -> bytes:
    if _is_pooled(name):
        return _node("ReduceMean", [of, "one"], [name], keepdims=0)
    return _node("Identity", [of], [name])


def write_json(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), "utf-8")


def modules(*kinds: str) -> list[dict[str, Any]]:
    """Return what ``modules.json`` holds."""
    paths = ["" if i == 0 else f"{i}_{kind}" for i, kind in enumerate(kinds)]
    return [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for i, (kind, path) in enumerate(zip(kinds, paths, strict=True))
    ]


def write_model(
    folder: Path,
    *,
    tokenizer: str = "bert",
    kinds: tuple[str, ...] = ("Transformer", "Pooling"),
    pooling: dict[str, Any] | None = None,
    max_tokens: int | None = None,
    **options: Any,
) -> Path:
    """Write a folder of a model as hubs hold it; ``options`` are the graph's."""
    (folder / "onnx").mkdir(parents=True)
    n_tokens = made(tokenizer).get_vocab_size()
    (folder / "onnx" / "model.onnx").write_bytes(graph(n_tokens, **options))
    written = made(tokenizer).to_str()
    (folder / "tokenizer.json").write_text(written, "utf-8")
    if kinds:
        write_json(folder / "modules.json", modules(*kinds))
        write_json(folder / "1_Pooling" / "config.json", pooling or {"pooling_mode": "mean"})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": max_tokens})
    return folder


def tokens_of(text: str, tokenizer: str = "bert") -> NDArray[np.float32]:
    """Return the vectors of a text's tokens, as the graph looks them up."""
    ids = made(tokenizer).encode(text).ids
    return table(made(tokenizer).get_vocab_size())[ids]
