"""Runs the examples of the README, the guides and the docstrings."""

import os
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

ROOT = Path(__file__).parent


@pytest.fixture(scope="module")
def _in_root() -> None:
    """Examples name files of the repository."""
    os.chdir(ROOT)


pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"], fixtures=["_in_root"])
    + Sybil(parsers=[DocTestParser()], patterns=["python/chunkwright/**/*.py"])
).pytest()
