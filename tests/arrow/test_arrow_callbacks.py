"""Calls of Python below a stream of chunks, which any thread may read, with the GIL or without."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("pyarrow")

# Seconds: far more than it takes, if nothing waits for ever.
PATIENCE = 60
# Another thread reads, and keeps the GIL as a consumer may that was written in C.
CODE = """
import ctypes, threading
import chunkwright as cw
import pyarrow as pa

batch = pa.record_batch({{"text": ["One two. Three four. Five six." * 300] * 40}})
capsule = {chunks}.arrow(pa.table(batch), {options}).__arrow_c_stream__()

class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next")]

pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
stream = pointer(capsule, b"arrow_array_stream")
get_next = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
    Stream.from_address(stream).get_next
)
array = ctypes.create_string_buffer(256)
found = []
thread = threading.Thread(target=lambda: found.append(get_next(stream, array)))
thread.start()
thread.join()
print(found, int.from_bytes(array.raw[:8], "little"))
"""
CASES = {
    "counts": ("cw.Window(max_chars=10, tokenizer=len)", "n_tokens=True, workers=2"),
    "contexts": ("cw.Contextual(cw.Window(max_chars=10), llm=lambda m: 'On it.')", "workers=2"),
    "limits": ("cw.Window(max_tokens=10, tokenizer=len)", "workers=2"),
    "vectors": ("cw.Cluster(max_chars=10, embedder=lambda t: [[1.0]] * len(t))", "workers=2"),
    "nothing": ("cw.Window(max_chars=10)", "workers=2"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_reader_may_keep_the_gil(case: str) -> None:
    chunks, options = CASES[case]
    code = CODE.format(chunks=chunks, options=options)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    n_rows = 40 * 900 if case != "vectors" else None
    said = done.stdout.split("]")
    assert (said[0], done.stderr) == ("[0", "")
    assert int(said[1]) == (n_rows or int(said[1])) > 0
