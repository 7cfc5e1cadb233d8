"""Evaluation of chunkers: how well the answers to questions are found in their chunks."""

from chunkwright.evaluation.chunkers.placing import PlacedChunks
from chunkwright.evaluation.confidence import (
    Interval,
    Recommendation,
    compare,
    probability_best,
    questions_needed,
    recommend,
)
from chunkwright.evaluation.confidence.failures import Failures, compare_failures
from chunkwright.evaluation.data.dataset import Dataset
from chunkwright.evaluation.data.questions import Excerpt, Problem, Question, read_questions
from chunkwright.evaluation.intrinsic import Measures, measure
from chunkwright.evaluation.report.report import Report
from chunkwright.evaluation.run.config import read_plan
from chunkwright.evaluation.run.pipeline import evaluate
from chunkwright.evaluation.run.plan import Plan, Run, with_twins
from chunkwright.evaluation.run.stored_runs import evaluate_all
from chunkwright.evaluation.scores.cutoffs import metric_name
from chunkwright.evaluation.scores.result import Evaluation, Spread

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
