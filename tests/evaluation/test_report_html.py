"""The page: that it says what it should, whatever texts and names hold, and needs nothing else."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import Any

import html5lib  # type: ignore[import-untyped]
import numpy as np
import pytest
from lxml import etree

import chunkwright as cw
from chunkwright.errors import MissingExtraError
from chunkwright.evaluation import (
    Dataset,
    Evaluation,
    Excerpt,
    PlacedChunks,
    Problem,
    Question,
    evaluate,
    measure,
)
from chunkwright.evaluation.report import ChunkReport, Report, to_html
from chunkwright.evaluation.report.legend import conclusion
from chunkwright.evaluation.report.worst_questions import MOST_PARTS, marked, worst_cases
from chunkwright.retrieval import Retriever

from .made import dataset, evaluation

HOSTILE = "</script><b>\"'&\x1b[31m\x00 \u202edlrow\u202c \ud800 ]]> <!-- [red] {{x}}"
DATA = dataset()


def parsed(report: Report, **options: Any) -> Any:
    """Parse the page as strictly as a browser's developers could wish."""
    page = to_html(report, **options)
    parser = html5lib.HTMLParser(strict=True, tree=html5lib.getTreeBuilder("lxml"))
    return parser.parse(page).getroot()


def texts(root: Any, path: str) -> list[str]:
    html = {"h": "http://www.w3.org/1999/xhtml", "s": "http://www.w3.org/2000/svg"}
    return ["".join(found.itertext()) for found in root.iterfind(path, html)]


def two_runs() -> list[Evaluation]:
    low = evaluation("low", DATA, [0, 0.5, 0.5, 0])
    return [low, evaluation("high", DATA, [1, 0.5, 1, 0.5], size=50)]


def test_the_page_has_all_parts() -> None:
    root = parsed(Report(two_runs(), "low"))
    assert texts(root, ".//h:title") == ["Evaluation: small"]
    assert texts(root, ".//h:h2") == [
        "Conclusion",
        "Runs",
        "Quality and size",
        "Differences to low",
        "By corpus",
        "Where it goes wrong",
        "Settings",
    ]
    html = {"h": "http://www.w3.org/1999/xhtml", "s": "http://www.w3.org/2000/svg"}
    pictures = root.findall(".//s:svg", html)
    charts = [each for each in pictures if each.get("class") == "chart"]
    assert len(charts) == 2
    assert all("".join(chart.find("s:title", html).itertext()) for chart in charts)
    assert texts(root, ".//s:use/s:title")[0] == "low: recall@1 25.0 %, 6 tokens"


def test_every_column_is_explained_in_plain_words() -> None:
    cutoffs = (5, 10, "min", "500t", "1000t")
    recall = [0, 0.5, 0.5, 0]
    low = evaluation("low", DATA, recall, cutoffs=cutoffs)
    high = replace(low, name="high", retriever="words, smoothed")
    root = parsed(Report([low, high], "low"))
    html = {"h": "http://www.w3.org/1999/xhtml"}
    brief, full = root.findall(".//h:table", html)[:2]
    details = root.find(".//h:details", html)
    assert full in list(details.iter())
    assert brief not in list(details.iter())
    terms = set(texts(root, ".//h:dt"))
    assert {"smoothed", "baseline", "Δ", "bar", "5 hits", "500 tokens", "±"} <= terms
    for table in (brief, full):
        for head in texts(table, ".//h:thead//h:th")[1:]:
            term = head.removesuffix(", %").removesuffix(", tokens").split()[0]
            known = terms | {"chunks", "10", "1000"}
            assert any(each.startswith(term) for each in known), head


