"""What all tests share: the folder of shared data, the real corpora, hypothesis profiles."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from chunkwright import Tokenizer
from tests.support.long_texts import NO_SHARED_DATA, long_texts, shared_data

# A child inherits what its parent ignores: a job in the background interrupts, nohup hang-ups.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# `quick` has the same examples each time; `full`, of --hypothesis-profile, finds new ones.
for name, n_examples, is_fixed in [("quick", 4, True), ("full", 100, bool(os.environ.get("CI")))]:
    settings.register_profile(
        name,
        max_examples=int(os.environ.get("CHUNKWRIGHT_EXAMPLES", n_examples)),
        deadline=None,
        derandomize=is_fixed,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile("quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what reads shared data, so that a run can have these tests alone."""
    for item in items:
        if not {"shared", "long_texts"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.shared)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Hold a test to the time that it may use, of the processor: a busy machine takes no more."""
    began = time.process_time()
    yield
    marker = item.get_closest_marker("cpu_seconds")
    used = time.process_time() - began
    if marker is not None and used > marker.args[0]:
        pytest.fail(f"it used {used:.0f} s of the processor, of at most {marker.args[0]} s")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data that are not ours to give away; without it the test is skipped."""
    folder = shared_data()
    return folder if folder is not None else pytest.skip(NO_SHARED_DATA)


@pytest.fixture(scope="session")
def corpora(shared: Path) -> dict[str, str]:
    """The five corpora of the Chroma report."""
    files = sorted((shared / "data" / "chroma-report" / "corpora").glob("*.md"))
    return {file.stem: file.read_bytes().decode() for file in files}


@pytest.fixture(scope="session", name="long_texts")
def _long_texts() -> dict[str, str]:
    """Long texts that are always there, and the five corpora where they are."""
    return long_texts()


@pytest.fixture(scope="session", params=["cl100k_base", "o200k_base"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    """Each built-in tokenizer."""
    return Tokenizer(request.param)


@pytest.fixture(autouse=True)
def engine_of_ocr(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait for the recognition of pages that it does not ask for."""
    monkeypatch.setattr("chunkwright.readers.ocr.engines.is_installed", lambda: False)
