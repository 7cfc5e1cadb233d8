"""What is safe to show on a terminal, and what is shown instead of the rest."""

import json
import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from chunkwright.messages.terminal_text import (
    UNPRINTABLE,
    counted,
    escaped,
    printable,
    printable_lines,
)

STEERING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
HOSTILE = "a\x1b[31m\x7f\x85\x9bb\u200e\u202e\u2066\u2028\ud800\U000e0001 é日"


def test_no_control_no_direction_and_no_end_of_line_is_shown() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        # Classes of bidirectional text: embeddings, overrides, isolates and their ends.
        steers = unicodedata.bidirectional(char) in STEERING
        is_unsafe = steers or unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}
        shown = printable(char)
        if is_unsafe or char in "\u200e\u200f\u061c":
            assert shown != char
            assert UNPRINTABLE.fullmatch(char)
            assert not UNPRINTABLE.search(shown)
        else:
            assert shown == char
            assert not UNPRINTABLE.search(char)


def test_lines_keep_their_breaks_and_tabs() -> None:
    assert printable_lines("a\r\nb\tc\rd") == "a\nb\tc␍d"
    assert printable("a\nb") == "a␊b"


@given(st.text() | st.just(HOSTILE))
def test_escaped_json_says_the_same(text: str) -> None:
    shown = escaped(json.dumps(text, ensure_ascii=False))
    assert json.loads(shown) == text
    assert not UNPRINTABLE.search(shown)


def test_counted() -> None:
    assert [counted(n, "row") for n in (0, 1, 1234)] == ["0 rows", "1 row", "1,234 rows"]
