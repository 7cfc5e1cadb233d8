"""Measures of chunks that need no questions: sizes, what is cut apart, how much is covered."""

from chunkwright.evaluation.intrinsic.measures import Measures, measure, measure_chunks
from chunkwright.evaluation.intrinsic.shares import Share, SizeLimit, Sizes, limit_of
from chunkwright.evaluation.intrinsic.structure import Structure, structures_of

__all__ = [
    "Measures",
    "Share",
    "SizeLimit",
    "Sizes",
    "Structure",
    "limit_of",
    "measure",
    "measure_chunks",
    "structures_of",
]