def test_the_first_table_fits_the_page() -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    cutoffs = (5, 10, "min", "500t", "1000t")
    runs = [
        evaluation("x" * i, DATA, recall, cutoffs=cutoffs, size=i)
        for i, recall in ((30, [1, 1, 1, 1]), (40, [0, 0, 0, 0]), (80, [0.3, 0.8, 0.1, 0.2]))
    ]
    page = parsed(Report(runs, runs[0].name))
    html = {"h": "http://www.w3.org/1999/xhtml"}
    # DejaVu Sans is wider than the fonts that browsers take.
    font = FontProperties(family="DejaVu Sans", weight="bold")

    def width(text: str) -> float:
        return float(TextPath((0, 0), text, size=13.5, prop=font).get_extents().width) + 18

    def widest(table: Any) -> float:
        rows = [texts(row, "h:td") for row in table.iterfind(".//h:tbody/h:tr", html)]
        heads = [
            max(head.split(), key=len)
            for head in texts(table, ".//h:thead//h:th")
            if head != "run" and " hits" not in head and not head[0].isdigit()
        ]
        columns = zip(heads, *rows, strict=True)
        # Names have 20 rem and are cut off there.
        return 320 + sum(max(map(width, column)) for column in columns)

    assert widest(page.find(".//h:table", html)) < 1176


def test_the_page_needs_nothing_else() -> None:
    # The icon is an empty one, so that no browser looks for another elsewhere.
    page = to_html(Report(two_runs(), "low")).replace('<link rel="icon" href="data:,">', "")
    assert not re.search(r"<(script|link|img|iframe|object|embed|metadata)\b", page)
    assert not re.search(r"\b(src|srcset)=|@import", page)
    known = {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r"https?://[^\"' ]+", page)) == known
    # What pictures refer to is theirs alone.
    ids = re.findall(r'\bid="([^"]*)"', page)
    references = re.findall(r"href=\"([^\"]*)\"|url\(([^)]*)\)", page)
    assert len(set(ids)) == len(ids) > 0
    assert {one or other for one, other in references} == {f"#{name}" for name in ids}


