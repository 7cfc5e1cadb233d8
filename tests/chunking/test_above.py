"""What stands above code stays with it: comments, decorators, annotations and attributes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwright as cw
from chunkwright.chunking.languages import NAMES
from chunkwright.compat.langchain import Language, RecursiveCharacterTextSplitter
from chunkwright.errors import ConfigError

ROUTES = (
    'import os\n\n\n@app.route("/a")\ndef a():\n    return 1\n\n\n@app.route("/b")\n'
    "def b():\n    return 2\n"
)

# What stands above something, and that.
UNITS: dict[str, list[tuple[str, str]]] = {
    "python": [
        ('# Says hello.\n\n@app.route(\n    "/a",\n)\n', "def a():\n    return 1\n"),
        ("@dataclass\n", "class B:\n    x: int\n\n    # Of y.\n    y: int\n"),
    ],
    "js": [
        ("/**\n * Adds.\n */\n", "function add(a, b) {\n  return a + b;\n}\n"),
        ("// One.\n", "const one = () => {\n  return 1;\n  // no more\n};\n"),
    ],
    "ts": [
        ("@Component({\n  selector: 'a',\n})\n", "class A {\n  x = 1;\n}\n"),
        ("/** Of B. */\n", "export interface B {\n  y: string;\n}\n"),
    ],
    "java": [
        ("/**\n * Says.\n */\n@Override\n", "public String say() {\n  return a;\n}\n"),
        ('@Get("/b")\n@Cached\n', "int b() {\n  return 1;\n}\n"),
    ],
    "csharp": [
        ('/// <summary>A.</summary>\n[Obsolete("x")]\n', "public class A\n{\n}\n"),
        ("[Fact,\n Slow]\n", "void B()\n{\n    return;\n}\n"),
    ],
    "go": [
        ("// Add adds.\n//\n// Quickly.\n", "func Add(a int) int {\n\treturn a\n}\n"),
        ("//go:noinline\n", "func B() {\n}\n"),
    ],
    "rust": [
        ("/// Adds.\n#[inline]\n", "pub fn add(a: u8) -> u8 {\n    a\n}\n"),
        ("#[derive(\n    Debug,\n)]\n", "struct B {\n    x: u8,\n}\n"),
    ],
    "ruby": [
        ("# Adds.\n# Quickly.\n", "def add(a)\n  a\nend\n"),
        ("=begin\nOf B.\n=end\n", "class B\n  # nothing\nend\n"),
    ],
    "php": [
        ("/** Adds. */\n#[Pure]\n", "function add($a) {\n    return $a;\n}\n"),
        ("# Of B.\n", "class B {\n}\n"),
    ],
    "cpp": [
        ("template <typename T>\n[[nodiscard]]\n", "T add(T a) {\n  return a;\n}\n"),
        ("/* Of B. */\n", "class B {\n  int x;\n};\n"),
    ],
    "kotlin": [
        ("/** Adds. */\n@JvmStatic\n", "fun add(a: Int): Int {\n    return a\n}\n"),
        ('@Get("/b")\n', "internal class B {\n}\n"),
    ],
    "scala": [
        ("/** Adds. */\n@tailrec\n", "def add(a: Int): Int = {\n  a\n}\n"),
        ("// Of B.\n", "object B {\n}\n"),
    ],
    "swift": [
        ("/// Adds.\n@discardableResult\n", "func add(a: Int) -> Int {\n    return a\n}\n"),
        ("@available(iOS 13, *)\n", "struct B {\n}\n"),
    ],
    "sql": [("-- Of A.\n", "CREATE TABLE a (\n  x int\n);\n"), ("/* B. */\n", "SELECT 1;\n")],
    "elixir": [
        ('@doc """\nAdds.\n"""\n@spec add(a) :: a\n', "def add(a) do\n  a\nend\n"),
        ("# Of B.\n", "defp b do\n  1\nend\n"),
    ],
    "bash": [("# Adds.\n", "add() {\n  echo 1\n}\n"), ("# If so.\n", "if true; then\n  b\nfi\n")],
    "hcl": [("# Of A.\n", 'resource "a" "b" {\n  x = 1\n}\n'), ("// B.\n", "b = 1\n")],
    "julia": [('"""\n    f(x)\n"""\n', "function f(x)\n    x\nend\n"), ("# B.\n", "b = 1\n")],
}


def _parted(language: str, numbers: list[int], limit: int, blank: str) -> list[str]:
    """Return what stands above something that has room beside it, and is cut from it."""
    text, places = "", []
    for number in numbers:
        above, code = UNITS[language][number]
        first_line = code.partition("\n")[0]
        places.append((len(text), len(text) + len(above), len(above) + len(first_line)))
        text += above + code + blank
    starts = cw.Recursive(separators=language, max_chars=limit)(text).starts
    return [
        text[begin:code]
        for begin, code, size in places
        if size <= limit and any(begin < int(start) <= code for start in starts)
    ]


@pytest.mark.parametrize("language", UNITS)
@given(
    numbers=st.lists(st.integers(0, 1), min_size=1, max_size=9),
    limit=st.integers(20, 200),
    blank=st.sampled_from(["", "\n", "\n\n"]),
)
def test_nothing_is_cut_from_what_it_stands_above(
    language: str, numbers: list[int], limit: int, blank: str
) -> None:
    assert _parted(language, numbers, limit, blank) == []


def test_a_decorator_stays_with_its_function() -> None:
    chunks = cw.Recursive(separators="python", max_chars=60)(ROUTES).texts()
    assert chunks == [
        "import os",
        '@app.route("/a")\ndef a():\n    return 1',
        '@app.route("/b")\ndef b():\n    return 2',
    ]
    named = cw.Document(text=ROUTES, name="app.py")
    assert cw.Auto(max_chars=60)(named).texts() == ["\n\n\n".join(chunks[:2]), chunks[2]]
    script = "#!/usr/bin/env python3\n" + ROUTES.replace("import os\n\n", "")
    assert cw.Auto(max_chars=80)(script).texts()[1].startswith("@app")


def test_langchains_chunks_stay_as_they_are() -> None:
    """The drop-in cuts behind a decorator, as the peer does."""
    splitter = RecursiveCharacterTextSplitter.from_language(
        Language.PYTHON, chunk_size=60, chunk_overlap=0
    )
    assert splitter.split_text(ROUTES)[0].endswith('@app.route("/a")')


def test_what_has_no_room_is_parted() -> None:
    long = "# " + "long " * 12 + "\n"
    code = f"a = 1\n{long}@b\ndef c(): 1\n"
    for limit in (30, 62):
        chunks = cw.Recursive(separators="python", max_chars=limit)(code).texts()
        assert max(map(len, chunks)) <= limit
        # The nearest of it stays.
        assert chunks[-1].endswith("\n@b\ndef c(): 1" if limit < 62 else "@b\ndef c(): 1")
    assert chunks == ["a = 1", long.strip(), "@b\ndef c(): 1"]


def test_the_end_of_a_comment_that_no_chunk_holds_stays() -> None:
    code = "".join(f"# line {i}\n" for i in range(20)) + "def a():\n    return 1\n"
    for limit in range(40, 120):
        chunks = cw.Recursive(separators="python", max_chars=limit)(code).texts()
        assert max(map(len, chunks)) <= limit
        assert any("# line 19\ndef a():" in chunk for chunk in chunks)


def test_a_comment_of_the_block_above_stays_there() -> None:
    code = "def a():\n    x = 1\n    # of a\n\ndef b():\n    pass\n"
    assert cw.Recursive(separators="python", max_chars=32)(code).texts()[0].endswith("# of a")
    code = "f(\n    1,\n    # no more\n)\nnext_one = 2\n"
    assert cw.Recursive(separators="python", max_chars=28)(code).texts() == [
        "f(\n    1,\n    # no more\n)",
        "next_one = 2",
    ]


def test_marks_of_ones_own_may_know_the_language() -> None:
    chunks = cw.Recursive(separators=["\ndef "], markup="python", max_chars=60)(ROUTES).texts()
    assert chunks[1].startswith("@app")
    alone = cw.Recursive(separators=["\ndef "], markup="code", max_chars=60)(ROUTES).texts()
    assert alone[0].endswith('@app.route("/a")')
    with pytest.raises(ConfigError, match="unknown markup 'pythn': did you mean 'python'"):
        cw.Recursive(markup="pythn")  # type: ignore[arg-type]


@pytest.mark.parametrize("language", NAMES)
def test_every_language_has_separators(language: str) -> None:
    splitter = cw.Recursive(separators=language, max_chars=20)
    assert "".join("".join(splitter(ROUTES).texts()).split()) == "".join(ROUTES.split())
    assert splitter.markup == language
