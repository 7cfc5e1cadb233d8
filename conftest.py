"""Runs the examples of the README, the guides and the docstrings."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"])
    + Sybil(parsers=[DocTestParser()], patterns=["python/chunkwright/**/*.py"])
).pytest()
