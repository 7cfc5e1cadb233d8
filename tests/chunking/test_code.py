"""Code: cuts between definitions, names of what chunks are about, with grammars and without."""

from __future__ import annotations

import pickle
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.grammars import load, versions
from chunkwright.chunking.strategies import code
from tests.support.programs import ABOVE, PYTHON, programs

NAMED = ("scope", "name", "symbol", "language")


def without_grammars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut as one does who has not installed the extra."""
    monkeypatch.setattr(code, "load", lambda _: False)


def places(chunks: cw.Chunks) -> list[tuple[Any, ...]]:
    """Return what each chunk says that it is about, and its lines."""
    return [(*(getattr(each, name) for name in NAMED[:3]), each.lines) for each in chunks]


def test_chunks_name_what_they_are_about() -> None:
    chunks = cw.Code(max_chars=120)(PYTHON, name="cart.py")
    assert places(chunks) == [
        (None, "os", "import", (1, 4)),
        ("Cart", "Cart", "class", (7, 12)),
        ("Cart.add", "add", "method", (14, 17)),
        ("total", "total", "function", (20, 23)),
    ]
    assert {each.language for each in chunks} == {"python"}


def test_rows_have_columns_of_code() -> None:
    chunks = cw.Code(max_chars=120)(PYTHON, name="cart.py")
    rows = chunks.to_dicts()
    assert [tuple(row[name] for name in NAMED) for row in rows] == [
        tuple(getattr(each, name) for name in NAMED) for each in chunks
    ]
    assert set(NAMED) <= set(dict(chunks[0]))
    assert not set(NAMED) & set(dict(cw.Recursive(max_chars=120)(PYTHON)[0]))


def test_metadata_of_the_same_name_take_the_place_of_a_column() -> None:
    document = cw.Document(text=PYTHON, name="cart.py", metadata={"language": "de"})
    chunk = cw.Code(max_chars=120)(document)[1]
    assert dict(chunk)["language"] == "de"
    assert dict(chunk)["scope"] == "Cart"
    assert chunk.language == "python"


def test_what_chunks_say_survives_a_pickle_and_a_slice() -> None:
    chunks = cw.Code(max_chars=120)(PYTHON, name="cart.py")
    assert places(pickle.loads(pickle.dumps(chunks))) == places(chunks)
    alone = pickle.loads(pickle.dumps(chunks[2]))
    assert (alone.scope, alone.symbol, alone.language) == ("Cart.add", "method", "python")


def test_heads_are_repeated_on_demand() -> None:
    chunk = cw.Code(max_chars=140, repeat_heads=True)(PYTHON, name="cart.py")[2]
    assert chunk.text.startswith("class Cart(Base):\n    # Prices are in cents.\n    @logged\n")
    assert [piece.role for piece in chunk.pieces] == ["heading", "body"]
    assert len(chunk.text) <= 140


@pytest.mark.parametrize("language", ABOVE)
@pytest.mark.parametrize("has_grammar", [True, False])
def test_what_stands_above_stays_with_its_thing(
    language: Any, has_grammar: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_grammar:
        without_grammars(monkeypatch)
    parts = ABOVE[language]
    text = "\n\n".join(parts)
    limit = max(map(len, parts)) + 4
    chunks = cw.Code(language=language, max_chars=limit)(text)
    texts = [each.strip() for each in chunks.texts()]
    for part in parts:
        assert any(part in each for each in texts), part


@pytest.mark.parametrize("strategy", ["code", "auto"])
@given(programs())
def test_no_definition_that_fits_is_cut(strategy: str, program: tuple[str, list[str]]) -> None:
    text, definitions = program
    for limit in (60, 120, 240):
        splitter = cw.Code if strategy == "code" else cw.Auto
        texts = splitter(max_chars=limit)(text, name="a.py").texts()
        for each in definitions:
            if len(each) <= limit:
                assert any(each in chunk for chunk in texts), (limit, each)


@given(programs(), st.integers(1, 80), st.integers(0, 20), st.booleans())
def test_all_is_there_within_the_limit(
    program: tuple[str, list[str]], limit: int, overlap: int, heads: bool
) -> None:
    text, _ = program
    options: Any = {"max_chars": limit, "overlap": min(overlap, limit - 1), "repeat_heads": heads}
    chunks = cw.Code(**options)(text, name="a.py")
    own = "".join(
        text[piece.start : piece.end]
        for chunk in chunks
        for piece in chunk.pieces
        if piece.role == "body"
    )
    assert "".join(own.split()) == "".join(text.split())
    assert all(len(chunk.text) <= limit for chunk in chunks)


def test_a_long_function_is_cut_between_statements() -> None:
    body = "\n".join(f"    value_{n} = compute({n})" for n in range(30))
    chunks = cw.Code(max_chars=200)(f"def long():\n{body}\n", name="a.py")
    assert len(chunks) > 3
    assert {each.scope for each in chunks} == {"long"}
    assert all(each.text.endswith(")") for each in chunks)
    assert all(each.text.startswith("    value_") for each in list(chunks)[1:])


def test_a_brace_on_a_line_of_its_own_stays_with_its_head() -> None:
    body = "\n".join(f"    value_{n} = compute({n});" for n in range(9))
    text = f"int long_one(int a)\n{{\n{body}\n}}\n"
    languages: list[Any] = ["c", "csharp", "perl"]
    for language in languages:
        chunk = cw.Code(max_chars=90, language=language)(text)[0]
        assert chunk.text.startswith("int long_one(int a)\n{\n    value_0")


def test_a_text_of_several_lines_is_no_structure() -> None:
    text = dedent('''\
        QUERY = """
        select a

        from b
        """


        def run():
            return QUERY
        ''')
    chunks = cw.Code(max_chars=60)(text, name="a.py")
    assert chunks[0].text.endswith('from b\n"""')


