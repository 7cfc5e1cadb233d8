"""What README.md and docs/overview.md say, tried out: each test quotes the words it holds true."""

from __future__ import annotations

import _thread
import dataclasses
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwright as cw
from chunkwright.chunking import STRATEGIES
from chunkwright.chunking.languages import NAMES
from tests import laws
from tests.support.interrupts import uncollected
from tests.support.markdown import ROOT, blocks, bullets, section

README = (ROOT / "README.md").read_text("utf-8")
OVERVIEW = (ROOT / "docs" / "overview.md").read_text("utf-8")
PROSE = re.sub(r"\s+", " ", README + OVERVIEW)
PROMISES = bullets(section(README, "What you can rely on"))

# Documents at hand: this repository's own, in Markdown, Rust, Python and TOML.
DOCUMENTS = {
    name: (ROOT / name).read_text("utf-8")
    for name in (
        "README.md",
        "docs/cli.md",
        "rust/text/src/overlap.rs",
        "tests/support/texts.py",
        "pyproject.toml",
        "examples/evaluation/corpora/tides.md",
    )
}

# Options that a type checker would refuse are tried out, too.
chunk: Any = cw.chunk

_quoted: list[str] = []


def claim(*words: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Say which words of the README a test holds to be true."""

    def keep(test: Callable[..., None]) -> Callable[..., None]:
        _quoted.extend(words)
        return test

    return keep


def run_python(code: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cut(strategy: str, text: str, **options: Any) -> cw.Chunks:
    return STRATEGIES[strategy](**laws.needed(strategy), **options)(text)


def test_every_promise_is_tried_out() -> None:
    assert PROMISES
    silent = [promise for promise in PROMISES if not any(words in promise for words in _quoted)]
    assert not silent


def test_the_readme_says_what_is_quoted() -> None:
    assert [words for words in _quoted if words not in PROSE] == []


@claim(
    "A limit is never exceeded, measured on the chunk as it is, overlap included.",
    "`text[chunk.start:chunk.end] == chunk.text`.",
    "`chunk.pieces` says where each part of it stands.",
    "Nothing is lost: the chunks cover the text but for whitespace at cuts.",
    "The overlap counts towards the limit",
)
@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("limit", [{"max_tokens": 48}, {"max_chars": 150}], ids=["tokens", "chars"])
def test_laws_hold(strategy: str, limit: dict[str, int], name: str) -> None:
    options = {**limit, "overlap": 9, "tokenizer": "cl100k_base"}
    chunks = cut(strategy, DOCUMENTS[name], **options)
    assert len(chunks) > 1
    laws.hold(DOCUMENTS[name], chunks, options)
    text = DOCUMENTS[name]
    parts = [[text[piece.start : piece.end] for piece in chunk.pieces] for chunk in chunks]
    assert ["".join(texts) for texts in parts] == chunks.texts()
    if "max_tokens" in limit:  # counted again, each chunk by itself
        assert all(cw.count_tokens(chunk) <= 48 for chunk in chunks.texts())


@claim(
    "The one exception is a single grapheme larger than the limit: it stays whole, and"
    " `chunk.oversize` says so."
)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_grapheme_stays_whole(strategy: str) -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    chunks = cut(strategy, f"ab {family} cd", max_tokens=3)
    assert [chunk.text for chunk in chunks if chunk.oversize] == [family]
    assert all(chunk.n_tokens <= 3 for chunk in chunks if not chunk.oversize)


PLAIN = " ".join(f"Sentence number {i} says a little about the weather." for i in range(40))


@claim("The same input and options give the same chunks and ids, on every machine.")
def test_results_are_the_same_everywhere() -> None:
    # Ids are hashes of texts: what this machine and every other one made of the text above.
    expected = {
        "recursive": "7 0ccae78538d426682a50ce00603c8542",
        "sentence": "8 01f6034e10788e9cc337796b2d650805",
        "balanced": "8 01f6034e10788e9cc337796b2d650805",
        "window": "7 a9464661c90eb80d99bd462d075dff84",
    }
    code = (
        "import sys, chunkwright as cw\n"
        "chunks = cw.chunk(sys.argv[1], sys.argv[2], max_tokens=64, name='plain')\n"
        "print(len(chunks), chunks[-1].id)"
    )
    for strategy, result in expected.items():
        shown = [
            run_python(code, PLAIN, strategy, PYTHONHASHSEED=seed).strip() for seed in ("0", "7")
        ]
        assert shown == [result, result], strategy


@claim("Time is linear in the text, on hostile texts too.")
@pytest.mark.parametrize("unit", ["a", "\n", " ", "a b ", "\u0301", "漢", "((((", "a. ", "a:\n"])
@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced", "window"])
def test_work_grows_with_the_text(strategy: str, unit: str) -> None:
    def work(n: int) -> int:
        read = 0

        def count(text: str) -> int:
            nonlocal read
            read += len(text)
            return len(text)

        cut(strategy, unit * n, max_tokens=40, tokenizer=count)
        return read

    # Characters that a caller's counter is given; 1.15 is the greatest exponent allowed.
    assert work(16_000) <= 4**1.15 * work(4000)


@claim("Ctrl-C works")
def test_an_interrupt_stops_it() -> None:
    texts = list(itertools.repeat(PLAIN * 5000, 10_000))
    splitter = cw.Recursive(max_tokens=64, overlap=63)
    is_over = threading.Event()

    def press() -> None:
        seconds = 0.05
        while not is_over.wait(seconds):
            _thread.interrupt_main()
            seconds = 1.0

    ctrl_c = threading.Thread(target=press)
    # Nobody else may be interrupted.
    with uncollected(), pytest.raises(KeyboardInterrupt):  # noqa: PT012
        try:
            ctrl_c.start()
            splitter.batch(texts)
        finally:
            is_over.set()
    ctrl_c.join()


@claim("the GIL is released", "call it as often as you like, from any thread")
def test_other_threads_run_meanwhile() -> None:
    turns = during = 0
    stop = threading.Event()

    def take_turns() -> None:
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0)

    text = PLAIN * 2000
    splitter = cw.Recursive(max_tokens=64)
    thread = threading.Thread(target=take_turns)
    usual = sys.getswitchinterval()
    try:
        sys.setswitchinterval(60)  # nobody is made to let the GIL go
        thread.start()
        # On a busy machine the other thread may sleep through a call, but not through all of them.
        while not during:
            before = turns
            splitter(text)
            during = turns - before
    finally:
        sys.setswitchinterval(usual)
        stop.set()
        thread.join()


@claim("Bad options and bad input raise an error that names the value.")
@pytest.mark.parametrize(
    ("work", "named"),
    [
        (lambda: chunk("x", max_tokens=0), "0"),
        (lambda: chunk("x", "recursiv", max_tokens=9), "'recursiv'"),
        (lambda: chunk("x", max_tokens=9, overlapp=1), "'overlapp'"),
        (lambda: chunk("x", max_tokens=9, overlap=9), "got 9"),
        (lambda: chunk("x", max_tokens=9, tokenizer="cl100k"), "'cl100k'"),
        (lambda: chunk(b"x", max_tokens=9), "bytes"),
        (lambda: cw.Recursive(max_tokens=9).batch(["x", 7]), "texts[1]"),  # type: ignore[list-item]
        (lambda: chunk([{"type": "Title", "text": ""}, 7], "basic", max_chars=9), "[1]"),
        (lambda: cw.split_sentences("x", language="xx"), "'xx'"),
        (lambda: cw.Tokenizer(lambda _: -1).count("x"), "-1"),
        (lambda: cw.read_elements("no/such/file.json"), "no/such/file.json"),
        (
            lambda: cw.Kamradt(max_tokens=9, embedder=lambda texts: [[float("nan")]] * len(texts))(
                PLAIN
            ),
            "nan",
        ),
    ],
)
def test_errors_name_the_value(work: Callable[[], object], named: str) -> None:
    with pytest.raises(cw.ChunkwrightError, match=re.escape(named)):
        work()


@claim(
    "The strategies over elements keep the same promises. Unstructured's own chunks, its faults"
    " included, are those of `chunkwright.compat.unstructured`."
)
def test_elements_have_the_limit_and_the_peers_chunks_are_there() -> None:
    text = "one two three four five six seven eight nine ten " * 30
    items = [{"type": "NarrativeText", "text": text}, {"type": "Title", "text": "End"}]
    native = cw.Basic(max_chars=70, overlap=20)(items)
    assert max(len(chunk) for chunk in native.texts()) <= 70
    assert all(chunk.text == native.source[chunk.start : chunk.end] for chunk in native)
    peer = pytest.importorskip("unstructured.chunking.basic")
    from unstructured.staging.base import elements_from_dicts

    from chunkwright.compat.unstructured import chunk_elements

    elements = elements_from_dicts(items)
    theirs = peer.chunk_elements(elements, max_characters=70, overlap=20)
    ours = chunk_elements(elements, max_characters=70, overlap=20)
    assert [chunk.text for chunk in ours] == [chunk.text for chunk in theirs]


@claim("It counts tokens exactly", "cl100k_base, the same count as tiktoken's")
@pytest.mark.parametrize(
    ("name", "ids"),
    [("cl100k_base", [9906, 11, 1917, 0]), ("o200k_base", [13225, 11, 2375, 0])],
)
def test_counts_are_tiktokens(name: str, ids: list[int]) -> None:
    tokenizer = cw.Tokenizer(name)
    assert tokenizer.encode("Hello, world!") == ids
    assert tokenizer.count("Hello, world!") == len(ids)


@claim("knows where in the source each chunk stands")
def test_places_are_known_in_every_unit() -> None:
    text = "Größe 漢字\nand a second line. " * 20
    second = chunk(text, max_tokens=20)[1]
    utf8 = text.encode()
    assert utf8[second.byte_start : second.byte_end].decode() == second.text
    assert second.line_start == 1 + text[: second.start].count("\n")


@claim("an edit elsewhere in the file does not change it")
def test_ids_stay() -> None:
    paragraphs = [f"Paragraph {i}. {PLAIN[i : 200 + i]}" for i in range(0, 400, 40)]
    options: dict[str, Any] = {"max_chars": 230, "name": "plain.txt"}
    before = chunk("\n\n".join(paragraphs), **options)
    after = chunk("\n\n".join(["Another beginning.", *paragraphs]), **options)
    assert set(before[1:].ids) <= set(after.ids)


@claim("NumPy arrays, not copied")
def test_columns_are_not_copied() -> None:
    chunks = chunk(PLAIN, max_tokens=20)
    for column in (chunks.starts, chunks.n_tokens):
        assert not column.flags.owndata
        assert not column.flags.writeable
    assert chunks.starts.__array_interface__["data"] == chunks.starts.__array_interface__["data"]


@claim("Python ≥ 3.11", "Rust ≥ 1.91", "Apache-2.0 or MIT")
def test_requirements_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))
    assert project["requires-python"] == ">=3.11"
    assert cargo["workspace"]["package"]["rust-version"] == "1.91"
    assert project["license"] == "Apache-2.0 OR MIT"
    assert not any(name.startswith("pyarrow") for name in project["dependencies"])


@claim("has separators for 43 languages")
def test_numbers_of_languages() -> None:
    assert len(NAMES) == 43
    for language in NAMES:
        cw.Recursive.for_language(language, max_chars=20)(DOCUMENTS["tests/support/texts.py"])


@claim("begins at a word or a sentence")
@pytest.mark.parametrize(("at", "before"), [("word", " "), ("sentence", ". ")])
def test_where_overlaps_begin(at: Any, before: str) -> None:
    chunks = chunk(PLAIN, max_chars=300, overlap=120, overlap_at=at)
    overlaps = [piece for chunk in chunks for piece in chunk.pieces if piece.role == "overlap"]
    assert len(overlaps) == len(chunks) - 1
    assert all(PLAIN[: piece.start].endswith(before) for piece in overlaps)


@claim("puts as many whole sentences into a chunk as fit", "joined, they are the text")
def test_sentences_stay_whole() -> None:
    sentences = cw.split_sentences(PLAIN)
    assert "".join(sentences) == PLAIN
    chunks = chunk(PLAIN, "sentence", max_chars=200)
    sizes = [len(sentence) for sentence in sentences]
    assert all(chunk.text.endswith(".") for chunk in chunks)
    assert all(chunk.n_chars + max(sizes) > 200 for chunk in chunks[:-1])


@claim("without either it is 512 tokens", "512 tokens by default")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_default_limit(strategy: str) -> None:
    text, options = PLAIN * 3, laws.needed(strategy)
    chunks = chunk(text, strategy, **options)
    assert chunks == chunk(text, strategy, max_tokens=512, **options)
    assert len(chunks) > 1
    assert max(chunks.n_tokens) <= 512


@claim("`Recursive`, `Sentence` and `Balanced` keep a heading with the text that follows it")
@pytest.mark.parametrize("strategy", ["recursive", "sentence", "balanced"])
@pytest.mark.parametrize("limit", range(60, 140, 8))
@pytest.mark.parametrize("heading", ["## Heading {}", "Heading {}\n---------", "Heading {}"])
def test_headings_stay_with_their_text(strategy: str, limit: int, heading: str) -> None:
    sections = [
        f"{heading.format(i)}\n\nThis is the text of section {i}. It says little." for i in range(9)
    ]
    chunks = chunk("\n\n".join(sections), strategy, max_chars=limit)
    assert len(chunks) > 2
    if strategy == "recursive" and len(sections[0]) > limit:
        # A paragraph that fits is not cut for its heading.
        assert all(any(chunk.text == s.split("\n\n")[1] for chunk in chunks) for s in sections)
        return
    ends = [heading.format(i) for i in range(9)]
    assert not [c.text for c in chunks if c.text.endswith(tuple(ends))]


@claim("the one for Markdown keeps a fenced code block whole if it fits")
@pytest.mark.parametrize("limit", range(90, 240, 15))
def test_code_blocks_stay_whole(limit: int) -> None:
    block = "```python\ndef area(width, height):\n\n    return width * height\n```"
    words = "Some words stand between two blocks. "
    text = "\n\n".join(words * (1 + i % 3) + f"\n\n{block}" for i in range(6))
    chunks = cw.Recursive.for_language("markdown", max_chars=limit)(text)
    assert sum(c.text.count(block) for c in chunks) == 6


@claim("A strategy is a frozen dataclass.")
@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies_are_frozen(name: str) -> None:
    strategy: Any = STRATEGIES[name](max_tokens=9, **laws.needed(name))
    assert dataclasses.fields(strategy)
    with pytest.raises(dataclasses.FrozenInstanceError):
        strategy.max_tokens = 10


@claim("The chunks are the same for any number of workers", "endless iterables")
def test_batches_are_the_same_for_any_number_of_workers() -> None:
    splitter = cw.Sentence(max_tokens=40)
    texts = list(DOCUMENTS.values())
    one, three = (splitter.batch(texts, workers=workers) for workers in (1, 3))
    assert one == three
    assert one.ids == three.ids
    endless = splitter.stream(PLAIN for _ in itertools.count())
    assert [len(chunks) for chunks in itertools.islice(endless, 3)] == [len(splitter(PLAIN))] * 3


@claim("counts whole texts and any span of a text, without tiktoken or tokenizers installed")
def test_nothing_else_counts() -> None:
    code = (
        "import sys\n"
        "sys.modules.update(tiktoken=None, tokenizers=None, transformers=None)\n"
        "import chunkwright as cw\n"
        "tokenizer = cw.Tokenizer('o200k_base')\n"
        "text = sys.argv[1]\n"
        "print(tokenizer.count(text), tokenizer.index(text).count(9, 99))"
    )
    tokenizer = cw.Tokenizer("o200k_base")
    assert run_python(code, PLAIN).split() == [
        str(tokenizer.count(PLAIN)),
        str(tokenizer.count(PLAIN[9:99])),
    ]


@claim(
    "They keep elements whole, and split a large table between its rows with the header repeated"
)
def test_elements_and_tables() -> None:
    words = [{"type": "NarrativeText", "text": f"Paragraph {i} is short."} for i in range(9)]
    chunks = chunk(words, "basic", max_chars=60)
    assert "\n\n".join(chunks.texts()) == "\n\n".join(word["text"] for word in words)
    body = "".join(f"<tr><td>stone {i}</td><td>{i} kg</td></tr>" for i in range(30))
    html = f"<table><thead><tr><th>Name</th><th>Weight</th></tr></thead>{body}</table>"
    text = "Name Weight " + " ".join(f"stone {i} {i} kg" for i in range(30))
    table = {"type": "Table", "text": text, "metadata": {"text_as_html": html}}
    parts = chunk([table], "basic", max_chars=90)
    assert len(parts) > 2
    assert all(part.text.startswith("Name Weight stone") for part in parts)


@claim(
    "The default embedder compares words and needs no model",
    "Each chunk says why it ends where it does",
)
@pytest.mark.parametrize("strategy", ["cluster", "kamradt", "kamradt_modified", "discontinuity"])
def test_the_default_embedder_needs_no_model(strategy: str) -> None:
    cats = "The cat sleeps. The cat eats fish. The cat chases the mouse. "
    taxes = "The tax is due in May. The tax office sends a letter. The tax is high. "
    chunks = cut(strategy, cats * 3 + taxes * 3, max_chars=250)
    assert set(chunks.reasons) <= {"score", "limit", "end"}
    assert chunks.reasons[-1] == "end"
    assert len(chunks.scores) == len(chunks)


@claim(
    "Small chunks borrow from their neighbours, so a chunk is found even if the decisive word"
    " stands in the sentence before it"
)
def test_neighbours_help() -> None:
    site = "The reactor was built in 1956. It was shut down for good in 2003."
    noise = "Cats sleep all day. Engines hum. Dogs bark at engines."
    chunks = cw.Sentence(sentences=1).batch([site, noise], names=["site", "noise"])
    index = cw.Retriever().index(chunks)
    found = [chunks[hit.index].text for hit in index.search("reactor", k=2)[0]]
    assert found == ["The reactor was built in 1956.", "It was shut down for good in 2003."]
    alone = cw.Retriever(neighbour_smoothing=False).index(chunks)
    assert [hit.index for hit in alone.search("reactor", k=9)[0] if hit.score > 0] == [0]


@claim(
    "Inflected words are usually found, because the first five letters of a longer word count as"
    " well."
)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Versicherungen zahlen nicht.", "Versicherung"),
        ("Он читает о реакторах.", "реактор"),
        ("The reactors were shut down.", "reactor"),
    ],
)
def test_inflected_words_are_found(text: str, question: str) -> None:
    index = cw.Retriever().index(["Cats sleep all day.", text, "Engines hum."], doc_ids=[0, 1, 2])
    best = index.search(question, k=1)[0][0]
    assert (best.index, best.score > 0) == (1, True)


@claim("the other five refuse it, as it has no elements")
@pytest.mark.parametrize("strategy", ["basic", "by_title", "structural"])
def test_elements_are_not_text(strategy: str) -> None:
    with pytest.raises(cw.ChunkwrightError):
        chunk("A text.", strategy, max_chars=99)


@claim("pyarrow is not a dependency", "Arrow libraries also take them directly")
def test_frames_need_no_pyarrow() -> None:
    pytest.importorskip("polars")
    code = (
        "import sys\n"
        "sys.modules.update(pyarrow=None)\n"
        "import chunkwright as cw, polars\n"
        "chunks = cw.chunk(sys.argv[1], max_tokens=64)\n"
        "frame = polars.DataFrame(chunks)\n"
        "assert frame.equals(chunks.to_polars())\n"
        "assert frame['text'].to_list() == chunks.texts()\n"
        "print(frame.columns[:4], frame['start'].to_list() == chunks.starts.tolist())"
    )
    assert (
        run_python(code, PLAIN).strip()
        == "['chunk_id', 'document', 'document_id', 'doc_index'] True"
    )


@claim("Chunks become a data frame, an Arrow table or JSON.", "JSON-ready")
def test_chunks_become_tables() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    chunks = chunk(PLAIN, max_tokens=64)
    rows = json.loads(json.dumps(chunks.to_dicts()))
    assert [row["text"] for row in rows] == chunks.texts()
    assert chunks.to_pandas()["text"].tolist() == chunks.texts()
    assert chunks.to_arrow()["n_tokens"].to_pylist() == chunks.n_tokens.tolist()


@claim('tokenizer = cw.Tokenizer("gpt-4o")')
def test_names_of_models_are_tokenizers() -> None:
    assert cw.Tokenizer("gpt-4o").encode("Hello, world!") == [13225, 11, 2375, 0]


@claim("It takes any chunker, gives each difference between two chunkers with its confidence")
def test_any_chunker_is_evaluated() -> None:
    from chunkwright.evaluation import Dataset, compare, evaluate

    folder = ROOT / "examples" / "evaluation"
    data = Dataset.read(folder / "corpora", folder / "questions.jsonl")
    small = evaluate(cw.Balanced(max_tokens=48), data)
    lines = evaluate(lambda text: text.split("\n\n"), data)
    difference = compare(small, lines, "iou@5")
    assert difference.low <= difference.difference <= difference.high


def test_one_import_changed_gives_langchains_chunks() -> None:
    peer = pytest.importorskip("langchain_text_splitters")
    from chunkwright.compat import langchain as ours

    for text in DOCUMENTS.values():
        theirs = peer.RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=50)
        same = ours.RecursiveCharacterTextSplitter(chunk_size=300, chunk_overlap=50)
        assert same.split_text(text) == theirs.split_text(text)


@pytest.mark.filterwarnings("ignore:.*langchain-experimental.*:DeprecationWarning")
def test_one_import_changed_gives_the_semantic_chunkers_chunks() -> None:
    peer = pytest.importorskip("langchain_experimental.text_splitter")
    embeddings = pytest.importorskip("langchain_core.embeddings")
    from chunkwright.compat.langchain_experimental import SemanticChunker

    class Letters(embeddings.Embeddings):  # type: ignore[misc, name-defined]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0 + text.count(letter) for letter in "aeiou"] for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

    for text in DOCUMENTS.values():
        theirs = peer.SemanticChunker(Letters())
        assert SemanticChunker(Letters()).split_text(text) == theirs.split_text(text)


@claim("Change one import and get the same chunks and scores.")
def test_one_import_changed_gives_unstructureds_chunks() -> None:
    peer = pytest.importorskip("unstructured.chunking.title")
    from unstructured.staging.base import elements_from_dicts

    from chunkwright.compat.unstructured import chunk_by_title

    for text in DOCUMENTS.values():
        rows = [
            {"type": "Title" if part.startswith("#") else "NarrativeText", "text": part}
            for part in text.split("\n\n")
            if part.strip()
        ]
        theirs = peer.chunk_by_title(elements_from_dicts(rows), max_characters=300)
        ours = chunk_by_title(elements_from_dicts(rows), max_characters=300)
        shown = [[(type(chunk), chunk.text) for chunk in chunks] for chunks in (ours, theirs)]
        assert shown[0] == shown[1]


def test_the_install_commands_stand_on_lines_of_their_own() -> None:
    commands = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)
    assert len(commands) == 2
    assert [command for command in commands if "pytest" in command] == commands[1:]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with copies of the files that README's commands name."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in [name for name in os.environ if name.startswith("CHUNKWRIGHT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("CHUNKWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "clone"
    folder.mkdir()
    shutil.copy(ROOT / "README.md", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copytree(ROOT / "examples", folder / "examples")
    parquet.write_table(pa.table({"body": list(DOCUMENTS.values())}), folder / "documents.parquet")
    return folder


@pytest.mark.slow
@claim("The command `chunkwright` reads files, folders, globs, tables and standard input")
def test_commands_run(clone: Path) -> None:
    lines = "".join(blocks(README + OVERVIEW, "bash")).splitlines()
    # Both pages may show the same one.
    commands = list(dict.fromkeys(line for line in lines if line.startswith("chunkwright ")))
    assert len(commands) >= 8
    name = f'chunkwright() {{ "{sys.executable}" -m chunkwright "$@"; }}\n'
    for command in [*commands, "cat README.md | chunkwright chunk - | head -n 1"]:
        done = subprocess.run(
            ["bash", "-c", name + command], cwd=clone, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)
        is_quiet = "--out" in command or "--to" in command
        assert done.stdout or is_quiet, command
    assert {path.name for path in clone.iterdir()} >= {"chunks.parquet", "rows.parquet", "report"}


@claim("An output file that exists is replaced only with `--force`.")
def test_outputs_are_not_replaced_unasked(clone: Path) -> None:
    command = [sys.executable, "-m", "chunkwright", "chunk", "README.md", "--out", "kept.jsonl"]
    (clone / "kept.jsonl").write_text("kept")
    assert subprocess.run(command, cwd=clone, capture_output=True, check=False).returncode == 2
    assert (clone / "kept.jsonl").read_text() == "kept"
    done = subprocess.run([*command, "--force"], cwd=clone, capture_output=True, check=False)
    assert done.returncode == 0
    assert (clone / "kept.jsonl").read_text() != "kept"


def test_other_commands_name_files_that_exist() -> None:
    for line in "".join(blocks(README + OVERVIEW, "bash")).splitlines():
        for file in re.findall(r"\bbenches/\w+\.py", line):
            assert (ROOT / file).is_file()
