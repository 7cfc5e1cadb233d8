"""Evaluation of chunkers: how well the answers to questions are found in their chunks."""

from chunkwright.evaluation.confidence import (
    Interval,
    Recommendation,
    compare,
    probability_best,
    questions_needed,
    recommend,
)
from chunkwright.evaluation.config import read_plan
from chunkwright.evaluation.cutoffs import metric_name
from chunkwright.evaluation.dataset import Dataset
from chunkwright.evaluation.failures import Failures, compare_failures
from chunkwright.evaluation.intrinsic import Measures, measure
from chunkwright.evaluation.pipeline import evaluate
from chunkwright.evaluation.placing import PlacedChunks
from chunkwright.evaluation.plan import Plan, Run
from chunkwright.evaluation.questions import Excerpt, Problem, Question, read_questions
from chunkwright.evaluation.report.facts import Report
from chunkwright.evaluation.result import Evaluation, Spread
from chunkwright.evaluation.runs import evaluate_all
from chunkwright.evaluation.twins import with_twins

__all__ = [
    "Dataset",
    "Evaluation",
    "Excerpt",
    "Failures",
    "Interval",
    "Measures",
    "PlacedChunks",
    "Plan",
    "Problem",
    "Question",
    "Recommendation",
    "Report",
    "Run",
    "Spread",
    "compare",
    "compare_failures",
    "evaluate",
    "evaluate_all",
    "measure",
    "metric_name",
    "probability_best",
    "questions_needed",
    "read_plan",
    "read_questions",
    "recommend",
    "with_twins",
]
