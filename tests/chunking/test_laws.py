"""What holds for every strategy, every option and every text, with elements or without."""

import itertools
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ALL_STRATEGIES, ELEMENT_STRATEGIES, STRATEGIES
from tests import laws
from tests.support.element_lists import Item, element_lists, markdown, table_html
from tests.support.markdown_texts import MARKDOWN
from tests.support.texts import WITH_SURROGATES, growing_tokens

# Auto has no options of sections; a document with elements it cuts as hybrid does (test_auto.py).
OVER_SECTIONS = sorted(({*ELEMENT_STRATEGIES} & {*STRATEGIES}) - {"auto"})
OVER_ELEMENTS = sorted({*ELEMENT_STRATEGIES} - {*STRATEGIES})


def _options(**chosen: Any) -> dict[str, Any]:
    return {"soft_max": None, "overlap_at": "any", "tokenizer": "cl100k_base", **chosen}


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@given(text=WITH_SURROGATES, options=laws.options())
@example(text="aé", options=_options(max_tokens=2, overlap=1, tokenizer="bytes"))
@example(text="0" + 33 * "\u0301", options=_options(max_tokens=1, overlap=0))
def test_laws(strategy: Any, text: str, options: dict[str, Any]) -> None:
    chunks = cw.chunk(text, strategy, **laws.needed(strategy), **options)
    laws.hold(text, chunks, options)
    assert chunks == cw.chunk(text, strategy, **laws.needed(strategy), **options)


# ---------------------------------------------------------------------- documents with elements


def _hold(strategy: str, document: cw.Document, options: dict[str, Any]) -> None:
    """Assert that the laws hold, however often and by however many threads the text is cut."""
    splitter = make(strategy, options)
    chunks = splitter(document)
    laws.hold(document.body, chunks, options)
    if strategy in OVER_SECTIONS:
        laws.hold_for_sections(chunks, options)
    elif strategy == "auto":
        laws.hold_for_sections(chunks, SECTIONS)
    elif strategy in ELEMENT_STRATEGIES:
        laws.hold_for_elements(chunks)
        if strategy in UNITS:
            laws.units_are_kept(chunks, UNITS[strategy](document))
    again = pickle.loads(pickle.dumps(chunks))
    assert again == chunks == splitter(document)
    assert again.ids == chunks.ids
    for workers in (1, 2):
        batch = splitter.batch([document, document], workers=workers)
        assert batch.texts() == 2 * chunks.texts()
        assert batch.ids == 2 * chunks.ids
        assert list(batch)[: len(chunks)] == list(chunks)
        assert [list(one) for one in splitter.stream([document], workers=workers)] == [list(chunks)]


def make(strategy: str, options: dict[str, Any]) -> Any:
    """Make a strategy over elements or over text, which take options of their own."""
    if strategy in STRATEGIES and strategy not in OVER_SECTIONS:
        options = {name: options[name] for name in options if name not in OF_ELEMENTS}
    if strategy == "by_similarity":
        options = {**options, "embedder": laws.by_first_letter}
    return ALL_STRATEGIES[strategy](**laws.needed(strategy), **options)


SECTIONS = {"repeat_headings": True, "repeat_headers": True}
# What strategies over sections join, each by an option of its own.
MERGES = {"hybrid": "merge_peers", "hierarchical": "merge_list_items"}
TWO_TABLES = [
    {"type": "Title", "text": "Rain"},
    *(
        {"type": "Table", "text": text, "metadata": {"text_as_html": table_html([[text]])}}
        for text in ("one", "two")
    ),
]
OF_ELEMENTS = ("overlap_all", "isolate_tables", "skip_tables", "repeat_headers", "language")


def _pages(document: cw.Document) -> list[int]:
    """Number the runs of one page; who says no page is on that of the one before."""
    assert document.elements is not None
    pages, run, units = document.elements.pages, 0, []
    current = pages[0] if len(pages) and pages[0] is not None else 1
    for page in pages:
        run += page is not None and page != current
        current = current if page is None else page
        units.append(run)
    return units


def _similar(document: cw.Document) -> list[int]:
    """Number the runs of elements whose texts begin with the same letter, or to which one leads."""
    assert document.elements is not None
    units, before, run = [], None, 0
    leads = None
    for element in document.elements:
        letter = before
        if element.text:
            letter = laws.by_first_letter([laws.repaired(element.text)]).argmax()
            is_led = leads is not None and _leads(leads, element)
            run += before is not None and letter != before and not is_led
            leads = element
        before = letter
        units.append(run)
    return units


def _leads(element: cw.Element, following: cw.Element) -> bool:
    """Whether the next stands below a heading, or is what a line that ends in a colon leads to."""
    is_line = element.kind in {"paragraph", "list item", "quote", "caption"}
    is_block = following.kind in {"list", "list item", "code", "table", "formula"}
    ends = LEAD_IN.search(element.text.rstrip()) is not None
    return element.kind == "heading" or (is_line and is_block and ends)


# What closes a bracket, a quotation or emphasis may stand behind the colon.
CLOSERS = (
    """[]"')}*_`~\u00ab\u00bb\u2018\u2019\u201c\u201d\u203a\u2039"""
    r"\u300d\u300f\uff09\u3011\u300b\u3009\u3015\uff3d\uff63\u2020\u2021\u00b2\u00b3\u00b9\u2070-\u2079]"
)
LEAD_IN = re.compile(rf"[:\uff1a\ufe13\ufe55]{CLOSERS}{{0,7}}$")


