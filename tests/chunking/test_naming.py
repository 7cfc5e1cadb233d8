"""Hints for unknown names of strategies."""

from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import STRATEGIES
from chunkwright.chunking.naming import BY_MEANING
from chunkwright.cli.settings.embedder import takes_embedder
from chunkwright.errors import ConfigError


def test_those_by_meaning_are_those_that_take_vectors() -> None:
    assert tuple(name for name in STRATEGIES if takes_embedder(name)) == BY_MEANING


@pytest.mark.parametrize("name", ["semantic", "SemanticChunker", "by_meaning", "embeddings"])
def test_who_asks_for_meaning_is_told_the_four(name: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        cw.chunk("text", name, max_tokens=9)
    assert str(caught.value) == (
        f"unknown strategy {name!r}: by meaning there are "
        "'kamradt', 'kamradt_modified', 'cluster', 'discontinuity'"
    )


@pytest.mark.parametrize("name", ["recursiv", "sentences", "window "])
def test_other_names_get_the_nearest(name: Any) -> None:
    with pytest.raises(ConfigError, match="did you mean"):
        cw.chunk("text", name, max_tokens=9)
