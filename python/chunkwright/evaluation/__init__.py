"""Evaluation of chunkers: how well the answers to questions are found in their chunks."""

from chunkwright.evaluation.bootstrap import Interval, compare
from chunkwright.evaluation.cutoffs import metric_name
from chunkwright.evaluation.dataset import Dataset
from chunkwright.evaluation.placing import PlacedChunks
from chunkwright.evaluation.questions import Excerpt, Problem, Question, read_questions
from chunkwright.evaluation.result import Evaluation, Spread
from chunkwright.evaluation.run import evaluate

__all__ = [
    "Dataset",
    "Evaluation",
    "Excerpt",
    "Interval",
    "PlacedChunks",
    "Problem",
    "Question",
    "Spread",
    "compare",
    "evaluate",
    "metric_name",
    "read_questions",
]
