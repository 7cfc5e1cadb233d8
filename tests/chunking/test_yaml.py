"""JSON strategy on YAML: what parses, what is kept, what is cut, and what is refused."""

import itertools
import pickle
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwright as cw
from tests import laws

yaml = pytest.importorskip("yaml")

STRINGS = st.text("abc xyz é漢:#-'\"\\|\n0", max_size=40) | st.sampled_from(
    ["", "null", "12", "- a", "a\nb\n", "a\n\nb", " lead\nb\n", "x" * 20, "word " * 30]
)
KEYS = st.sampled_from(["a", "b", "key", "on", "1", "a b", "é"]) | STRINGS.filter(
    lambda s: len(s) < 15
)
VALUES = st.recursive(
    STRINGS | st.none() | st.booleans() | st.integers(-99, 99999) | st.floats(0, 9),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=30,
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Write a value in block style."""
    text = yaml.dump(
        draw(VALUES),
        indent=draw(st.sampled_from([2, 3, 4])),
        width=draw(st.sampled_from([20, 80, 1000])),
        default_flow_style=False,
        default_style=draw(st.sampled_from([None, None, "|", ">", '"', "'"])),
        allow_unicode=draw(st.booleans()),
        sort_keys=False,
        explicit_start=draw(st.booleans()),
        line_break=draw(st.sampled_from(["\n", "\r\n"])),
    )
    assert isinstance(text, str)
    return text


LIMITS = st.fixed_dictionaries({"max_chars": st.integers(1, 160)}) | st.fixed_dictionaries(
    {
        "max_tokens": st.integers(1, 80),
        "tokenizer": st.sampled_from(["cl100k_base", "o200k_base", "bytes"]),
    }
)


def _hold(text: str, chunks: cw.Chunks, options: dict[str, Any]) -> None:
    """Assert the laws: places, limits, order, and nothing but blanks left out."""
    limit = options.get("max_chars") or options["max_tokens"]
    bodies = []
    for chunk in chunks:
        assert chunk.text == "".join(text[p.start : p.end] for p in chunk.pieces)
        roles = [piece.role for piece in chunk.pieces]
        assert roles == sorted(roles, key=["heading", "body", "header"].index)
        (body,) = (piece for piece in chunk.pieces if piece.role == "body")
        bodies.append(body)
        is_chars = "max_chars" in options
        tokenizer = options.get("tokenizer", "cl100k_base")
        size = len(chunk.text) if is_chars else cw.count_tokens(chunk.text, tokenizer)
        assert (size > limit) == chunk.oversize
        assert not chunk.oversize or len(chunk.text) <= laws.MAX_CLUSTER
    assert all(a.end <= b.start for a, b in itertools.pairwise(bodies))
    gaps = zip([0, *(b.end for b in bodies)], [*(b.start for b in bodies), len(text)], strict=True)
    assert not "".join(text[start:end] for start, end in gaps).strip("\ufeff \t\r\n")
    assert len(set(chunks.ids)) == len(chunks)


def _pairs(node: Any) -> Any:
    """Return what a node holds, mappings as pairs: all keys in order, all scalars as texts."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_pairs(each) for each in node.value]
    return [(_pairs(key), _pairs(value)) for key, value in node.value]


def _parsed(text: str) -> Any:
    return _pairs(yaml.compose(text, Loader=yaml.SafeLoader))


def _joined(chunks: cw.Chunks) -> Any:
    """Put parts together by the number of keys and dashes in front of each."""
    text = chunks.sources[0]
    whole: Any = None
    for chunk in chunks:
        path = [p for p in chunk.pieces if p.role == "heading" and text[p.start : p.end][:1] != "%"]
        part = _parsed(chunk.text)
        whole = part if whole is None else _merged(whole, part, len(path))
    return whole


def _merged(whole: Any, part: Any, depth: int) -> Any:
    assert type(whole) is type(part)
    if depth == 0:
        return [*whole, *part]
    *before, last = whole
    first, *behind = part
    if isinstance(last, tuple):
        assert last[0] == first[0]
        return [*before, (last[0], _merged(last[1], first[1], depth - 1)), *behind]
    return [*before, _merged(last, first, depth - 1), *behind]


def _is_whole(text: str, chunks: cw.Chunks) -> bool:
    """Whether every chunk begins at an entry and repeats the whole path to it."""
    if not text.strip() or chunks.texts() == [text]:
        return True
    marks: dict[int, int] = {}

    def mark(node: Any, depth: int) -> None:
        if isinstance(node, yaml.ScalarNode) or node.flow_style:
            return
        for each in node.value:
            inner = each
            at = None
            if isinstance(each, tuple):
                at, inner = each[0].start_mark.index, each[1]
            else:
                # The dash of an item.
                at = text.rfind("-", 0, each.start_mark.index + 1)
            marks.setdefault(at, depth)
            mark(inner, depth + 1)

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    mark(root, 0)
    for chunk in chunks:
        body = next(piece for piece in chunk.pieces if piece.role == "body")
        start = len(text) - len(text[body.start :].lstrip(" "))
        n_heads = sum(piece.role == "heading" for piece in chunk.pieces)
        if body.start and marks.get(start) != n_heads:
            return False
    return True


@given(text=texts(), options=LIMITS)
def test_laws(text: str, options: dict[str, Any]) -> None:
    splitter = cw.Json(syntax="yaml", **options)
    chunks = splitter(text)
    _hold(text, chunks, options)
    assert splitter.batch([text, text], workers=2).texts() == 2 * chunks.texts()
    assert pickle.loads(pickle.dumps(splitter)) == splitter


@given(
    text=texts(), limit=st.integers(50, 250), soft=st.integers(25, 250), least=st.integers(0, 50)
)
@example("- - a: 1\n    b: 2\n  - c\n-\n- - - d\n    - e\n", 50, 25, 0)
def test_parts_parse_and_make_the_whole(text: str, limit: int, soft: int, least: int) -> None:
    options: dict[str, Any] = {"max_chars": limit, "soft_max": min(soft, limit), "min_size": least}
    chunks = cw.Json(syntax="yaml", **options)(text)
    _hold(text, chunks, options)
    if _is_whole(text, chunks):
        assert _joined(chunks) == _parsed(text)


@given(
    rows=st.lists(st.dictionaries(st.sampled_from("abc"), st.text("xy z", max_size=9), min_size=1)),
    limit=st.integers(70, 200),
)
def test_what_fits_is_never_cut(rows: list[dict[str, str]], limit: int) -> None:
    text = yaml.dump({"shop": {"rows": rows}}, default_flow_style=False)
    chunks = cw.Json(max_chars=limit, syntax="yaml")(text)
    parts = [row for each in chunks.texts() for row in yaml.safe_load(each)["shop"]["rows"]]
    assert parts == rows


ODD = """\
# The shop.
%TAG ! tag:example.com,2000:
---
# First of all
a: &anchor   # said
    # of b
    b: 1

    c:
    - x: 1     # one

      # of y
      y: [1, {z: 2}]
    - &q !!map
      z: 'it''s'
    -
    - - - deep
        - er
      - "two
        lines"
'k: q': {a: 1,
  b: 2}
? complex
: value
? [flow, key]
: - 1
  - 2
text: |2-
    indented
   less

  end
plain: several words
  on lines
folded: >+
  a

# of the end
end: ~
# behind
...
--- !!seq
- 1
- 2
---
last
"""


def _documents(text: str) -> list[Any]:
    return [_pairs(node) for node in yaml.compose_all(text, Loader=yaml.SafeLoader) if node]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("limit", [*range(60, 120, 7), 200, 5000])
def test_odd_texts(limit: int, end: str) -> None:
    text = "\ufeff" + ODD[ODD.index("%") :].replace("\n", end)
    chunks = cw.Json(max_chars=limit, syntax="yaml")(text)
    _hold(text, chunks, {"max_chars": limit})
    documents = [_documents(each) for each in chunks.texts()]
    if limit >= 200:
        keys = {str(key) for each in documents for key, *_ in each[0]}
        assert keys >= {"a", "k: q", "text", "plain", "folded", "end"}
    if limit == 5000:
        assert documents == [_documents(text)]


def test_long_scalars_are_cut_under_their_keys() -> None:
    words = "Lorem ipsum dolor sit amet, consectetur. "
    literal = "".join(f"{'  ' * (i % 2)}line {i} {words}\n" for i in range(20))
    text = yaml.dump({"a": {"id": 1, "said": literal, "z": 2}}, default_style=None)
    block = "a:\n  id: 1\n  said: |\n" + "".join(f"    {line}\n" for line in literal.splitlines())
    for written, limit in [(text, 120), (block + "  z: 2\n", 150), (block + "  z: 2\n", 70)]:
        chunks = cw.Json(max_chars=limit, syntax="yaml")(written)
        _hold(written, chunks, {"max_chars": limit})
        parts = [yaml.safe_load(each)["a"] for each in chunks.texts()]
        whole = yaml.safe_load(written)["a"]
        assert "".join(part.get("said", "") for part in parts) == whole["said"]
        assert (parts[0]["id"], parts[-1]["z"]) == (1, 2)
    plain = "- key: " + words.strip() * 20 + " # said\n  z: 1\n"
    parts = [
        yaml.safe_load(each)[0] for each in cw.Json(max_chars=80, syntax="yaml")(plain).texts()
    ]
    assert " ".join(part["key"] for part in parts if "key" in part) == words.strip() * 20
    assert parts[-1]["z"] == 1


def test_single_quotes_are_kept_around_parts() -> None:
    text = "a: '" + "it''s so. " * 20 + "'\n"
    texts = cw.Json(max_chars=30, syntax="yaml")(text).texts()
    assert "".join(yaml.safe_load(each)["a"] for each in texts) == "it's so. " * 20


def test_comments_stay_with_what_follows() -> None:
    text = "a: 1  # of a\n\n# of b\nb: 2\nc:\n  # of d\n  d: 3\n  # of e\n  e: 4\n"
    assert cw.Json(max_chars=22, syntax="yaml")(text).texts() == [
        "a: 1  # of a\n",
        "# of b\nb: 2\n",
        "c:\n  # of d\n  d: 3\n",
        "c:\n  # of e\n  e: 4\n",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c", "invalid YAML at line 1, column 5: "),
        ("a:\n  - b\n c: 1", "invalid YAML at line 3, column "),
        ("a: 'x", "invalid YAML at line 1, column 4: "),
        ("a: [1, 2", "invalid YAML at line "),
    ],
)
def test_what_is_no_yaml_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(cw.ReadError) as error:
        cw.Json(syntax="yaml")(text)
    assert message in str(error.value)


