"""Runs the examples of the README, the guides and the docstrings; keeps all tests offline."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser
from tests.support.vocabularies import write_cache

OFFLINE = Path(__file__).parent / "tests" / "offline"

pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"])
    + Sybil(
        parsers=[DocTestParser()],
        # Before Python 3.13, `**` in a pattern is one folder.
        patterns=[f"python/chunkwright/{'*/' * depth}*.py" for depth in range(4)],
    )
).pytest()


def pytest_configure(config: pytest.Config) -> None:
    """Refuse the network to this process and its children, and give them tiktoken's files."""
    import tests.offline.sitecustomize  # noqa: F401 - refuses as soon as it is imported

    folder = tempfile.mkdtemp(prefix="chunkwright-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    write_cache(Path(folder))
    paths = [str(OFFLINE), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    # What would ask a server first whether a file is still the newest.
    os.environ |= {"TIKTOKEN_CACHE_DIR": folder, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
