"""Cuts at marks of one's own: always there, and all else as if each part were a text of its own."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy

# Called with options that the test has as data.
CHUNK: Any = cw.chunk

TEXT_STRATEGIES = [
    "recursive",
    "sentence",
    "balanced",
    "window",
    "line_based",
    "kamradt",
    "kamradt_modified",
    "cluster",
    "discontinuity",
]
OTHERS = [
    "auto",
    "json",
    "hierarchical",
    "hybrid",
    "basic",
    "by_title",
    "by_page",
    "structural",
]
TEXT = "One two.%%%Three four five. Six.%%%Seven."
PARTS = st.lists(st.text("ab c.\n漢", max_size=30), min_size=1, max_size=6)


@pytest.mark.parametrize("strategy", TEXT_STRATEGIES)
def test_each_strategy_over_text_cuts_at_marks(strategy: str) -> None:
    chunks = CHUNK(TEXT, strategy, max_chars=100, split_at="%%%", keep_mark="drop")
    assert chunks.texts() == ["One two.", "Three four five. Six.", "Seven."]
    assert [TEXT[chunk.start : chunk.end] for chunk in chunks] == chunks.texts()


def test_the_mark_goes_where_it_is_told_to() -> None:
    def cut(**options: object) -> list[str]:
        texts: list[str] = CHUNK("a%%%b", max_chars=9, **options).texts()
        return texts

    assert cut(split_at="%%%") == ["a", "%%%b"]
    assert cut(split_at="%%%", keep_mark="end") == ["a%%%", "b"]
    assert cut(split_at="%%%", keep_mark="drop") == ["a", "b"]
    # A separator says for itself where it goes.
    assert cut(split_at=cw.Separator("%%%", keep="end"), keep_mark="drop") == ["a%%%", "b"]


def test_marks_may_be_several_and_patterns() -> None:
    text = "Intro.\nChapter 1\nRain.\nChapter 22\nSun.---The end."
    marks = [cw.Separator(r"^Chapter \d+$", regex=True), cw.Separator("---", keep="drop")]
    chunks = cw.Recursive(max_chars=100, split_at=marks)(text)
    assert chunks.texts() == ["Intro.", "Chapter 1\nRain.", "Chapter 22\nSun.", "The end."]
    as_data = [{"pattern": r"^Chapter \d+$", "regex": True}, {"pattern": "---", "keep": "drop"}]
    assert CHUNK(text, max_chars=100, split_at=as_data).texts() == chunks.texts()


def test_a_part_over_the_limit_is_cut_as_usual() -> None:
    chunks = CHUNK("one two three%%%four", max_chars=8, split_at="%%%", keep_mark="drop")
    assert chunks.texts() == ["one two", "three", "four"]


def test_neither_overlaps_nor_small_chunks_go_over_a_mark() -> None:
    options = {"max_chars": 12, "split_at": "%", "keep_mark": "drop"}
    overlapping = CHUNK("one two three%four five six", overlap=5, **options)
    assert overlapping.texts() == ["one two", "two three", "four five", "five six"]
    assert overlapping.overlaps.tolist() == [0, 3, 0, 4]
    assert CHUNK("one%two%three", min_size=9, **options).texts() == ["one", "two", "three"]
    sentences = CHUNK("A b.%C d.", "cluster", overlap=3, min_size=9, **options)
    assert sentences.texts() == ["A b.", "C d."]


def test_a_window_of_sentences_stays_between_marks() -> None:
    chunks = cw.Sentence(sentences=1, window=2, split_at="%", keep_mark="drop")(
        "It fell. It blew.%It froze."
    )
    assert chunks.texts() == ["It fell. It blew.", "It fell. It blew.", "It froze."]


def test_a_model_is_asked_and_marks_count_all_the_same() -> None:
    strategy = cw.LLM(
        llm=lambda *_: "0", max_chars=100, split_at="%", keep_mark="drop", piece_max=10
    )
    assert strategy("It rained. It blew.%The sun shone.").texts() == [
        "It rained. It blew.",
        "The sun shone.",
    ]


@pytest.mark.parametrize("strategy", OTHERS)
def test_other_strategies_refuse_marks(strategy: str) -> None:
    with pytest.raises(cw.ConfigError, match=f"strategy '{strategy}' has no split_at") as caught:
        cw.strategy(strategy, split_at="%%%")
    assert caught.value.option == "split_at"


NO_MARKS = ["", [], ["a", ""], 7, [7], b"%", "\ud800", ["%", "\ud800"], [2**70], [float("inf")]]


@pytest.mark.parametrize("marks", [*NO_MARKS, cw.Separator("(", regex=True)])
def test_what_is_no_mark_is_refused(marks: Any) -> None:
    with pytest.raises(cw.ConfigError) as caught:
        cw.Recursive(split_at=marks)
    assert caught.value.option == "split_at"


def test_an_option_that_is_no_text_of_utf8_is_shown_in_the_error() -> None:
    with pytest.raises(cw.ConfigError, match=r"^separators holds '\\ud800': a surrogate is no"):
        cw.Recursive(separators=["\ud800"])
    with pytest.raises(cw.ConfigError, match=r"^separators must be a list, .* got b'%'"):
        CHUNK("a", separators=b"%")
    with pytest.raises(cw.ConfigError, match=r"^regex must be True or False, got 'yes'"):
        CHUNK("a", split_at={"pattern": "%", "regex": "yes"})


def test_a_strategy_with_marks_is_data() -> None:
    strategy = cw.Balanced(split_at=["---", cw.Separator(r"\d+", regex=True)], keep_mark="end")
    assert cw.strategy(**strategy.spec) == strategy
    assert strategy.spec["split_at"][1] == {"pattern": r"\d+", "regex": True, "keep": "start"}


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "window", "line_based"])
@given(parts=PARTS, limit=st.integers(3, 40), min_size=st.integers(0, 10))
def test_parts_are_cut_as_texts_of_their_own(
    strategy: str, parts: list[str], limit: int, min_size: int
) -> None:
    options = {"max_chars": limit, "min_size": min(min_size, limit)}
    text = "%%".join(parts)
    chunks = CHUNK(text, strategy, split_at="%%", keep_mark="drop", **options)
    alone = [CHUNK(part, strategy, **options) for part in parts]
    assert chunks.texts() == [text for chunks in alone for text in chunks.texts()]
    assert [text[chunk.start : chunk.end] for chunk in chunks] == chunks.texts()
    kept = CHUNK(text, strategy, split_at="%%", max_chars=limit)
    if strategy != "window":
        letters = "".join(kept.texts()).split()
        assert "".join(letters) == "".join(text.split())


@given(parts=PARTS, strategy=st.sampled_from(["kamradt", "cluster", "discontinuity"]))
def test_no_chunk_of_a_strategy_by_meaning_goes_over_a_mark(
    parts: list[str], strategy: str
) -> None:
    text = "%%".join(parts)
    chunks = CHUNK(text, strategy, max_chars=30, split_at="%%", keep_mark="drop", overlap=5)
    assert not any("%" in chunk for chunk in chunks.texts())
    assert "".join("".join(parts).split()) in "".join("".join(chunks.texts()).split()) or (
        chunks.overlaps.any()
    )


@pytest.mark.cpu_seconds(20)
def test_marks_everywhere_take_linear_time() -> None:
    text = "%a" * 200_000
    chunks = CHUNK(text, max_chars=100, split_at=["%", cw.Separator("(%|a)+$", regex=True)])
    assert len(chunks) > 0


def _tables(n_rows: int) -> dict[str, cw.Document]:
    """Return documents of a table, a mark and another table, each in a markup of its own."""
    rows = [(f"stone {i}", str(i)) for i in range(n_rows)]
    lines = "\n".join(f"{name:<8}  {weight:<2}" for name, weight in rows)
    bars = "\n".join(f"| {name} | {weight} |" for name, weight in rows)
    border = "========  =="
    simple = f"{border}\nName      kg\n{border}\n{lines}\n{border}"
    grid = f"| Name | kg |\n|---|---|\n{bars}"
    both = "It weighs:\n\n{0}\n\n%%%\n\nAnd again:\n\n{0}\n"
    return {
        "rst": cw.read_rst(both.format(simple)),
        "markdown": cw.read_markdown(both.format(grid)),
    }


@pytest.mark.parametrize("markup", ["rst", "markdown"])
@pytest.mark.parametrize("strategy", ["recursive", "balanced"])
def test_tables_between_marks_repeat_their_headers(strategy: str, markup: str) -> None:
    document = _tables(12)[markup]
    cut: Any = make_strategy(strategy, {"max_chars": 110, "split_at": "%%%", "keep_mark": "drop"})
    chunks = cut(document)
    of_rows = [chunk.text for chunk in chunks if "stone" in chunk.text]
    assert len(of_rows) > 4
    assert all("Name" in text for text in of_rows)
    # Each side is cut as if it were a document by itself.
    whole: Any = make_strategy(strategy, {"max_chars": 110})
    read = cw.read_rst if markup == "rst" else cw.read_markdown
    sides = document.text.split("%%%")
    assert chunks.texts() == [text for side in sides for text in whole(read(side)).texts()]


@pytest.mark.parametrize("markup", ["rst", "markdown"])
@pytest.mark.parametrize("strategy", ["sentence", "cluster", "kamradt"])
def test_marks_cut_documents_with_tables(strategy: str, markup: str) -> None:
    document = _tables(12)[markup]
    options = {"max_chars": 110, "split_at": "%%%", "keep_mark": "drop"}
    if strategy != "sentence":
        options["embedder"] = "lexical"
    chunks = make_strategy(strategy, options)(document)
    at = document.text.index("%%%")
    bodies = [piece for chunk in chunks for piece in chunk.pieces if piece.role == "body"]
    assert all(piece.end <= at or piece.start >= at + 3 for piece in bodies)
    said = "".join(document.text[piece.start : piece.end] for piece in bodies)
    assert "".join(said.split()) == "".join(document.text.replace("%%%", "").split())
    assert all(len(chunk.text) <= 110 for chunk in chunks)


def test_a_table_with_a_mark_inside_is_cut_there() -> None:
    for document in _tables(6).values():
        marked = document.text.replace("stone 3", "stone %3", 1)
        read = cw.read_rst if "====" in marked else cw.read_markdown
        chunks = CHUNK(read(marked), "recursive", max_chars=90, split_at="%", keep_mark="drop")
        assert all(chunk.end <= len(marked) and "%" not in chunk.text for chunk in chunks)
        said = "".join(marked[chunk.start : chunk.end] for chunk in chunks)
        assert "".join(said.split()) == "".join(marked.replace("%", "").split())


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "line_based"])
def test_a_mark_in_a_block_of_code_is_a_cut(strategy: str) -> None:
    text = "Text.\n\n```py\na = 1\n%%%\nb = 2\n```\n\nThe end."
    chunks: cw.Chunks = make_strategy(
        strategy, {"max_chars": 1000, "split_at": "%%%", "keep_mark": "drop"}
    )(cw.read_markdown(text))
    assert chunks.texts() == ["Text.\n\n```py\na = 1", "b = 2\n```\n\nThe end."]


@pytest.mark.parametrize("strategy", ["cluster", "kamradt", "discontinuity"])
def test_strategies_by_meaning_keep_marks_in_code_and_tables(strategy: str) -> None:
    for block in ("```py\na = 1\n%%%\nb = 2\n```", "|a|b|\n|-|-|\n|1|2|\n%%%\n|3|4|"):
        chunks: cw.Chunks = make_strategy(
            strategy, {"max_chars": 1000, "split_at": "%%%", "keep_mark": "drop"}
        )(cw.read_markdown(block))
        assert all("%%%" not in each for each in chunks.texts())
        assert len(chunks) > 1
