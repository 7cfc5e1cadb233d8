"""The texts that every library is given: five real corpora, and the same made longer."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

CORPORA = ("chatlogs", "finance", "pubmed", "state_of_the_union", "wikitexts")
MEGABYTE = 1_000_000
CHANGED = 0.01  # share of the letters and digits of a copy that differ from the first
SEED = 20_260_808


def shared_folder() -> Path:
    """Return the folder of the shared data.

    Raises
    ------
    SystemExit
        When ``CHUNKWRIGHT_SHARED`` names no folder.
    """
    path = Path(os.environ.get("CHUNKWRIGHT_SHARED", ""))
    if not (path / "data").is_dir():
        raise SystemExit("set CHUNKWRIGHT_SHARED to the folder that holds data/chroma-report")
    return path


def data_folder() -> Path:
    """Return ``benches/.data``, where derived files are kept out of git."""
    path = Path(__file__).parents[1] / ".data"
    path.mkdir(exist_ok=True)
    return path


def minilm_json() -> Path:
    """Return the ``tokenizer.json`` of all-MiniLM-L6-v2."""
    return shared_folder() / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"


def corpus(name: str) -> str:
    """Return the text of one of the five corpora."""
    path = shared_folder() / "data" / "chroma-report" / "corpora" / f"{name}.md"
    return path.read_text(encoding="utf-8")


def joined() -> str:
    """Return the five corpora in one text of 1.45 MB."""
    return "\n\n".join(map(corpus, CORPORA))


def text_of(megabytes: float | None) -> str:
    """Return the corpora, cut or repeated to a size.

    Parameters
    ----------
    megabytes : float or None
        Size of the text in millions of UTF-8 bytes; None gives the corpora as they are.

    Returns
    -------
    str
        The corpora; every further copy has one letter or digit in a hundred changed, the same
        ones in every run.
    """
    text = joined()
    if megabytes is None:
        return text
    size = len(text.encode())
    copies = int(megabytes * MEGABYTE / size) + 1
    parts = [text, *(_perturbed(text, copy) for copy in range(1, copies))]
    return prefix("\n\n".join(parts), megabytes)


def prefix(text: str, megabytes: float | None) -> str:
    """Return the longest prefix of at most so many million UTF-8 bytes, cut at a character."""
    if megabytes is None:
        return text
    limit = int(megabytes * MEGABYTE)
    return text[:limit].encode()[:limit].decode("utf-8", "ignore")


def fresh(text: str) -> str:
    """Return an equal text in a new object, whose cached UTF-8 form no earlier run has paid for."""
    return text[:1] + text[1:]


def _perturbed(text: str, copy: int) -> str:
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).copy()
    random = np.random.default_rng(SEED + copy)
    chosen = random.random(len(points)) < CHANGED
    for first, last in (("a", "z"), ("0", "9")):
        low, high = ord(first), ord(last)
        here = np.flatnonzero(chosen & (points >= low) & (points <= high))
        points[here] = random.integers(low, high + 1, len(here))
    return points.tobytes().decode("utf-32-le")