UNITS = {"by_page": _pages, "by_similarity": _similar}


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES} - {*OVER_SECTIONS}))
@given(items=element_lists(), options=laws.element_options())
def test_laws_of_elements(strategy: str, items: list[Item], options: dict[str, Any]) -> None:
    document = cw.read_elements(items)
    laws.no_word_is_lost(document, [item["text"] for item in items])
    _hold(strategy, document, options)


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES} - {*OVER_SECTIONS}))
@given(document=markdown(), options=laws.element_options())
def test_laws_of_markdown(strategy: str, document: cw.Document, options: dict[str, Any]) -> None:
    _hold(strategy, document, options)


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES, *ELEMENT_STRATEGIES} - {*OVER_SECTIONS}))
@given(text=MARKDOWN, options=laws.element_options())
def test_laws_of_read_markdown(strategy: str, text: str, options: dict[str, Any]) -> None:
    _hold(strategy, cw.read_markdown(text), options)


@pytest.mark.parametrize("strategy", OVER_SECTIONS)
@given(
    document=st.one_of(
        element_lists().map(cw.read_elements), markdown(), MARKDOWN.map(cw.read_markdown)
    ),
    options=laws.section_options(),
    merges=st.booleans(),
)
@example(
    document=cw.read_elements(TWO_TABLES),
    options=_options(max_tokens=12, min_size=None, overlap=2, **SECTIONS),
    merges=False,
)
def test_laws_of_sections(
    strategy: str, document: cw.Document, options: dict[str, Any], merges: bool
) -> None:
    merging = {MERGES[strategy]: merges} if strategy in MERGES else {}
    _hold(strategy, document, {**options, **merging})


@pytest.mark.parametrize("strategy", sorted(ELEMENT_STRATEGIES))
def test_laws_of_real_elements(strategy: str, shared: Path) -> None:
    files = sorted((shared / "data" / "unstructured-elements").rglob("*.json"))
    assert len(files) > 50
    options = _options(max_tokens=64, overlap=0)
    splitter = make(strategy, options)
    documents = [cw.read_elements(file) for file in files]
    n_parts = 0
    for document, chunks in zip(documents, splitter.stream(documents, workers=2), strict=True):
        assert document.elements is not None
        laws.no_word_is_lost(document, [item["text"] for item in document.elements.items])
        laws.hold(document.text, chunks, options)
        if strategy in {*OVER_SECTIONS, "auto"}:
            laws.hold_for_sections(chunks, SECTIONS)
        else:
            laws.hold_for_elements(chunks)
        assert splitter.batch([document], workers=2).texts() == chunks.texts()
        n_parts += sum(chunk.table_id is not None for chunk in chunks)
    assert n_parts > 500


# ---------------------------------------------------------------------- text


@pytest.mark.slow
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("overlap", [0, 3])
@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_tokens_that_grow_when_trimmed(encoding: str, overlap: int, strategy: Any) -> None:
    options = _options(max_tokens=10, overlap=overlap, tokenizer=encoding)
    for token in growing_tokens(encoding):
        # The limit is reached with the token, and exceeded without its line break.
        for text in ("a=b;" * 4 + "a=" + token, "a=b;" * 4 + token + "x = y"):
            chunks = cw.chunk(text, strategy, **laws.needed(strategy), **options)
            laws.limits_hold(chunks, options)
            laws.bodies_cover_the_text(text, chunks)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("overlap", [0, 8])
def test_a_line_break_that_makes_tokens_one_is_no_room(overlap: int, strategy: Any) -> None:
    text, options = "a=b;" * 255 + "[];\n", _options(max_tokens=512, overlap=overlap)
    laws.hold(text, cw.chunk(text, strategy, **laws.needed(strategy), **options), options)


@pytest.mark.cpu_seconds(20)
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_ends_that_never_fit_are_not_tried_one_by_one(strategy: Any) -> None:
    text = "\u00e9" * 20_000 + " "
    options = _options(max_tokens=9, overlap=2, overlap_at="word", tokenizer=_blank_ends_are_free)
    chunks = cw.chunk(text, strategy, **laws.needed(strategy), **options)
    laws.limits_hold(chunks, options)


def _blank_ends_are_free(text: str) -> int:
    return 0 if text.endswith(" ") else len(text)


@given(text=WITH_SURROGATES, limit=st.integers(1, 40))
def test_windows_are_as_long_as_the_limit_allows(text: str, limit: int) -> None:
    chunks = cw.chunk(text, "window", max_chars=limit)
    for chunk, after in itertools.pairwise(chunks):
        # The next grapheme would not have fitted.
        assert len(chunk.text) > limit - laws.MAX_CLUSTER
        if text[chunk.start : after.end].isascii() and "\r\n" not in text:
            assert len(chunk.text) == limit


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize("limit", [{"max_tokens": 128, "overlap": 16}, {"max_chars": 500}])
def test_long_texts(strategy: Any, limit: dict[str, Any], long_texts: dict[str, str]) -> None:
    for text in long_texts.values():
        chunks = cw.chunk(text, strategy, **laws.needed(strategy), **limit)
        options = {"tokenizer": "cl100k_base", "overlap": 0, **limit}
        laws.bodies_cover_the_text(text, chunks)
        laws.limits_hold(chunks, options)
        laws.overlaps_belong_to_the_chunk_before(chunks, options)
