"""What is promised of the memory that readers take, measured in processes of their own."""

import subprocess
import sys

import pytest

from chunkwright.server.reading_costs import READING_COSTS

pytest.importorskip("resource")

MEASURE = """
import sys, chunkwright
from tests.support.memory import MEGABYTE, forget, peak

kind, n = sys.argv[1], int(sys.argv[3])
data = eval(sys.argv[2]).encode()
chunkwright.read(b"a", kind="text")
forget()
before = peak()
document = chunkwright.read(data, kind=kind)
print((peak() - before) * MEGABYTE / len(data))
"""

ITEM = '{"type":"Text","text":"a"}'
NODE = '{"self_ref":"#/texts/%d","label":"text","text":"a"}'
DOCLING = '{"schema_name":"DoclingDocument","name":"a","body":{"self_ref":"#/body"},"texts":['

SHAPES = [
    ("text", "'a' * n + chr(0x1F600)"),
    ("text", "'a ' * n"),
    ("text", "'a\\n\\n' * n"),
    ("markdown", "'*a ' * n"),
    ("markdown", "'*' * n"),
    ("markdown", "'- a\\n' * n"),
    ("markdown", "'- \\n' * n"),
    ("markdown", "'a\\n\\n' * n"),
    ("markdown", "'# a\\n' * n"),
    ("markdown", "'#\\n' * n"),
    ("markdown", "'[' * n"),
    ("markdown", "'[a](b) ' * n"),
    ("markdown", "'`a` ' * n"),
    ("markdown", "'$' * n"),
    ("markdown", "'|a|b|\\n|-|-|\\n' + '|a|b|\\n' * n"),
    ("markdown", "'|a|\\n|-|\\n' + '|\\n' * n"),
    ("markdown", "'|' * n + '\\n' + '|-' * n + '|\\n' + '|' * n"),
    ("html", "'<div>' * n"),
    ("html", "'<p>a' * n"),
    ("html", "'a<hr>' * n"),
    ("html", "'<li>a' * n"),
    ("html", "'<b>' * n"),
    ("html", "'<q-r>' * n"),
    ("html", "'<table>' + '<td>a' * n"),
    ("html", "'<table>' + '<tr>' * n"),
    ("html", "'<table>' + '<tr><td>' * n"),
    ("rst", "'\\n' * n"),
    ("rst", "'-\\n' * n"),
    ("rst", "'a\\n\\n' * n"),
    ("rst", "'a\\n=\\n\\n' * n"),
    ("rst", "'a_ ' * n"),
    ("rst", "'== ==\\n' + 'a  b\\n' * n + '== ==\\n'"),
    ("rst", "'.. csv-table::\\n\\n ' + ',' * n"),
    ("csv", "'a\\n' * n"),
    ("csv", "'a,b\\n' * n"),
    ("csv", "',' * n"),
    ("csv", "',\\n' * n"),
    ("tsv", "'a\\n' * n"),
    ("tsv", "'\\t' * n"),
    ("vtt", "'WEBVTT\\n\\n' + '0:00 --> 0:01\\na\\n\\n' * n"),
    ("srt", "'0:00 --> 0:01\\n<v A>a\\n' * n"),
    ("transcript", "'A:b\\nA: b\\n' * n"),
    ("transcript", "'\\n' * n"),
    ("messages", "'[' + ','.join(['{\"role\":\"\",\"content\":\"a\"}'] * n) + ']'"),
    ("elements", f"'[' + '{ITEM},' * n + '{ITEM}]'"),
    ("docling", f"'{DOCLING}' + ','.join('{NODE}' % i for i in range(n)) + ']}}'"),
]


def measured(kind: str, shape: str, n: int) -> float:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, kind, shape, str(n)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return float(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "shape"), SHAPES)
def test_reading_takes_no_more_than_that(kind: str, shape: str) -> None:
    assert measured(kind, shape, 1_000_000) <= READING_COSTS[kind]


def test_each_kind_is_measured() -> None:
    assert {kind for kind, _ in SHAPES} == set(READING_COSTS)
