"""Questions on a page: its scores by words are the library's own, and what matches is marked."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.render.viewing import view_of, viewer_script
from chunkwright.retrieval.question_scores import question_scores
from tests.pages.browser import PATIENCE, Browser, Page
from tests.pages.viewer.opening import notes, opened

STRATEGY = cw.strategy("hybrid", max_tokens=32)
# Words, identifiers, numbers, cases, scripts without spaces, marks, joiners; several spellings.
ALPHABET = st.sampled_from(
    [
        *("aAbZ09_ ßẞςΣİıéÉǅＡ.-'\n"),
        *("é", "rain", "Raining", "parseHTTPRequest2", "URLs", "max_tokens"),
        *("京都かなカ한글ไทย〇٣ж҉"),
        *("\u00ad", "\u200d", "\ufe0f", "😀", "𠀀", "क्षि", "ﬁ", "²", "Ⅷ"),
        *("e\u0301", "\u0301", "\u0323", "résumé", "resume", "Łódź", "lodz", "ёлка", "елка"),
        *(
            "ｶﾞｲﾄﾞ",
            "ガイド",
            "ﾞ",
            "\u1112\u1161\u11ab",
            "\u1161",
            "한국",
            "ＡＢＣ１２",
            "१२",
            "๔",
            "٤٢",
        ),
        *("كِتَاب", "كتاب", "كـتاب", "שָׁלוֹם", "שלום", "ἄνθρωπος", "ανθρωποσ", "đường", "\u0e33"),
    ]
)
TEXTS = st.lists(st.lists(ALPHABET, max_size=25).map("".join), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def scoring(browser: Browser) -> Page:
    """A page that has the parts of the viewer, which score texts."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    inside = viewer_script().replace('"use strict";', "", 1).removeprefix("(() => {")
    inside = inside.rstrip().removesuffix("})();")
    page.evaluate(
        f"""() => {{ {inside}
          window.score = async (view, question) => {{
            const cut = new Cut(view, view.text, new CodePoints(view.text));
            return Array.from((await WordIndex.of(cut)).shares_of(question));
          }};
          window.marked = (text, question) => {{
            const found = matchesIn(text, questionTerms(question));
            return found.map(({{ start, end }}) => text.slice(start, end));
          }};
        }}"""
    )
    return page


def ask(page: Page, question: str) -> None:
    page.fill("[aria-label=Question][type=search]", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".cw-asked-for")


@settings(max_examples=100)
@given(texts=TEXTS, question=st.lists(ALPHABET, min_size=1, max_size=12).map("".join))
@example(texts=["Straße STRASSE", "İstanbul ISTANBUL"], question="strasse istanbul")
@example(texts=["a" * 5000 + " b", "京" * 3000], question="a" * 70 + " 京京")
@example(texts=["résumé resume résumés", "ｶﾞｲﾄﾞ كِتَاب"], question="resume résume ガイド كتاب")
@example(texts=["東京 京都", "京"], question="京 東京")
@example(texts=["parseHTTPRequest2 URLs aB", "__max_tokens__"], question="http tokens url")
def test_scores_by_words_are_those_of_the_library(
    scoring: Page, texts: list[str], question: str
) -> None:
    joined = "\n\n".join(texts)
    chunks = cw.strategy("recursive", max_chars=40)(joined)
    (expected,) = question_scores(chunks, [question], None)
    found = scoring.evaluate(
        "([view, question]) => score(view, question)", [view_of(chunks), question]
    )
    words = [row["words"] for row in expected["scores"]]
    assert found == pytest.approx(words, abs=1e-5)


def test_words_are_marked_where_they_stand_however_they_are_written(scoring: Page) -> None:
    for text, question, marked in (
        ("Le cafe\u0301 noir", "café", ["cafe\u0301"]),
        ("Le cafe\u0301 noir", "cafe", ["cafe\u0301"]),
        ("Der ｶﾞｲﾄﾞ, co\u00adoperate.", "ガイド cooperate", ["ｶﾞｲ", "ｲﾄﾞ", "co\u00adoperate"]),
        ("Ein ﬁsh und १२ Äpfel", "fish 12 apfel", ["ﬁsh", "१२", "Äpfel"]),
    ):
        found = scoring.evaluate("([text, question]) => marked(text, question)", [text, question])
        assert found == marked


def test_scores_of_real_documents_are_those_of_the_library(scoring: Page) -> None:
    for file in ("README.md", "docs/cli.md"):
        chunks = cw.strategy("hybrid", max_tokens=120)(cw.read(file))
        question = "How do I replace my splitter and keep the ids of chunks?"
        (expected,) = question_scores(chunks, [question], None)
        found = scoring.evaluate(
            "([view, question]) => score(view, question)", [view_of(chunks), question]
        )
        words = [row["words"] for row in expected["scores"]]
        assert found == pytest.approx(words, abs=1e-5)
        assert max(words) > 0.2


def test_contexts_are_searched_too(scoring: Page) -> None:
    chunks = cw.Contextual(cw.strategy("hybrid", max_tokens=32), context="structure")(notes())
    (expected,) = question_scores(chunks, ["notes rivers"], None)
    found = scoring.evaluate("view => score(view, 'notes rivers')", view_of(chunks))
    assert found == pytest.approx([row["words"] for row in expected["scores"]], abs=1e-5)


def test_a_question_lights_up_what_answers_it(browser: Browser, tmp_path: Path) -> None:
    chunks = STRATEGY(notes())
    with opened(browser, tmp_path, chunks) as watched:
        page = watched.page
        ask(page, "Which reactor was shut down?")
        best = int(page.inner_text(".cw-hits li:first-child .cw-hit-name"))
        assert "Reactors" in chunks[best].text
        assert page.get_attribute("article[aria-current=true]", "data-chunk") == str(best)
        marked = page.locator(f"article[data-chunk='{best}'] mark.cw-word")
        assert {"shut", "down"} <= set(marked.all_inner_texts())
        # Another inflection has the first letters in common.
        prefixed = page.locator(f"article[data-chunk='{best}'] mark.cw-prefix").all_inner_texts()
        assert prefixed == ["Reactors"]
        assert "vectors" not in page.inner_text(".cw-hits")


def test_vectors_that_were_computed_have_bars_of_their_own(
    browser: Browser, tmp_path: Path
) -> None:
    chunks = STRATEGY(notes())
    question = "What was seen in Beijing?"
    rows = question_scores(chunks, [question], cw.embed.as_embedder("lexical"))
    with opened(browser, tmp_path, chunks, questions=rows) as watched:
        page = watched.page
        page.click(f".cw-given >> text={question}")
        page.wait_for_selector(".cw-fill-vectors")
        shown = page.locator(".cw-hits li:first-child .cw-share-value").all_inner_texts()
        best = max(rows[0]["scores"], key=lambda row: row["total"])
        assert shown == [f"{best['words']:.2f}", f"{best['vectors']:.2f}"]


def test_what_a_search_adds_has_a_tone_of_its_own(browser: Browser, tmp_path: Path) -> None:
    text = "".join(f"Sentence {i} is about rain. " for i in range(12)) + "Engines hum."
    chunks = cw.strategy("sentence", sentences=2)(text)
    rows = question_scores(chunks, ["engines"], None)
    with opened(browser, tmp_path, chunks, questions=rows) as watched:
        page = watched.page
        ask(page, "engines")
        added = page.locator(".cw-text .cw-expanded").all_inner_texts()
        assert any("Sentence 10" in part or "Sentence 11" in part for part in added)
        assert page.locator(".cw-text mark.cw-word").all_inner_texts() == ["Engines"]


def test_a_question_of_no_words_finds_nothing(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, STRATEGY(notes())) as watched:
        ask(watched.page, "zzz ???")
        assert "No chunk has a word" in watched.page.inner_text(".cw-questions")
        watched.page.fill("[aria-label=Question][type=search]", "")
        assert watched.page.locator(".cw-asked-for").count() == 0
