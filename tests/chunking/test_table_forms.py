"""Tables of every form of reStructuredText and Markdown: parts under the whole header."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import make_strategy
from tests import laws

#: Strategies that cut tables between their rows.
STRATEGIES = [
    *("recursive", "sentence", "balanced", "cluster", "kamradt"),
    *("basic", "by_title", "structural", "hierarchical", "hybrid"),
]
EACH = pytest.mark.parametrize("strategy", STRATEGIES)


class Form(NamedTuple):
    """A table as it is written."""

    name: str
    #: The kind of file.
    suffix: str
    #: What stands above the rows and is repeated; what else stands in front of it.
    header: str
    front: str
    #: The rows, each with all its lines, and what closes the table.
    rows: list[str]
    end: str = ""

    @property
    def text(self) -> str:
        return f"{self.front}{self.header}{''.join(self.rows)}{self.end}"


def grid(n_headers: int, n_rows: int, n_lines: int) -> Form:
    frame = "+---------+---------+\n"
    line = "| {:7} | {:7} |\n".format
    head = frame.join(line(f"Name{i}", f"Unit{i}") for i in range(n_headers))
    rows = [
        "".join(line(f"r{i}x{k}", f"v{i}x{k}") for k in range(n_lines)) + frame
        for i in range(n_rows)
    ]
    return Form(
        "grid", ".rst", f"{frame}{head}{frame.replace('-', '=')}" if head else frame, "", rows
    )


def simple(n_headers: int, n_rows: int, n_lines: int) -> Form:
    border = "=======  =======\n"
    head = "".join(f"Name{i}    Unit{i}\n" for i in range(n_headers))
    more = "".join(f"         more{k}\n" for k in range(1, n_lines))
    rows = [f"r{i:<6}  v{i}\n{more}" for i in range(n_rows)]
    return Form("simple", ".rst", f"{border}{head}{border}", "", rows, border)


def csv(n_headers: int, n_rows: int, n_lines: int) -> Form:
    names = ['   :header: "Name0", "Unit0"\n'][:n_headers]
    more = "".join(f"\n   {'m' * k}" for k in range(1, n_lines))
    rows = [f'   "r{i}", "v{i}{more}"\n' for i in range(n_rows)]
    rows[0] = "\n" + rows[0]
    front = ".. csv-table::\n" + "   :widths: 1, 2\n" * (n_headers > 0)
    return Form("csv", ".rst", "".join(names), front, rows)


def stated(n_headers: int, n_rows: int, n_lines: int) -> Form:
    more = "".join(f"\n       {'m' * k}" for k in range(1, n_lines))
    head = "".join(f"   * - Name{i}\n     - Unit{i}\n" for i in range(n_headers))
    rows = [f"   * - r{i}\n     - v{i}{more}\n" for i in range(n_rows)]
    front = f".. list-table::\n   :header-rows: {n_headers}\n\n"
    return Form("list", ".rst", head, front, rows)


def pipes(n_headers: int, n_rows: int, _n_lines: int) -> Form:
    head = "".join(f"| Name{i} | Unit{i} |\n" for i in range(max(n_headers, 1)))
    rows = [f"| r{i} | v{i} |\n" for i in range(n_rows)]
    return Form("pipes", ".md", f"{head}|---|---|\n", "", rows)


def indented(form: Form, by: str) -> Form:
    """Put the form below a line of text, in a quote or an item."""

    def deeper(text: str) -> str:
        return re.sub(r"^(?=.)", by, text, flags=re.MULTILINE)

    return form._replace(
        header=deeper(form.header),
        front=deeper(form.front),
        rows=[deeper(row) for row in form.rows],
        end=deeper(form.end),
    )


FORMS: list[Callable[[int, int, int], Form]] = [grid, simple, csv, stated, pipes]


@st.composite
def forms(draw: st.DrawFn) -> Form:
    n_headers, n_rows = draw(st.integers(0, 3)), draw(st.integers(3, 9))
    form = draw(st.sampled_from(FORMS))(n_headers, n_rows, draw(st.integers(1, 3)))
    if form.name in {"simple", "pipes"} and n_headers == 0:
        form = draw(st.sampled_from([simple, pipes]))(1, n_rows, 1)
    return indented(form, "   ") if form.suffix == ".rst" and draw(st.booleans()) else form


def cut(text: str, form: Form, strategy: str, **options: Any) -> cw.Chunks:
    document = cw.read(text.encode(), name=f"a{form.suffix}")
    if strategy in {"cluster", "kamradt"}:
        options["embedder"] = laws.by_first_letter
    chunks: cw.Chunks = make_strategy(strategy, options)(document)
    return chunks


@EACH
@given(form=forms(), limit=st.integers(20, 400), behind=st.sampled_from(["", "\nText behind.\n"]))
def test_parts_have_the_whole_header_and_whole_rows(
    strategy: str, form: Form, limit: int, behind: str
) -> None:
    text = f"Words above.\n\n{form.text}{behind}"
    chunks = cut(text, form, strategy, max_chars=limit)
    laws.bodies_cover_the_text(text, chunks)
    laws.offsets_are_exact(text, chunks)
    laws.limits_hold(chunks, {"max_chars": limit})
    texts = chunks.texts()
    longest = max(len(row) for row in form.rows)
    # Below half of the limit, what closes a part and the headings above it counted.
    has_room = len(form.header) + len(form.end) <= limit // 2 - len(form.end)
    if has_room and len(form.header) + longest + 2 * len(form.end) <= limit:
        for part in (part for part in texts if re.search(r"\br\d", part)):
            assert form.header.strip() in part, part
    fits = len(form.header) + len(form.front) + longest + 2 * len(form.end) + 14 <= limit
    if fits:
        for row in form.rows:
            assert any(row.strip() in part for part in texts), row


@EACH
@pytest.mark.parametrize("form", [form(1, 8, 1) for form in FORMS[:4]], ids=lambda form: form.name)
def test_rows_keep_their_indentation(strategy: str, form: Form) -> None:
    form = indented(form, "   ")
    chunks = cut(f"Words above:\n\n{form.text}", form, strategy, max_chars=170)
    parts = [part for part in chunks.texts() if re.search(r"\br\d", part)]
    assert len(parts) > 1
    for part in parts[1:]:
        assert all(line.startswith("   ") for line in part.split("\n") if line), part
        assert part.startswith(form.header.split("\n", maxsplit=1)[0])


CAPTIONS = {
    ".. csv-table:: Stones\n": ('   :header: "Name", "Unit"\n\n', '   "r{i}", "v{i}"\n', ".rst"),
    ".. list-table:: Stones\n": ("   :header-rows: 1\n\n", "   * - r{i}\n     - v{i}\n", ".rst"),
    ".. table:: Stones\n\n": (
        "   ====  ====\n   Name  Unit\n   ====  ====\n",
        "   r{i}    v{i}\n",
        ".rst",
    ),
    "Table 1: Stones.\n\n": ("| Name | Unit |\n|---|---|\n", "| r{i} | v{i} |\n", ".md"),
}


@EACH
@pytest.mark.parametrize("title", CAPTIONS)
@pytest.mark.parametrize("limit", [100, 130, 160, 240])
def test_a_title_stays_with_its_table(strategy: str, title: str, limit: int) -> None:
    header, row, suffix = CAPTIONS[title]
    end = "   ====  ====\n" if "====" in header else ""
    rows = [row.format(i=i) for i in range(5)]
    form = Form("", suffix, header, title, rows, end)
    text = (
        f"# Words\n\nSome words that stand above.\n\n{form.text}\nSome words that stand behind.\n"
    )
    chunks = cut(text, form, strategy, max_chars=limit)
    (part,) = (part for part in chunks.texts() if title.strip() in part)
    # A table that fits by itself is not cut for its title.
    fits_alone = limit - len(title) - 12 < len(form.text) - len(title) <= limit + 4
    assert rows[0].strip() in part or fits_alone
    laws.bodies_cover_the_text(text, chunks)
    laws.limits_hold(chunks, {"max_chars": limit})


@EACH
@pytest.mark.parametrize("limit", [90, 130, 160, 240])
def test_a_caption_below_stays_with_its_table(strategy: str, limit: int) -> None:
    form = pipes(1, 6, 1)
    text = f"# Words\n\nSome words.\n\n{form.text}\nTable 1: Stones.\n\nSome words behind.\n"
    chunks = cut(text, form, strategy, max_chars=limit)
    (part,) = (part for part in chunks.texts() if "Table 1" in part)
    fits_alone = limit - 30 < len(form.text) <= limit
    assert form.rows[-1].strip() in part or fits_alone
    laws.bodies_cover_the_text(text, chunks)
    laws.limits_hold(chunks, {"max_chars": limit})


def test_signs_between_values_are_those_of_the_options() -> None:
    text = (
        ".. csv-table::\n   :header: a; 'b; c'\n   :delim: ;\n   :quote: '\n   :escape: \\\n\n"
        "   1; 'two; three'\n   it\\'s; 4\n"
    )
    (element,) = cw.read(text.encode(), name="a.rst").elements or []
    assert element.table is not None
    words = [cell.words(text) for cell in element.table.cells]
    assert words == ["a", "b; c", "1", "two; three", "it\\'s", "4"]
