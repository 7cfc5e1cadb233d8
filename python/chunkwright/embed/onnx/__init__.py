"""Sentence models in the ONNX format: a folder is read, texts go through its graph in batches."""

from chunkwright.embed.onnx.embedder import Onnx

__all__ = ["Onnx"]