def test_a_syntax_is_told() -> None:
    with pytest.raises(cw.ConfigError, match="unknown syntax 'toml': known are 'json', 'yaml'"):
        cw.Json(syntax="toml")  # type: ignore[arg-type]
    with pytest.raises(cw.ConfigError, match="text must be a str or a Document, got dict"):
        cw.Json(syntax="yaml")({"a": 1})
    with pytest.raises(cw.ReadError, match="invalid JSON at line 1, column 1"):
        cw.Json()("a: 1")
    assert cw.Json(syntax="yaml")(" \n\ufeff"[:2]).texts() == []
    assert cw.Json(syntax="yaml")("# only\n").texts() == ["# only\n"]


WORKFLOW = """\
# Runs the tests of each change.
name: test
on:
  push: { branches: [ main ] }
  pull_request:
    branches: [ main, "release/**" ] # and nothing else
jobs:
  test:
    name: Test (${{ matrix.os }}, ${{ matrix.python }})
    runs-on: ${{ matrix.os }}
    strategy:
      fail-fast: false
      matrix:
        os: [ ubuntu-latest, macos-13 ]
        python: [ '3.11', '3.14' ]
        exclude: [ ]
        include:
          - { os: windows-latest, python: "3.11" }
    env: { }
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - name: "" # none, which is what the summary shows then
        uses: actions/setup-python@v5
        with:
          python-version: '' # it's said above
          cache: pip
      - name: Install
        run: |
          python -m pip install .
          python -m pip list
      - run: python -m pytest [ -x ]
"""


