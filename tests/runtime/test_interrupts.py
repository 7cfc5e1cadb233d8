"""Ctrl-C while many texts are cut: each of these works for minutes unless it is stopped."""

import signal
import subprocess
import sys
import time

import pytest

SETUP = """
import time
import chunkwright as cw
import pyarrow as pa

text = "The quick brown fox jumps over the lazy dog. " * 400_000
texts = [text] * 400
words = "word " * 2000
batch = pa.record_batch({"text": [text] * 4})
table = pa.RecordBatchReader.from_batches(batch.schema, (batch for _ in range(1000)))
# A chunk for each token.
strategy = cw.Recursive(max_tokens=100, overlap=99)
counting = cw.Recursive(max_tokens=100, tokenizer=len)
elements = cw.Basic(max_tokens=100, tokenizer=lambda text: time.sleep(0.001) or len(text))
lexical = cw.Cluster(max_tokens=100)
kamradt = cw.Kamradt(max_chars=1000)
slow = cw.Discontinuity(
    max_chars=100, embedder=lambda texts: time.sleep(0.01) or [[1.0]] * len(texts)
)
items = [{"type": "Text", "text": words * 100}]
few = [{"type": "Text", "text": words}]
similar = cw.BySimilarity(max_chars=100, embedder=slow.embedder)

def read(stream):
    try:
        pa.table(stream)
    except pa.ArrowInvalid as error:
        # The interrupt follows pyarrow's own error.
        assert "KeyboardInterrupt" in str(error)
        time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "work",
    [
        "strategy.batch(texts, workers=1)",
        "strategy.batch(texts, workers=3)",
        "strategy.batch([text * 4], workers=2)",
        "counting.batch([words] * 1_000_000)",
        "list(strategy.stream(texts, workers=2))",
        "list(strategy.stream(words for _ in range(10_000_000)))",
        "strategy.arrow(batch, workers=2)",
        "counting.arrow(batch)",
        "elements.batch([items] * 3, workers=2)",
        "list(elements.stream([items] * 3, workers=2))",
        "read(strategy.arrow(table, workers=2))",
        "read(counting.arrow(table))",
        "lexical(text * 4)",
        "kamradt(text * 4)",
        "lexical.batch(texts, workers=2)",
        "slow.batch([words] * 1_000_000, workers=2)",
        "list(slow.stream([words] * 1_000_000, workers=2))",
        "slow.arrow(batch, workers=2)",
        "similar.batch([few] * 100_000, workers=2)",
    ],
)
def test_an_interrupt_stops_it(work: str) -> None:
    begin = f"print('ready', flush=True)\n    {work}"
    code = f"{SETUP}\ntry:\n    {begin}\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        try:
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (output, errors) == (b"interrupted\n", b"")
