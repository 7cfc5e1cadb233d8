"""A cross-encoder written by hand: its score is the sum of the second text's token numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tokenizers.processors import BertProcessing

from tests.embed.made_models import (
    FLOAT,
    INPUTS,
    INT64,
    _field,
    _fields,
    _node,
    _tensor,
    _value,
    write_json,
)
from tests.support.made_tokenizers import made

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def pair_graph(n_outputs: int) -> bytes:
    """Return a graph that adds up the tokens of the second text; of two outputs the first is 0."""
    nodes = [
        _node("Mul", [INPUTS[0], INPUTS[2]], ["second"]),
        _node("Cast", ["second"], ["floats"], to=FLOAT),
        _node("ReduceSum", ["floats", "one"], ["logits" if n_outputs == 1 else "sum"], keepdims=1),
    ]
    if n_outputs > 1:
        nodes.append(_node("Sub", ["sum", "sum"], ["zero"]))
        inputs = ["zero"] * (n_outputs - 1) + ["sum"]
        nodes.append(_node("Concat", inputs, ["logits"], axis=1))
    content = (
        _fields(1, nodes)
        + _field(2, "made")
        + _field(5, _tensor("one", np.array([1]), INT64))
        + _fields(11, (_value(name, INT64, ("batch", "sequence")) for name in INPUTS))
        + _field(12, _value("logits", FLOAT, ("batch", n_outputs)))
    )
    opset = _field(1, "") + _field(2, 18)
    return _field(1, 8) + _field(8, opset) + _field(7, content)


def write_cross_encoder(folder: Path, *, n_outputs: int = 1, max_tokens: int | None = None) -> Path:
    """Write its folder, as hubs hold such a model."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(pair_graph(n_outputs))
    (folder / "tokenizer.json").write_text(_tokenizer().to_str(), "utf-8")
    limit = max_tokens or int(1e30)
    write_json(folder / "tokenizer_config.json", {"model_max_length": limit})
    return folder


def score(question: str, text: str) -> float:
    """Return the score that the model gives a pair."""
    encoded = _tokenizer().encode(question, text)
    pairs = zip(encoded.ids, encoded.type_ids, strict=True)
    return float(sum(number for number, kind in pairs if kind))


def _tokenizer() -> Tokenizer:
    """Return a tokenizer that says of which of two texts a token is."""
    tokenizer = made("bert")
    numbers = tokenizer.get_vocab()
    ends = [(name, numbers[name]) for name in ("[SEP]", "[CLS]")]
    tokenizer.post_processor = BertProcessing(*ends)
    return tokenizer