@pytest.mark.parametrize("limit", [200, 300, 400])
def test_a_workflow_keeps_its_structure(limit: int, caplog: pytest.LogCaptureFixture) -> None:
    chunks = cw.Json(max_chars=limit, syntax="yaml")(WORKFLOW)
    _hold(WORKFLOW, chunks, {"max_chars": limit})
    whole = yaml.safe_load(WORKFLOW)
    parts = [yaml.safe_load(text) for text in chunks.texts()]
    assert all(set(part) <= set(whole) for part in parts)
    jobs = [part["jobs"]["test"] for part in parts if "jobs" in part]
    steps = [step for job in jobs for step in job.get("steps", ())]
    assert next(step for step in steps if "uses" in step) == whole["jobs"]["test"]["steps"][0]
    assert not caplog.messages


def test_unknown_places_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    text = "a:\n  - ? \n  - b: 1\n    c: 2\n  - x\nlong: aaaaaaaaaaaaaa\n"
    strategy = cw.Json(max_chars=20, syntax="yaml")
    assert "".join(strategy(text).texts()) == text.rstrip("\n")
    strategy.batch(["a: 1\nb: 2\n", text], names=["known.yml", "odd.yml"])
    why = "the places of its YAML's entries are not known"
    told = [f"skipped the structure of {name}: {why}" for name in ("text 0", "odd.yml")]
    assert caplog.messages == told