def test_pictures_have_the_colours_of_the_page() -> None:
    (picture, *_) = re.findall(
        r"<svg[^>]*class=\"chart\".*?</svg>", to_html(Report(two_runs(), "low")), re.DOTALL
    )
    assert not re.search(r"#[0-9a-f]{6}\b", picture)
    assert "var(--accent)" in picture


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_extras_that_are_missing(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    report = Report(two_runs(), "low")
    if missing == "jinja2":
        with pytest.raises(MissingExtraError, match=r"chunkwright\[report\]"):
            to_html(report)
        return
    root = parsed(report)
    html = {"h": "http://www.w3.org/1999/xhtml", "s": "http://www.w3.org/2000/svg"}
    # Intervals need no library.
    assert {each.get("class") for each in root.iterfind(".//s:svg", html)} == {"bar"}
    (note, *_) = (text for text in texts(root, ".//h:p") if text.startswith("Not drawn"))
    assert "chunkwright[plots]" in note


def test_the_same_report_gives_the_same_page() -> None:
    assert to_html(Report(two_runs(), "low")) == to_html(Report(two_runs(), "low"))


@pytest.mark.parametrize("name", [HOSTILE, "x" * 5000, "", "日本語" * 40, "[red]bold[/red]"])
def test_names_and_texts_are_shown_as_they_are(name: str) -> None:
    problem = Problem(HOSTILE, HOSTILE, HOSTILE)
    said = f"{name} cats. {HOSTILE}"
    data = dataset(
        {name or "c": said}, [(f"What? {name}", name or "c", "cats")], HOSTILE, (problem,)
    )
    runs = [evaluation("one", data, [0.0]), evaluation(name, data, [0.5])]
    root = parsed(Report(runs, name, {"of": HOSTILE}))
    shown = "".join(root.itertext())
    assert "</script><b>\"'&␛[31m" in shown
    assert "\x1b" not in shown
    heads = texts(root, ".//h:tbody//h:th")
    assert all(head == "one" or name.startswith(head.rstrip("…")[:50]) for head in heads[:2]) or (
        HOSTILE in name
    )


def test_the_conclusion_stands_above_the_first_table() -> None:
    page = to_html(Report(two_runs(), "low"))
    said = page.index(conclusion(Report(two_runs(), "low")).split(",")[0])
    assert page.index("<h2>Conclusion</h2>") < said < page.index("<table>")


def test_each_interval_of_a_table_is_drawn_beside_its_words() -> None:
    root = parsed(Report(two_runs(), "low"))
    html = {"h": "http://www.w3.org/1999/xhtml", "s": "http://www.w3.org/2000/svg"}
    brief = root.find(".//h:table", html)
    cells = brief.findall(".//h:td", html)
    drawn = [cell for cell in cells if cell.find("s:svg", html) is not None]
    assert drawn == [cell for cell in cells if "[" in "".join(cell.itertext())] != []
    # The difference comes first behind the name of the run.
    assert brief.findall(".//h:tbody/h:tr", html)[1].find("h:td", html) is drawn[0]
    zero, line, *_ = drawn[0].iterfind("s:svg/s:line", html)
    assert float(line.get("x1")) > float(zero.get("x1"))


def test_a_table_has_headers() -> None:
    root = parsed(Report(two_runs(), "low"))
    html = {"h": "http://www.w3.org/1999/xhtml"}
    for table in root.iterfind(".//h:table", html):
        rows = [len(row.findall("h:td", html)) for row in table.iterfind(".//h:tbody/h:tr", html)]
        heads = [
            head
            for head in table.iterfind("h:thead//h:th", html)
            if head.get("scope") == "col" and head.text != "run"
        ]
        assert set(rows) == {len(heads)}
        assert all(head.get("scope") == "row" for head in table.iterfind(".//h:tbody//h:th", html))


def test_one_run_and_equal_runs() -> None:
    low = two_runs()[0]
    assert "Differences to" not in to_html(Report([low]))
    same = parsed(Report([low, replace(low, name="again")], "low"))
    assert "0.0 [0.0, 0.0]" in texts(same, ".//h:figure/h:div/h:span")


def test_a_run_of_no_questions() -> None:
    data = dataset(asked=[])
    root = parsed(Report([evaluation("none", data, []), evaluation("too", data, [])], "none"))
    assert "Quality and size" not in texts(root, ".//h:h2")


def test_chunks_that_stand_nowhere_are_listed() -> None:
    run = two_runs()[0]
    nowhere = np.full(run.n_chunks, -1)
    run = replace(run, chunks=replace(run.chunks, corpora=nowhere))
    listed = texts(parsed(Report([run])), ".//h:ul/h:li")
    assert run.chunks.texts[0] in listed


def test_the_worst_questions_and_what_is_marked() -> None:
    low, high = two_runs()
    report = Report([low, high], "low")
    cases = worst_cases(report, low, 2)
    assert [case.text for case in cases] == ["When was the mill built?", "How is a mouse?"]
    assert [case.base for case in cases] == [None, None]
    (mill, *_) = cases
    # The one hit that counts is text[0:30], and the excerpt is text[13:26].
    assert [(part.text, part.is_marked) for part in mill.excerpts[0].parts] == [
        ("built in 1743", True)
    ]
    assert [(part.text, part.is_marked) for part in mill.hits[0].parts] == [
        ("The mill was ", False),
        ("built in 1743", True),
        (". It", False),
    ]
    assert len(mill.hits) == 1


def test_losses_come_first() -> None:
    base = evaluation("base", DATA, [1, 0.25, 1, 0])
    run = evaluation("run", DATA, [0.9, 0.5, 0.2, 0])
    cases = worst_cases(Report([base, run], "base"), run, 9)
    assert [case.text for case in cases] == [
        "What do cats hunt?",
        "When was the mill built?",
        "How is a mouse?",
        "Was anybody hurt?",
    ]
    assert [case.base for case in cases] == [1, 1, 0, 0.25]


def test_everything_found() -> None:
    run = evaluation("all", DATA, [1, 1, 1, 1])
    assert worst_cases(Report([run]), run, 5) == []
    assert "all: everything was found" in texts(parsed(Report([run])), ".//h:p")


def test_another_occurrence_is_marked_where_it_counts() -> None:
    data = dataset({"t": "cats purr, dogs bark, cats purr"}, [("Who?", "t", "cats purr")])
    run = evaluation("any", data, [0.5], placement="any_occurrence")
    chunks = PlacedChunks(("dogs bark, cats purr",), *(np.array([n]) for n in (0, 11, 31, 4, 0)))
    run = replace(run, chunks=chunks, hits=type(run.hits)(*map(np.array, ([0, 1], [0], [1.0]))))
    (case,) = worst_cases(Report([run]), run, 1)
    assert [part.text for part in case.hits[0].parts if part.is_marked] == ["cats purr"]
    assert [part.text for part in case.excerpts[0].parts if part.is_marked] == ["cats purr"]
    own = replace(run, placement="offsets")
    (case,) = worst_cases(Report([own]), own, 1)
    assert not any(part.is_marked for part in [*case.hits[0].parts, *case.excerpts[0].parts])


def test_long_texts_are_shortened_and_say_so() -> None:
    parts = marked("a" * 10_000, [(4000, 4100), (4050, 6000)])
    assert sum(len(part.text or "") + part.left_out for part in parts) == 10_000
    assert sum(len(part.text or "") for part in parts) < 1500
    many = marked("ab" * 1000, [(i, i + 1) for i in range(0, 2000, 2)])
    assert len(many) <= MOST_PARTS + 2
    assert sum(len(part.text or "") + part.left_out for part in many) == 2000


def test_a_huge_text_gives_no_huge_page() -> None:
    long = "word " * 200_000
    data = dataset({"long": long}, [("Which?" * 1000, "long", long.strip())])
    run = evaluation("run", data, [0.5], size=900_000)
    assert len(to_html(Report([run]))) < 60_000


def test_the_settings_are_there() -> None:
    (settings,) = texts(parsed(Report(two_runs(), settings={"tokenizer": "x"})), ".//h:pre")
    assert '"tokenizer": "x"' in settings


def test_pictures_are_xml() -> None:
    for picture in re.findall(r"<svg.*?</svg>", to_html(Report(two_runs(), "low")), re.DOTALL):
        etree.fromstring(picture)


def test_copies_of_an_excerpt_are_marked_where_they_count() -> None:
    text = "mice run. mice run. They hide from cats, and mice run."
    data = Dataset({"pets": text}, (Question("Who?", "pets", (Excerpt("mice run", 45, 53),)),))
    for placement, found, hit in (
        ("any_occurrence", [("mice", True), (" run", False)], "mice"),
        ("offsets", [("mice run", False)], None),
    ):
        run = evaluate(
            lambda text: [text[:4], text[10:14]],
            data,
            placement=placement,  # type: ignore[arg-type]
            retriever=Retriever.dense("lexical"),
            cutoffs=2,
        )
        (case,) = worst_cases(Report([run]), run, 5)
        assert [(part.text, part.is_marked) for part in case.excerpts[0].parts] == found
        marks = [[part.text for part in each.parts if part.is_marked] for each in case.hits]
        assert marks == [[hit] if hit else []] * len(case.hits)
        assert case.hits
        assert (case.score > 0) == bool(hit)


def test_chunks_are_a_section_of_the_page() -> None:
    found = [measure(cw.Window(max_chars=20), DATA, name="low")]
    root = parsed(Report(two_runs(), "low", measures=found))
    assert "Chunks" in texts(root, ".//h:h2")
    assert "sentences" in texts(root, ".//h:th/h:bdi")


@pytest.mark.parametrize("name", [HOSTILE, "x" * 5000, "", "[red]bold[/red]"])
def test_a_page_of_chunks_alone(name: str) -> None:
    data = Dataset({name or "c": f"{name} cats. {HOSTILE}"}, (), HOSTILE)
    found = measure(cw.Window(max_chars=20), data, name=name)
    page = ChunkReport([found], data, {"of": HOSTILE}).to_html()
    parser = html5lib.HTMLParser(strict=True, tree=html5lib.getTreeBuilder("lxml"))
    root = parser.parse(page).getroot()
    assert texts(root, ".//h:h2") == ["Chunks", "Settings"]
    shown = "".join(root.itertext())
    assert "</script><b>\"'&␛[31m" in shown
    assert "\x1b" not in shown
