"""Runs the examples of the README, the guides and the docstrings; keeps all tests offline."""

import gc
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Generator
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

import pytest
from sybil import Sybil
from sybil.document import PythonDocument
from sybil.integration.pytest import SybilItem
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser
from tests.support import postgres_server
from tests.support.vocabularies import write_cache

OFFLINE = Path(__file__).parent / "tests" / "offline"
# A process of tests needs up to 1.5 GB, and machines may have more cores than memory for them.
MOST_PROCESSES = 8
# Files of tests are there, if so many bytes are free: half of the time databases wait for a disk.
MEMORY, NEEDED = Path("/dev/shm"), 4 << 30  # noqa: S108 - folders in it have random names

pytest_collect_file = (
    Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"])
    + Sybil(
        parsers=[DocTestParser()],
        # Before Python 3.13, `**` in a pattern is one folder.
        patterns=[f"python/chunkwright/{'*/' * depth}*.py" for depth in range(4)],
    )
).pytest()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what .ci/run gives."""
    parser.addoption("--slow", action="store_true", help="run tests that are marked as slow, too")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse the network to this process and its children, and give them tiktoken's files."""
    if hasattr(config, "workerinput"):
        # A process of pytest-xdist: it has its parent's environment, and refuses since it started.
        sys.modules["tests.offline.sitecustomize"] = sys.modules["sitecustomize"]
        return
    import tests.offline.sitecustomize  # noqa: F401 - refuses as soon as it is imported

    _keep_files_in_memory(config)
    folder = tempfile.mkdtemp(prefix="chunkwright-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    config.add_cleanup(lambda: postgres_server.stop(Path(folder)))
    write_cache(Path(folder))
    paths = [str(OFFLINE), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    # What would ask a server first whether a file is still the newest.
    os.environ |= {"TIKTOKEN_CACHE_DIR": folder, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    os.environ[postgres_server.FOLDER] = folder


def _keep_files_in_memory(config: pytest.Config) -> None:
    """Let temporary files be in memory, unless TMPDIR or --basetemp says where they are kept."""
    if "TMPDIR" in os.environ or config.getoption("basetemp"):
        return
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < NEEDED:
        return
    # Short, since names of sockets are; open, since PostgreSQL's server is another user.
    folder = tempfile.mkdtemp(prefix="cw-", dir=MEMORY)
    Path(folder).chmod(0o711)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    config.option.basetemp = f"{folder}/tests"

    def remove() -> None:
        del os.environ["TMPDIR"]
        tempfile.tempdir = None
        shutil.rmtree(folder, ignore_errors=True)

    config.add_cleanup(remove)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes `-n auto` starts: one more than the cores that this one may use.

    Tests wait for a fifth of their time: for processes that they start, for disks and for clocks.
    """
    if hasattr(os, "sched_getaffinity"):
        n_cores = len(os.sched_getaffinity(0))
    else:
        n_cores = os.cpu_count() or 1
    return min(n_cores + 1, MOST_PROCESSES)


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Make a report fit to be sent: halves of surrogate pairs, which tests print, would end it."""
    return _sendable((yield))


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_sendable, value))
    return value


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect without looking for garbage, and never look again at what stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each process begin with other files: what one has compiled the others find."""
    report = yield
    found = report.result
    worker = getattr(collector.config, "workerinput", None)
    if worker is not None and isinstance(collector, pytest.Directory) and found:
        n = int(worker["workerid"].removeprefix("gw")) * len(found) // worker["workercount"]
        report.result = [*found[n:], *found[:n]]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow, unless it is asked for or a test is named."""
    if hasattr(config, "workerinput"):
        # All processes have to agree on the order, wherever each began.
        items.sort(key=lambda item: item.path)
    if config.getoption("--slow") or any("::" in argument for argument in config.args):
        return
    is_slow = [item.get_closest_marker("slow") is not None for item in items]
    config.hook.pytest_deselected(items=list(compress(items, is_slow)))
    items[:] = compress(items, map(not_, is_slow))


_examples: dict[SybilItem, list[SybilItem]] = {}
_shown: set[SybilItem] = set()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Run the earlier examples of a page, which another process may have had.

    Examples go on from one another, and processes share out all tests one by one. Where a later one
    has been run, the names are those that it gave: they are forgotten, and all earlier ones are run
    again.
    """
    if isinstance(item, SybilItem):
        page = _earlier(item)
        if any(item in _earlier(shown) for shown in _shown):
            _forget(item)
        for earlier in page:
            if earlier not in _shown:
                _shown.add(earlier)
                earlier.example.evaluate()
        _shown.add(item)


def _forget(item: SybilItem) -> None:
    """Take the names of a page away, with the folders that only they hold."""
    document = item.example.document
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        document.namespace.clear()
        gc.collect()
    if isinstance(document, PythonDocument):
        document.push_evaluator(document.import_document)
    _shown.difference_update([each for each in _shown if each.example.document is document])


def _earlier(item: SybilItem) -> list[SybilItem]:
    if item not in _examples:
        page = [
            each
            for each in item.session.items
            if isinstance(each, SybilItem) and each.example.document is item.example.document
        ]
        _examples.update({each: page[:at] for at, each in enumerate(page)})
    return _examples[item]
