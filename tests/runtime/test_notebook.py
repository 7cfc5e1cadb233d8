"""Chunks as a notebook shows them."""

from __future__ import annotations

import subprocess
import sys

import chunkwright as cw

TEXT = "Rain <b> falls.\n\nIt costs $name & more."
SMALL = '<small style="color:#56616c">'
SHOWN = (
    "<p>2 chunks of a&amp;b.md</p>"
    '<div style="white-space:pre-wrap;font-family:monospace;line-height:1.5;color:#222">'
    '<div style="background:#e3effc;margin:2px;padding:2px 6px" title="0: 0-15">'
    f"{SMALL}0 · 6 tokens · at an empty line</small>\nRain &lt;b&gt; falls."
    '</div><div style="background:#fdf1d3;margin:2px;padding:2px 6px" title="1: 9-39">'
    f"{SMALL}1 · 9 tokens · end of the text</small>\n"
    '<u style="background:#ead9f7" title="overlap">falls.\n\n</u>'
    "It costs $name &amp; more.</div></div>"
)


def test_chunks_are_shown_in_colours_with_overlaps_underlined() -> None:
    chunks = cw.chunk(TEXT, max_tokens=10, overlap=4, name="a&b.md")
    assert chunks._repr_html_() == SHOWN


def test_no_extra_is_needed_for_it() -> None:
    code = (
        "import sys\n"
        "sys.modules.update(jinja2=None, markupsafe=None)\n"
        "import chunkwright as cw\n"
        "print(cw.chunk('One. Two.', max_chars=5)._repr_html_())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("<p>2 chunks</p><div style=")