def test_the_language_is_told_by_name_or_first_line_or_option() -> None:
    shell = "#!/usr/bin/env bash\nsay() {\n  echo hello\n}\n"
    assert cw.Code()(shell)[0].language == "bash"
    assert cw.Code()("x = 1", name="a.rb")[0].language == "ruby"
    typed: Any = {"language": "TypeScript"}
    assert cw.Code(**typed)("let x = 1")[0].language == "ts"
    assert cw.Code()("whatever")[0].language is None
    with pytest.raises(cw.errors.ConfigError, match="klingon"):
        cw.Code(**{**typed, "language": "klingon"})


def test_batches_and_streams_tell_languages_by_names() -> None:
    texts, names = ["def a(): pass", "fn b() {}", "no code"], ["a.py", "b.rs", None]
    wanted = ["python", "rust", None]
    splitter = cw.Code()
    assert [each.language for each in splitter.batch(texts, names=names)] == wanted
    found = splitter.stream(texts, names=names)
    assert [chunks[0].language for chunks in found] == wanted


def test_small_chunks_are_joined_with_the_scope_that_both_have() -> None:
    methods = [f"    def {name}(self):\n        return 1\n" for name in "fgh"]
    text = "class A:\n" + "\n".join(methods)
    alone = cw.Code(max_chars=90, soft_max=30)(text, name="a.py")
    assert [each.scope for each in alone] == ["A", "A.f", "A.g", "A.h"]
    joined = cw.Code(max_chars=90, soft_max=30, min_size=40)(text, name="a.py")
    assert [each.scope for each in joined] == ["A", "A.h"]


def test_marks_cut_code_too() -> None:
    text = "def a():\n    pass\n# %%\ndef b():\n    pass\n"
    chunks = cw.Code(max_chars=400, language="python", split_at="# %%")(text)
    assert [each.scope for each in chunks] == ["a", "b"]


def test_auto_cuts_code_by_its_definitions() -> None:
    assert places(cw.Auto(max_chars=120)(PYTHON, name="cart.py")) == places(
        cw.Code(max_chars=120)(PYTHON, name="cart.py")
    )


def test_versions_of_grammars_are_part_of_fingerprints(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunkwright.chunking.bases.strategy import fingerprint_of

    before = {kind: fingerprint_of(kind()) for kind in (cw.Code, cw.Auto, cw.Recursive)}
    monkeypatch.setattr(code, "versions", lambda: {**versions(), "tree-sitter-python": "99"})
    changed = [kind for kind, known in before.items() if fingerprint_of(kind()) != known]
    assert changed == [cw.Code]


def test_without_a_grammar_indentation_says_where_to_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    without_grammars(monkeypatch)
    text = PYTHON.replace("Cart", "Basket")
    chunks = cw.Code(max_chars=120, language="perl")(text)
    assert [each.lines for each in chunks] == [(1, 4), (7, 12), (14, 17), (20, 23)]
    assert places(chunks)[1][:3] == (None, None, None)
    assert chunks[0].language == "perl"


def test_rows_of_tables() -> None:
    import pyarrow as pa

    table = pa.table({"text": [PYTHON]})
    arrow = pa.table(cw.Code(max_chars=120, language="python").arrow(table))
    assert arrow["scope"].to_pylist() == [None, "Cart", "Cart.add", "total"]
    chunks = cw.Code(max_chars=120)(PYTHON, name="cart.py")
    assert [row["symbol"] for row in chunks.to_dicts()][2] == "method"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029", "\x0c"])
def test_lines_of_all_systems_are_cut(end: str) -> None:
    text = PYTHON.replace("\n", end)
    chunks = cw.Code(max_chars=140, repeat_heads=True)(text, name="a.py")
    own = (text[of.start : of.end] for each in chunks for of in each.pieces if of.role == "body")
    assert "".join("".join(own).split()) == "".join(text.split())
    assert any(each.pieces[0].role == "heading" for each in chunks)


@pytest.mark.parametrize("language", ["python", "js", "c", "html", "yaml", "rust"])
def test_hostile_code_is_cut(language: Any) -> None:
    hostile = ["(" * 20_000, "{" * 20_000, '"' * 9_999, "#if x\n" * 5_000, "a" * 50_000, "\t\n" * 9]
    for text in hostile:
        chunks = cw.Code(max_chars=500, language=language)(text)
        assert "".join("".join(chunks.texts()).split()) == "".join(text.split())


def test_grammars_are_there() -> None:
    assert load("python")
    assert "tree-sitter-python" in versions()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.kt", "val a = 1\n@Foo"),
        ("a.kt", "val a = 1\n\n@Foo(1)"),
        ("a.yaml", "- " * 300),
        ("a.yaml", "{a: " * 300),
        ("a.yaml", "".join(" " * n + "a:\n" for n in range(300))),
    ],
)
def test_what_scanners_of_grammars_do_not_survive_is_not_handed_to_them(
    name: str, text: str
) -> None:
    assert " ".join(cw.Code(max_chars=300)(text, name=name).texts()).split() == text.split()


