"""Made questions from beginning to end: made, filtered, and put to chunkers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from chunkwright.evaluation.synthetic import (
    QuestionGenerator,
    filter_duplicates,
    filter_excerpts,
)

from .models import TEXTS, quoting

PLAN = """
cutoffs = [3]

[data]
corpora = "corpora"
questions = "questions.csv"

[[chunker]]
name = "recursive"
strategy = "recursive"
max_tokens = 64
"""


def test_made_questions_are_put_to_chunkers(tmp_path: Path) -> None:
    (tmp_path / "corpora").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "corpora" / f"{name}.md").write_text(text, "utf-8")
    (tmp_path / "plan.toml").write_text(PLAN)
    questions = tmp_path / "questions.csv"
    generator = QuestionGenerator(tmp_path / "corpora", llm=quoting, window_chars=700)
    counts = generator.generate(questions, rounds=2)
    dropped = filter_excerpts(questions, "lexical", threshold=0.2).dropped
    dropped += filter_duplicates(questions, "lexical", threshold=0.9).dropped
    command = [sys.executable, "-m", "chunkwright", "eval", "plan.toml", "--out", "out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert report["dataset"]["problems"] == []
    assert report["dataset"]["n_questions"] == counts.n_new - len(dropped)
    # Who asks in the words of the answer finds it by words; the mill's stand in many places.
    assert report["runs"][0]["scores"]["recall@3"]["mean"] > 0.3
