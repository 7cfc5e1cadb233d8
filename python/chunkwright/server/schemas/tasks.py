"""Shapes of answers about tasks."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from chunkwright.server.schemas.answers import ProblemFields


class TaskProblem(ProblemFields):
    """Why a task failed, and the status that the answer to a request would have had."""

    status: int


class TaskAnswer(BaseModel):
    """How far a task is."""

    id: str
    kind: str
    state: Literal["pending", "started", "success", "failure"]
    position: int | None = Field(description="Its place among those that wait; 1 is the next one.")
    created: datetime
    started: datetime | None
    ended: datetime | None
    attempts: int = Field(description="How many times a worker began it.")
    error: TaskProblem | None
