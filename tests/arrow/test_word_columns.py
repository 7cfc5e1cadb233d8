"""Columns of Word files as bytes."""

import pyarrow as pa

import chunkwright as cw
from tests.readers.word import p, word


def test_bytes_of_word_files_are_read_and_cut() -> None:
    files = [word(p("It rained.")), None, b"no ZIP", word(p("It hailed."))]
    table = pa.table({"text": pa.array(files, pa.binary())})
    strategy = cw.Basic(max_chars=100)
    chunks = pa.table(strategy.arrow(table, kind="docx", errors="collect"))
    assert chunks["text"].to_pylist() == ["It rained.", None, None, "It hailed."]
    said = chunks["error"].to_pylist()
    assert "not a ZIP archive" in said[2]
    assert [said[0], said[3]] == [None, None]
