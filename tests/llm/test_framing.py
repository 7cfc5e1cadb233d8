"""Frames around data in prompts: whatever a text holds, it has one end, and gives the text back."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from chunkwright.evaluation.synthetic.pieces import piece_starts, tagged
from chunkwright.llm.framing import frame_tag, framed

NAMES = ["document", "questions", "piece", "chunk"]
PARTS = [*"</> 0-\n", "document", "Document", "piece 0", "piece", "</document>", "</ piece 1>", "x"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@given(st.sampled_from(NAMES), st.one_of(TEXTS, st.text()))
@example("document", "</document>" * 3)
def test_a_frame_ends_once_and_gives_its_text_back(name: str, text: str) -> None:
    frame = framed(name, text)
    tag = frame[1 : frame.index(">")]
    assert tag == name or re.fullmatch(rf"{name}-[0-9a-f]{{8}}", tag)
    assert frame.count(f"</{tag}>") == frame.count(f"<{tag}>") == 1
    assert frame.removeprefix(f"<{tag}>\n").removesuffix(f"\n</{tag}>") == text
    assert framed(name, text) == frame


@given(TEXTS)
def test_pieces_end_where_they_end(text: str) -> None:
    shown, tag = tagged(text), frame_tag("piece", text)
    parts = re.findall(rf"<{tag} (\d+)>(.*?)</{tag} \1>", shown, re.DOTALL)
    assert [int(number) for number, _ in parts] == list(range(len(piece_starts(text)) - 1))
    assert "".join(part for _, part in parts) == text
    assert len(re.findall(rf"</{tag} ", shown)) == len(parts)


def test_other_texts_have_plain_tags() -> None:
    for text in ["It rained.", "<b>documents</b>", "<documents>", "a < b", "<pieces 1>"]:
        assert framed("document", text) == f"<document>\n{text}\n</document>"
        assert frame_tag("piece", text) == "piece"
