"""Engine of one machine: one pipeline, whose stages work at once."""

from chunkwright.corpus.pipeline.run import run_shards as run_local

__all__ = ["run_local"]
