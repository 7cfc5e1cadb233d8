"""Chroma's synthetic evaluation written down anew: one question after the other, with pandas."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .chroma_naive_evaluation import despite_whitespace

COLUMNS = ["question", "references", "corpus_id"]
Answer = Callable[[str, list[str]], Any]


def pieces(text: str) -> list[tuple[int, int]]:
    """Runs of a hundred characters at most, each cut behind its last space."""
    found, start = [], 0
    while start < len(text):
        end = min(start + 100, len(text))
        space = text[start:end].rfind(" ")
        if end < len(text) and space >= 0:
            end = start + space + 1
        found.append((start, end))
        start = end
    return found


def place(corpus: str, quote: str) -> tuple[str, int, int]:
    quote = quote.removesuffix(".")
    start = corpus.find(quote)
    found = (quote, start, start + len(quote)) if start >= 0 else despite_whitespace(corpus, quote)
    if found is None:
        raise ValueError(f"no match for {quote}")
    return found


class SyntheticEvaluation:
    """The peer's, with a function in place of its model and another in place of its embedder."""

    def __init__(self, paths: list[str], csv_path: Path, answer: Answer, embed: Any) -> None:
        self.paths, self.csv_path, self.answer, self.embed = paths, csv_path, answer, embed

    def _frame(self) -> pd.DataFrame:
        there = self.csv_path.exists()
        return pd.read_csv(self.csv_path) if there else pd.DataFrame(columns=COLUMNS)

    def generate(self, approximate: bool, n_rounds: int, n_each: int) -> None:
        for _ in range(n_rounds):
            for path in self.paths:
                for _ in range(n_each):
                    self._one(path, approximate)

    def _one(self, path: str, approximate: bool) -> None:
        corpus = Path(path).read_text("utf-8")
        while True:
            frame = self._frame()
            known = frame[frame["corpus_id"] == path]["question"].tolist()
            start = random.randint(0, len(corpus) - 4000) if len(corpus) > 4000 else 0
            document = corpus[start : start + 4000]
            shown = random.sample(known, 20) if len(known) > 20 else known
            # A model sees lines.
            lines = "\n".join(shown).split("\n") if shown else []
            try:
                said = json.loads(self.answer(document, lines))
                question, given = said["question"], said["excerpts"]
                if approximate:
                    cut = [(start + a, start + b) for a, b in pieces(document)]
                    spans = [(cut[each["first"]][0], cut[each["last"]][1]) for each in given]
                    found = [(corpus[a:b], a, b) for a, b in spans]
                else:
                    found = [place(corpus, each) for each in given]
            except ValueError:
                continue
            if len(found) > 5:
                continue
            keys = ("content", "start_index", "end_index")
            references = [dict(zip(keys, each, strict=True)) for each in found]
            row = dict(zip(COLUMNS, (question, json.dumps(references), path), strict=True))
            frame = pd.concat([frame, pd.DataFrame([row])], ignore_index=True)
            frame.to_csv(self.csv_path, index=False)
            return

    def _cosine(self, one: str, other: str) -> float:
        a, b = (np.asarray(self.embed([text])[0], float) for text in (one, other))
        return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))

    def _keep(self, judge: Callable[[pd.DataFrame], list[bool]], subset: list[str] | None) -> None:
        for corpus_id in self._frame()["corpus_id"].unique().tolist():
            if subset and corpus_id not in subset:
                continue
            frame = self._frame()
            own = frame[frame["corpus_id"] == corpus_id]
            others = frame[frame["corpus_id"] != corpus_id]
            frame = pd.concat([others, own[judge(own)]], ignore_index=True)
            old = [name for name in ("fixed", "worst_ref_score", "diff_score") if name in frame]
            frame.drop(columns=old).to_csv(self.csv_path, index=False)

    def filter_poor_excerpts(self, threshold: float = 0.36, subset: Any = None) -> None:
        def judge(own: pd.DataFrame) -> list[bool]:
            return [
                min(
                    self._cosine(row["question"], each["content"])
                    for each in json.loads(row["references"])
                )
                >= threshold
                for _, row in own.iterrows()
            ]

        self._keep(judge, subset)

    def filter_duplicates(self, threshold: float = 0.78, subset: Any = None) -> None:
        def judge(own: pd.DataFrame) -> list[bool]:
            kept: list[str] = []
            judged = []
            for question in own["question"]:
                is_new = question not in kept and not any(
                    self._cosine(each, question) > threshold for each in kept
                )
                judged.append(is_new)
                kept += [question] if is_new else []
            return judged

        self._keep(judge, subset)