@pytest.mark.parametrize(
    ("part", "is_parsed"),
    [
        ("<div>\n", False),
        ("<b>", False),
        ("<x-y>\n", False),
        ("<p>text\n", True),
        ("<li>text<br>\n", True),
        ("<div>text</div>\n", True),
        ("<div/>\n", True),
    ],
)
def test_pages_whose_elements_do_not_end_are_not_parsed(part: str, is_parsed: bool) -> None:
    """The scanner goes through all elements that are open at each tag."""
    chunks = cw.Code(max_chars=500, language="html")(part * 1_500)
    assert any(chunk.symbol for chunk in chunks) == is_parsed


@pytest.mark.parametrize("limit", [100, 150, 250])
def test_a_signature_of_haskell_stays_with_what_has_it(limit: int) -> None:
    local = "".join(f"    go{n} x acc = x + acc + {n}\n" for n in range(30))
    text = f"solve :: Int -> Int\nsolve n = go1 n 0\n  where\n{local}"
    first, second, *_ = cw.Code(max_chars=limit, language="haskell")(text).texts()
    assert first.startswith("solve :: Int -> Int\nsolve n = go1 n 0\n  where\n    go0")
    assert second.lstrip().startswith("go")


RUBY = "class Cart\n" + "".join(f"  def m{n}(a)\n    a + {n}\n  end\n\n" for n in range(6))


def test_a_file_that_ends_too_early_keeps_the_names_of_what_is_whole() -> None:
    chunks = cw.Code(max_chars=60)(RUBY, name="cart.rb")
    assert {each.name for each in chunks} >= {"m1", "m3", "m5"}


def test_an_import_names_no_chunk_that_holds_more() -> None:
    text = "import os\n\n\nclass Cart:\n    def add(self, x):\n        self.n += x\n"
    (chunk,) = cw.Code(max_chars=200)(text, name="cart.py")
    assert (chunk.name, chunk.symbol) == ("Cart", "class")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "c.rb",
            "class C\n  def add(a)\n    one = a\n    two = one\n    three = two\n  end\nend\n",
        ),
        (
            "C.java",
            "class C {\n  void add(int a) {\n    int b = a;\n    c(b);\n    d(b);\n  }\n}\n",
        ),
    ],
)
def test_what_closes_a_class_does_not_count_for_what_a_chunk_is_in(name: str, text: str) -> None:
    last = cw.Code(max_chars=45)(text, name=name)[-1]
    assert (last.scope, last.name, last.symbol) == ("C.add", "add", "method")


def test_what_a_macro_defines_is_called_by_what_it_is_given() -> None:
    text = "TEST(Cart, Adds) { EXPECT_EQ(1, 2); }\n"
    (chunk,) = cw.Code()(text, name="a.cc")
    assert (chunk.name, chunk.symbol) == ("Cart.Adds", "function")


def test_a_comment_stays_with_a_line_of_the_preprocessor() -> None:
    text = (
        "int f(void) {\n    int a = 1;\n    a += 2;\n\n    /* Of X. */\n#ifndef NO_X\n    a += 3;\n"
    )
    chunks = cw.Code(max_chars=60)(text + "#endif\n    return a;\n}\n", name="a.c")
    assert chunks[1].text.startswith("    /* Of X. */\n#ifndef NO_X\n")


def test_the_tag_before_code_is_no_chunk() -> None:
    text = "<?php\n\nnamespace Shop;\n\nclass Cart {\n    function add() { return 1; }\n}\n"
    assert cw.Code(max_chars=60)(text, name="c.php")[0].text == "<?php\n\nnamespace Shop;"


def test_the_head_of_a_class_stays_with_its_first_members() -> None:
    members = [f"    def m{n}(self):\n        return {n} * {n} + {n}\n" for n in range(8)]
    text = "class Cart:\n\n" + "\n".join(members)
    assert cw.Code(max_chars=160)(text, name="cart.py")[0].text.startswith(
        "class Cart:\n\n    def m0"
    )


def test_what_makes_objects_of_a_class_in_capitals_is_no_macro() -> None:
    text = "class URL {\n  URL(Text) { n = 1; }\n  URL(string s, int n) { m = n; }\n};\n"
    chunks = cw.Code(max_chars=30)(text, name="url.cpp")
    assert {each.name for each in chunks} == {"URL"}
