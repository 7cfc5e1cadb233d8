"""CSV as a document: its cells, its chunks, and what is no CSV."""

import csv
import pickle
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking import ELEMENT_STRATEGIES, STRATEGIES
from chunkwright.readers.delimited import read_csv, read_tsv
from tests import laws
from tests.chunking.test_laws import OVER_SECTIONS
from tests.support.texts import MIXED, PROSE, SHORT

CELLS = st.sampled_from(["", " ", "slate", '"', ",", "a\nb", "a\r\nb", "<td>", "7"]) | SHORT | MIXED
ROWS = st.lists(st.lists(CELLS | PROSE, min_size=1, max_size=5), max_size=12)
DELIMITERS = ",;\t|"
STONES = "stone,kg\n" + "".join(f"slate {i},{i} kg\n" for i in range(20))


@pytest.fixture(autouse=True)
def _limit_of_fields() -> Iterator[None]:
    """Set the limit that Python begins with: others of this process may have set theirs."""
    before = csv.field_size_limit(1 << 17)
    yield
    csv.field_size_limit(before)


def written(rows: list[list[str]], delimiter: str = ",", quoting: Any = csv.QUOTE_MINIMAL) -> str:
    file = StringIO(newline="")
    csv.writer(file, delimiter=delimiter, quoting=quoting).writerows(rows)
    return file.getvalue()


def parsed(text: str, delimiter: str = ",") -> list[list[str]]:
    return [row for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter) if row]


def joined(rows: list[list[str]]) -> str:
    return "\n".join("\t".join(row) for row in rows)


@given(rows=ROWS, delimiter=st.sampled_from(DELIMITERS), quotes_all=st.booleans())
def test_cells_are_those_of_the_csv_module(
    rows: list[list[str]], delimiter: str, quotes_all: bool
) -> None:
    text = written(rows, delimiter, csv.QUOTE_ALL if quotes_all else csv.QUOTE_MINIMAL)
    expected = joined(parsed(text, delimiter))
    document = read_csv(text, delimiter=delimiter)
    tables = [] if document.elements is None else [*document.elements]
    # What stands above the table as its title is no row.
    if tables and tables[0].kind == "caption":
        assert "".join(document.text.split()) == "".join(expected.split())
        return
    assert document.text == expected
    assert [table.text for table in tables] == ([expected.strip()] if expected.strip() else [])
    assert [table.place for table in tables] == [(0, len(text))] * len(tables)
    assert pickle.loads(pickle.dumps(document)) == document
    assert cw.read(text.encode(), kind="tsv") == read_tsv(text)


@given(text=st.text('a,;\t|"\n\r \x00é', max_size=80))
def test_any_text_is_read_as_the_csv_module_reads_it(text: str) -> None:
    assert read_csv(text, delimiter=",").text == joined(parsed(text))
    assert read_csv(text).name is None


@pytest.mark.parametrize("strategy", sorted({*ELEMENT_STRATEGIES} - {*STRATEGIES}))
@given(rows=ROWS, options=laws.element_options())
def test_laws(strategy: Any, rows: list[list[str]], options: dict[str, Any]) -> None:
    document = read_csv(written(rows), delimiter=",", name="x.csv")
    own = {"embedder": laws.by_first_letter} if strategy == "by_similarity" else {}
    chunks = ELEMENT_STRATEGIES[strategy](**{**options, **own})(document)
    laws.hold(document.text, chunks, options)
    laws.hold_for_elements(chunks)


@pytest.mark.parametrize("strategy", OVER_SECTIONS)
@given(rows=ROWS, options=laws.section_options())
def test_laws_of_sections(strategy: Any, rows: list[list[str]], options: dict[str, Any]) -> None:
    document = read_csv(written(rows), delimiter=",", name="x.csv")
    chunks = STRATEGIES[strategy](**options)(document)
    laws.hold(document.text, chunks, options)
    laws.hold_for_sections(chunks, options)


@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "window"])
@given(rows=ROWS, options=laws.options())
def test_laws_of_strategies_over_text(
    strategy: Any, rows: list[list[str]], options: dict[str, Any]
) -> None:
    document = read_csv(written(rows), delimiter=",")
    laws.hold(document.text, STRATEGIES[strategy](**options)(document), options)


@pytest.mark.parametrize("strategy", ["basic", "by_title"])
def test_chunks_are_whole_rows_under_the_header(strategy: Any) -> None:
    chunks = cw.chunk(read_csv(STONES), strategy, max_chars=60)
    assert len(chunks) > 2
    rows = [chunk.text.split("\n") for chunk in chunks]
    assert all(first == "stone\tkg" for first, *_ in rows)
    assert [row for _, *own in rows for row in own] == joined(parsed(STONES)).split("\n")[1:]
    assert [chunk.n_header_rows for chunk in chunks] == [0] + [1] * (len(chunks) - 1)
    assert "<tr><td>slate 19</td><td>19 kg</td></tr></table>" in (chunks[-1].html or "")