@pytest.mark.cpu_seconds(60)
@pytest.mark.parametrize(
    "text",
    [
        "- " * 50_000 + "a",
        "".join(" " * i + "a:\n" for i in range(2_000)) + " " * 2_000 + "b: 1\n",
        "- a\n" * 200_000,
        "a: b\n" * 200_000,
        "a: |\n" + "  word\n" * 100_000,
        "a: |\n" + "  \n" * 100_000 + "  x\n",
        "a: " + "x" * 500_000 + "\n",
        'a: "' + "\\n" * 300_000 + '"\n',
        "#\n" * 300_000 + "a: 1\n",
        "a: [" + "1, " * 100_000 + "]\n",
        "? " * 20_000 + "a",
        "a: " + "'" + "''" * 100_000 + "'\n",
        "k" * 900 + ": " + "v " * 100_000,
    ],
    ids=[
        "dashes", "deep", "items", "keys", "block", "blank", "letters", "escapes", "comments",
        "flow", "complex", "quotes", "key",
    ],
)  # fmt: skip
def test_hostile_texts(text: str) -> None:
    limits: list[dict[str, Any]] = [{"max_chars": 500}, {"max_tokens": 512}]
    for options in limits:
        _hold(text, cw.Json(syntax="yaml", **options)(text), options)


@pytest.mark.parametrize(
    "text", ["[" * 300 + "]" * 300, "{a: " * 300, "\t- a: \x00", "*a", "!x!y z"]
)
def test_what_the_parser_refuses_is_a_read_error(text: str) -> None:
    with pytest.raises(cw.ReadError, match="invalid YAML at line 1"):
        cw.Json(syntax="yaml")(text)


@pytest.mark.parametrize("start", ["\n", "\n\n", "\ufeff\n", "# é\n\n", "\n---\n\n"])
@pytest.mark.parametrize("most", [3, 8, 30])
def test_blank_lines_in_front(start: str, most: int) -> None:
    text = f"{start}é: ä\nb:\n  - ü\n  - ö\n"
    limits: list[dict[str, Any]] = [{"max_chars": most}, {"max_tokens": most}]
    for options in limits:
        _hold(text, cw.Json(syntax="yaml", **options)(text), options)


@pytest.mark.parametrize(
    "value",
    [
        "{\n  'b': 'c'\n}",
        "[\n  'main'\n]",
        "[\n  x, # said\n]",
        "[[\n  'a'\n], {\n  'b': \"c\"\n}]",
        "&x [1, 2]",
        "!t {b: 1}",
        "&x !!seq [ 1 ]",
    ],
)
def test_flow_collections_of_others(value: str) -> None:
    text = f"a: {value}\nlist:\n" + "  - name: step\n    run: go\n" * 3
    parts = cw.Json(max_chars=36, syntax="yaml")(text).texts()
    assert parts[-1] == "list:\n  - name: step\n    run: go\n"
    assert parts[0].startswith(f"a: {value}")


def test_a_stream_logs_unknown_places(caplog: pytest.LogCaptureFixture) -> None:
    odd = "a:\n  - ? \n  - b: 1\n    c: 2\n  - x\nlong: aaaaaaaaaaaaaa\n"
    list(cw.Json(max_chars=20, syntax="yaml").stream([odd]))
    auto = cw.Auto(max_chars=20)
    auto(odd, name="odd.yml")
    auto("a: [\nb: }\n" * 9, name="broken.yaml")
    auto(odd, name="odd.txt")
    places = "the places of its YAML's entries are not known"
    assert caplog.messages[:2] == [
        f"skipped the structure of {name}: {places}" for name in ("text 0", "odd.yml")
    ]
    assert re.fullmatch(
        "skipped the structure of broken.yaml: invalid YAML at .*", caplog.messages[2]
    )
    assert len(caplog.messages) == 3
