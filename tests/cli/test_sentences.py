"""Settings of the strategies that cut at sentences, where there are any."""

from pathlib import Path

import pytest

from chunkwright.chunking import STRATEGIES

from .commandline import Run

pytestmark = pytest.mark.skipif(
    not {"sentence", "balanced"} <= STRATEGIES.keys(), reason="no strategy cuts at sentences"
)
TEXT = "It rained. We stayed in. Then the sun came out. We left."
SENTENCES = ["It rained.", "We stayed in.", "Then the sun came out.", "We left."]


@pytest.fixture(autouse=True)
def _text(folder: Path) -> None:
    (folder / "x.txt").write_text(TEXT)


def test_sentences_are_a_limit_by_themselves(here: Run) -> None:
    rows = here("chunk", "x.txt", "--strategy", "sentence", "--sentences", "1").rows
    assert [row["text"] for row in rows] == SENTENCES


def test_neighbours_and_a_file_of_settings(here: Run) -> None:
    Path("chunkwright.toml").write_text("strategy = 'sentence'\nsentences = 1\nwindow = 1\n")
    texts = [row["text"] for row in here("chunk", "x.txt").rows]
    assert texts[1] == " ".join(SENTENCES[:3])
    assert len(texts) == 4


def test_overlaps_may_begin_at_sentences(here: Run) -> None:
    flags = ("--max-chars", "40", "--overlap", "15", "--overlap-at", "sentence")
    rows = here("chunk", "x.txt", "--strategy", "sentence", *flags).rows
    assert rows[1]["text"].startswith("We stayed in.")


def test_two_strategies_are_compared(here: Run) -> None:
    result = here("compare", "x.txt", "sentence:sentences=2", "balanced:max_chars=30")
    assert result.code == 0
    assert "A  sentence, sentences=2, tokenizer='cl100k_base'" in result.out
