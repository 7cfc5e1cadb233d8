"""Real pages: those of the Rust documentation, where a toolchain has it."""

from __future__ import annotations

import random
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

import chunkwright as cw
from tests import laws
from tests.elements.test_read_html import shown

MAX_BYTES = 50_000
N_PAGES = 40


@cache
def pages() -> list[Path]:
    """Draw pages of the Rust documentation; none where it is not at hand."""
    rustc = shutil.which("rustc")
    if rustc is None:
        return []
    done = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True)
    found = sorted((Path(done.stdout.strip()) / "share" / "doc").rglob("*.html"))
    small = [path for path in found if 5_000 < path.stat().st_size < MAX_BYTES]
    return random.Random(0).sample(small, min(N_PAGES, len(small)))


@pytest.mark.parametrize("number", range(N_PAGES))
def test_all_visible_words_are_read_in_order(number: int) -> None:
    if number >= len(pages()):
        pytest.skip("the documentation of Rust is not at hand")
    page = pages()[number].read_text("utf-8")
    document = cw.read(pages()[number])
    # Signs that link a heading to itself say nothing.
    words = "".join(document.text.split()).replace("§", "")
    assert words == shown(page).replace("§", "")
    assert document.elements is not None
    assert document.elements.links
    chunks = cw.chunk(document, "by_title", max_tokens=128)
    laws.bodies_cover_the_text(document.text, chunks)
    for element in document.elements:
        start, end = element.place
        if element.kind in {"paragraph", "heading", "code"}:
            assert cw.read_html(page[start:end]).text.split() == element.text.split()
