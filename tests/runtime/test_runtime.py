"""How the package behaves in a process: imports, threads, signals, forks."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import chunkwright as cw

TEXT = "The quick brown fox jumps over the lazy dog. " * 2000


def _python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_loads_nothing_heavy() -> None:
    heavy = ["numpy", "pyarrow", "tiktoken", "langchain_core", "typer", "rich", "asyncio"]
    heavy += [f"chunkwright.embed.{name}" for name in ("cache", "onnx", "openai", "static")]
    shown = _python(f"import sys, chunkwright; print([m for m in {heavy!r} if m in sys.modules])")
    bare = _python(f"import sys; print([m for m in {heavy!r} if m in sys.modules])")
    assert shown.stderr == ""
    assert shown.stdout == bare.stdout


def test_what_is_imported_late_is_there() -> None:
    assert set(cw.__all__) <= set(dir(cw))
    assert cw.Cached.__module__ == "chunkwright.embed.cache"
    for module in (cw, cw.embed):
        assert all(hasattr(module, name) for name in module.__all__)
        with pytest.raises(AttributeError, match=f"{module.__name__}' has no attribute 'Onyx'"):
            _ = module.Onyx


def test_the_gil_is_free_while_the_core_works() -> None:
    ticks = 0
    stop = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    text, during = TEXT * 100, 0
    thread.start()
    try:
        # On a busy machine the other thread may sleep through a call, but not through all of them.
        while during <= 1:
            before = ticks
            cw.count_tokens(text)
            during = ticks - before
    finally:
        stop.set()
        thread.join()


def test_threads_share_a_splitter() -> None:
    splitter = cw.Recursive(max_tokens=100, overlap=10)
    expected = splitter(TEXT)
    results: list[cw.Chunks] = []
    threads = [threading.Thread(target=lambda: results.append(splitter(TEXT))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_works() -> None:
    splitter = cw.Recursive(max_tokens=100)
    expected = splitter(TEXT)
    child = os.fork()
    if child == 0:
        os._exit(0 if splitter(TEXT) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "result"),
    [
        ("len(splitter(text))", "1"),
        ("len(splitter(text * 99_999))", "99999"),
        ("splitter.batch([text] * 3000, workers=1)", "Python is shutting down"),
        ("splitter.batch([text] * 3000, workers=3)", "Python is shutting down"),
        ("next(splitter.stream([text]))", "Python is shutting down"),
        ("reader.read_all()", "Compute error: Python is shutting down"),
    ],
)
def test_a_finalizer_that_runs_last(work: str, result: str) -> None:
    pytest.importorskip("pyarrow")
    code = f"""
import builtins, os
import chunkwright as cw, pyarrow as pa
def keep():
    text, splitter = "Some words. ", cw.Recursive(max_chars=12)
    table = pa.table({{"text": [text]}})
    reader = pa.RecordBatchReader.from_stream(splitter.arrow(table))
    write = os.write
    class Last:
        def __del__(self):
            try:
                result = {work}
            except Exception as error:
                result = error
            write(1, str(result).encode())
    builtins.last = Last()
keep()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr, done.returncode) == (result, "", 0)


@pytest.mark.parametrize(
    "work",
    [
        "cw.count_tokens(text)",
        "cw.chunk(text, max_tokens=100)",
        "cw.chunk(text, 'window', max_chars=2)",
        "cw.chunk(text, max_tokens=100, tokenizer=len)",
    ],
)
def test_an_interrupt_stops_long_work(work: str) -> None:
    code = f"import chunkwright as cw; text = {TEXT!r} * 2000; print('ready', flush=True)\n"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}while True: {work}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors
