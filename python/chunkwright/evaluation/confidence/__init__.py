"""Confidence in the results of an evaluation: intervals, the best run, questions needed."""

from chunkwright.evaluation.confidence.bootstrap import Interval, compare
from chunkwright.evaluation.confidence.probability_best import probability_best
from chunkwright.evaluation.confidence.questions_needed import questions_needed
from chunkwright.evaluation.confidence.recommendation import Recommendation, recommend

__all__ = [
    "Interval",
    "Recommendation",
    "compare",
    "probability_best",
    "questions_needed",
    "recommend",
]