def test_a_table_without_a_header_repeats_none() -> None:
    chunks = cw.chunk(read_csv(STONES, header=False), "basic", max_chars=60)
    assert sum("stone" in text for text in chunks.texts()) == 1
    assert "\n".join(chunks.texts()) == joined(parsed(STONES))


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_the_delimiter_is_found(delimiter: str) -> None:
    rows = [["stone", "about, it"], ["slate; blue", "7"], ["chalk", "a | b"], ["flint", "x\ty"]]
    assert read_csv(written(rows, delimiter)).text == joined(rows)
    assert cw.read(written(rows, delimiter).encode(), name="x.csv").text == joined(rows)


@pytest.mark.parametrize("text", ["", "\n\n", "one\ntwo\n", ",,\n,,\n", "\ufeff"])
def test_tables_of_little(text: str) -> None:
    document = read_csv(text)
    assert document.text == joined(parsed(text.removeprefix("\ufeff")))
    assert cw.chunk(document, "basic", max_chars=50).texts() == [document.text.strip()] * bool(
        document.text.strip()
    )


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "stones.csv"
    path.write_bytes(b"\xef\xbb\xbf" + STONES.replace("slate", "gr\xf6\xdfe").encode())
    document = read_csv(path)
    assert document.name == str(path)
    assert document.text.startswith("stone\tkg\ngröße 0\t0 kg")
    assert read_csv(path, name="x").name == "x"
    assert read_csv(path.read_bytes()).text == document.text
    assert read_csv(STONES.encode("utf-16"), encoding="utf-16").text == read_csv(STONES).text
    assert read_csv("a,\ud83d\ude00,\udc00").text == "a\t\U0001f600\t\ufffd"


def test_a_quote_that_is_never_closed_is_named() -> None:
    text = 'a,b\nc,"' + "d" * 200_000
    with pytest.raises(cw.ReadError, match=r"^x\.csv: no CSV at line 2: field larger than"):
        cw.read(text.encode(), name="x.csv")
    with pytest.raises(cw.ReadError, match=r"^input: no CSV at line 2: "):
        read_csv(text)
    assert cw.read(text.encode(), name="x.csv", kind="text").text == text


def test_longer_cells_are_read_where_that_is_allowed() -> None:
    text = f"name,text\nrain,{'It rained. ' * 20_000}\n"
    with pytest.raises(cw.ReadError, match=r"line 2: .*csv\.field_size_limit sets another limit"):
        read_csv(text)
    csv.field_size_limit(1 << 20)
    assert read_csv(text).text == joined(parsed(text))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimiter": ""}, "delimiter must be one character"),
        ({"delimiter": ",,"}, "delimiter must be one character"),
        ({"delimiter": '"'}, "delimiter must be one character"),
        ({"delimiter": 1}, "delimiter must be one character"),
        ({"header": 1}, "header must be True or False"),
        ({"name": 1}, "name must be a str or None"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cw.ConfigError, match=re.escape(message)):
        read_csv(STONES, **options)
    with pytest.raises(cw.ConfigError, match="source must be a str, bytes or a path"):
        read_csv(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("front", ["sep=;\n", '"sep=;"\r\n', "\ufeffSEP=;\n"])
def test_a_first_line_may_state_the_delimiter(front: str) -> None:
    text = f"{front}a,b;c\n1,5;2\n"
    document = read_csv(text)
    assert document.text == "a,b\tc\n1,5\t2"
    (table,) = document.elements
    assert (table.table.n_columns, table.table.cells[0].is_header) == (2, True)
    (chunk,) = cw.chunk(document, "basic", max_chars=99)
    assert (chunk.source_line_start, chunk.source_line_end) == (2, 3)
    assert read_csv("sep=;;\na;b\n").text.startswith("sep=")


@pytest.mark.parametrize(
    "title", ["Rain 2024\n\n", "Rain 2024\n", '"Rain 2024",,\n,,\n', " Rain 2024\n"]
)
def test_a_line_above_a_table_is_its_caption(title: str) -> None:
    text = f"{title}day,mm,place\nMon,3,Ulm\nTue,5,Ulm\n"
    document = read_csv(text, name="a.csv")
    caption, table = document.elements
    assert (caption.kind, caption.text.strip(), caption.caption_of) == (
        "caption",
        "Rain 2024",
        table,
    )
    assert table.text.strip().endswith("day\tmm\tplace\nMon\t3\tUlm\nTue\t5\tUlm")
    first, end = table.place
    assert text[first:end].strip(",\n") == text[text.index("day") :].strip(",\n")
    assert [text[slice(*one.place)].strip(', "') for one in (caption,)] == ["Rain 2024"]
    chunks = cw.chunk(document, "basic", max_chars=30)
    assert all("day\tmm\tplace" in chunk.text for chunk in chunks if "Ulm" in chunk.text)


@pytest.mark.parametrize(
    "text", ["apple\nbanana\npear, green\nplum\n", "name\nx,1\n", "name,\nx,1\ny,2\n", "a\nb\n"]
)
def test_what_is_a_row_is_no_caption(text: str) -> None:
    assert [one.kind for one in read_csv(text).elements] == ["table"]
