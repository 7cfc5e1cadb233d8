"""Inputs of runs, what comes out of these undisturbed, and engines, started once for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.corpus.folders import mixed, text, write_json
from tests.corpus.runs import held, run


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return inputs of many formats, some rows of which fail."""
    folder = mixed(tmp_path_factory.mktemp("inputs"), 12)
    write_json(folder / "c.jsonl", [{"text": text(1)}, {"no": "text"}, {"text": text(2)}])
    for n in range(4):
        write_json(folder / f"d{n}.jsonl", ({"text": text(300 + 9 * n + i)} for i in range(6)))
    return folder


@pytest.fixture(scope="module")
def whole(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Return what a run over these inputs that nobody disturbs comes to, by its options."""
    found: dict[str, Any] = {}

    def of(**options: Any) -> Any:
        key = repr(options)
        if key not in found:
            out = tmp_path_factory.mktemp("whole")
            assert run(inputs, out, **options).n_made > 2
            found[key] = held(out)
        return found[key]

    return of


@pytest.fixture
def own_inputs(inputs: Path, tmp_path: Path) -> Path:
    """Return the same files, as ones that a test may change."""
    folder = tmp_path / "in"
    shutil.copytree(inputs, folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder of inputs, beside which there is room for outputs."""
    path = tmp_path / "in"
    path.mkdir()
    return path


@pytest.fixture(scope="session", name="ray")
def _ray() -> Iterator[Any]:
    found = pytest.importorskip("ray", reason="Ray is not installed")
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # A run that is resumed needs a processor for each actor: of chunkers, of the checkpoint.
        # Of 127.0.0.1 Ray makes the machine's address to others, which tests may not connect to.
        found.init(
            num_cpus=4,
            include_dashboard=False,
            log_to_driver=False,
            _node_ip_address="127.0.0.2",
        )
        # Ray does not wait for its processes to end, of which Python would warn.
        processes = [each for each in gc.get_objects() if issubclass(type(each), subprocess.Popen)]
        context = found.data.DataContext.get_current()
        context.enable_progress_bars = False
        yield found
        found.shutdown()
        for process in processes:
            process.wait(timeout=60)


@pytest.fixture(scope="session", name="spark")
def _spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is not installed, which Spark runs on")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "7",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = sql.SparkSession.builder.master("local[2]")
        for name, value in options.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()
