"""A dataset small enough to be scored by hand, and embedders and chunkers for it."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkwright.evaluation import Dataset, Excerpt, Question

MILL = "The mill was built in 1743. It burnt down twice. Nobody was hurt. It burnt down twice."
LAKE = "The lake is 80 metres deep.\n\nEels live in it. So do pike, it is said."
CORPORA = {"mill": MILL, "lake": LAKE}


def excerpt(corpus: str, text: str, nth: int = 0) -> Excerpt:
    """Return the nth place where a text stands in a corpus."""
    start = [match.start() for match in re.finditer(re.escape(text), CORPORA[corpus])][nth]
    return Excerpt(text, start, start + len(text))


def question(text: str, corpus: str, *answers: str) -> Question:
    return Question(text, corpus, tuple(excerpt(corpus, answer) for answer in answers))


DATASET = Dataset(
    CORPORA,
    (
        question("When was the mill built?", "mill", "built in 1743"),
        question("What lives in the lake?", "lake", "Eels live in it.", "pike"),
        question("What burnt?", "mill", "It burnt down twice."),
    ),
    name="sample",
)


def sentences(text: str) -> list[str]:
    """Cut behind full stops; whitespace between sentences is lost."""
    return re.findall(r"\S[^.]*\.", text)


class Letters:
    """An embedder that counts letters."""

    fingerprint = "letters"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([_letters(text) for text in texts], dtype=np.float32).reshape(-1, 26)


def _letters(text: str) -> Iterable[int]:
    return [text.lower().count(chr(97 + i)) for i in range(26)]
