"""Models in the configuration of an evaluation: rerankers, language models, contextual runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import chunkwright as cw
from chunkwright.errors import ChunkwrightError, ConfigError
from chunkwright.evaluation import Dataset, Plan, evaluate_all, read_plan, with_twins
from chunkwright.evaluation.run.config import CONTEXTUAL
from chunkwright.evaluation.run.models import ENDPOINT, FOLDER
from chunkwright.llm import Prompt, Runner
from chunkwright.retrieval.rerank import CrossEncoder, RerankEndpoint
from tests.retrieval.made_cross_encoder import write_cross_encoder

DATA = '[data]\ncorpora = "corpora"\nquestions = "q.jsonl"\n'
ROW = '[[chunker]]\nname = "a"\nstrategy = "recursive"\nmax_tokens = 20\n'
LLM = '[llm]\nprovider = "object"\nmodel = "own_model:reply"\ncache = "replies"\n'
MODEL = """
def reply(messages):
    with open("asked.txt", "a") as file:
        print("asked", file=file)
    return "About pets."
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "corpora").mkdir()
    text = "# Pets\n\n## Cats\n\nCats purr.\n\n## Dogs\n\nThey bark at the postman.\n"
    (tmp_path / "corpora" / "pets.md").write_text(text)
    (tmp_path / "q.jsonl").write_text('{"question": "Do dogs bark?", "excerpts": ["They bark"]}\n')
    (tmp_path / "own_model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("own_model", None)


def plan(folder: Path, text: str) -> Plan:
    (folder / "eval.toml").write_text(text)
    return read_plan(folder / "eval.toml")


def test_the_keys_are_those_of_the_classes() -> None:
    assert {*FOLDER} == {field.name for field in fields(CrossEncoder) if field.init}
    own = {field.name for field in fields(RerankEndpoint) if field.init}
    assert {*ENDPOINT} - {"api_key_env"} == own - {"api_key"}
    assert {"context", "neighbours", "prompt"} < {*CONTEXTUAL}


# --------------------------------------------------------------------------------- rerankers


def test_a_reranker_in_a_folder(folder: Path) -> None:
    write_cross_encoder(folder / "models" / "cross")
    shared = '[retrieval]\nreranker = "models/cross"\ncandidates = 7\n'
    more = '[[chunker]]\nname = "b"\nstrategy = "sentence"\n'
    off = '[[chunker]]\nname = "c"\nstrategy = "sentence"\nretrieval = { reranker = "none" }\n'
    one, two, three = plan(folder, DATA + shared + ROW + more + off).runs
    assert isinstance(one.retriever.reranker, CrossEncoder)
    assert Path(one.retriever.reranker.path) == folder / "models" / "cross"
    assert one.retriever.reranker is two.retriever.reranker
    assert (one.retriever.candidates, three.retriever.reranker) == (7, None)


def test_a_folder_with_options(folder: Path) -> None:
    write_cross_encoder(folder / "cross")
    table = '[retrieval.reranker]\npath = "cross"\nmax_tokens = 64\nworkers = 1\n'
    (run,) = plan(folder, DATA + table + ROW).runs
    assert isinstance(run.retriever.reranker, CrossEncoder)
    assert (run.retriever.reranker.max_tokens, run.retriever.reranker.workers) == (64, 1)


def test_a_reranker_behind_a_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANK_KEY", "s3cret")
    table = (
        '[retrieval.reranker]\nurl = "http://127.0.0.1:1/rerank"\nmodel = "m"\nform = "texts"\n'
        'api_key_env = "RERANK_KEY"\nbatch_size = 9\nretries = 0\ntimeout = 5\n'
    )
    found = plan(folder, DATA + table + ROW)
    assert found.runs[0].retriever.reranker == RerankEndpoint(
        "http://127.0.0.1:1/rerank",
        model="m",
        api_key="s3cret",
        form="texts",
        batch_size=9,
        retries=0,
        timeout=5,
    )
    assert "s3cret" not in repr(found)


def test_who_reads_a_plan_may_wrap_rerankers(folder: Path) -> None:
    write_cross_encoder(folder / "cross")
    (folder / "eval.toml").write_text(DATA + '[retrieval]\nreranker = "cross"\n' + ROW)
    own = cw.Retriever(reranker=lambda _, texts: [0.0] * len(texts)).reranker
    found = read_plan(folder / "eval.toml", reranker=lambda _: own)  # type: ignore[arg-type, return-value]
    assert found.runs[0].retriever.reranker is own


RERANKER = "[retrieval.reranker]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[retrieval]\nreranker = 5\n", "chunker 1 (a): reranker: it must be a folder or a table"),
        ("[retrieval]\nreranker = 'nowhere'\n", "nowhere"),
        (
            "[retrieval]\nreranker = 'none'\ncandidates = 0\n",
            "candidates must be at least 1, got 0",
        ),
        (RERANKER + "model = 'x'\n", "one of path and url is needed, got {'model': 'x'}"),
        (RERANKER + "path = 'x'\nurl = 'y'\n", "one of path and url is needed"),
        (RERANKER + "path = 5\n", "path must be a string, got 5"),
        (RERANKER + "path = 'x'\nmodel = 'y'\n", "a folder: unknown key 'model'"),
        (RERANKER + "url = 'x'\nmax_tokens = 5\n", "an endpoint: unknown key 'max_tokens'"),
        (RERANKER + "url = 'x'\n", "reranker: url must be one of http or https, got 'x'"),
        (RERANKER + "url = 'http://x/rerank'\nform = 'text'\n", "did you mean 'texts'?"),
        (RERANKER + "url = 'http://x/rerank'\nbatch_size = 0\n", "batch_size must be at least 1"),
        (RERANKER + "url = 'http://x/rerank'\nmodel = 7\n", "model must be a string, got 7"),
        (
            RERANKER + "url = 'http://x/rerank'\napi_key_env = 'NOBODY_HAS_THIS'\n",
            "api_key_env must be a variable of the environment, got 'NOBODY_HAS_THIS'",
        ),
        (RERANKER + "url = 'http://x/rerank'\napi_key = 'k'\n", "unknown key 'api_key'"),
    ],
)
def test_wrong_rerankers_are_named(folder: Path, text: str, message: str) -> None:
    with pytest.raises(ChunkwrightError) as raised:
        plan(folder, DATA + text + ROW)
    assert message in str(raised.value)


def test_a_key_in_the_place_of_its_variable_is_not_shown(folder: Path) -> None:
    text = RERANKER + "url = 'http://x/rerank'\napi_key_env = 'sk-abc123'\n"
    with pytest.raises(ConfigError, match="api_key_env") as raised:
        plan(folder, DATA + text + ROW)
    assert "abc123" not in str(raised.value)


# --------------------------------------------------------------------------- contextual runs


def test_structural_contexts_need_no_model(folder: Path) -> None:
    found = plan(folder, DATA + ROW + 'contextual = { context = "structure", neighbours = 1 }\n')
    (run,) = found.runs
    cuts = cw.Recursive(max_tokens=20)
    assert run.chunker == cw.Contextual(cuts, context="structure", neighbours=1)
    twin = with_twins(found).runs[1]
    assert (twin.chunker, twin.name) == (cuts, "a, plain")
    assert run.described is not None
    assert twin.described == run.described["cut by"]
    assert twin.described is not None
    assert twin.described["strategy"] == "recursive"


def test_without_a_name_contexts_tell_runs_apart(folder: Path) -> None:
    row = '[[chunker]]\nstrategy = "sentence"\n'
    found = plan(folder, DATA + row + row + 'contextual = { context = "structure" }\n')
    assert [run.name for run in found.runs] == ["sentence", "sentence:context=structure"]


def test_headings_are_read_where_they_are_wanted(folder: Path) -> None:
    row = ROW.replace("20", "8") + 'contextual = { context = "structure", neighbours = 0 }\n'
    for key in ("corpora =", "documents ="):
        read = plan(folder, DATA.replace("corpora =", key) + row)
        assert read.dataset.documents["pets"].elements is not None
        (found,) = evaluate_all(read.runs, read.dataset)
        assert found.chunks.searched[-1].startswith("[pets > Pets > Dogs] ")
    plain = Dataset(read.dataset.corpora, read.dataset.questions)
    (without,) = evaluate_all(read.runs, plain)
    assert without.chunks.searched[-1].startswith("[pets] ")


def test_contexts_of_a_model(folder: Path) -> None:
    found = plan(folder, LLM + DATA + ROW + "contextual = { max_snippet_tokens = 10 }\n")
    (run,) = found.runs
    assert isinstance(run.chunker.llm, Runner)
    assert run.chunker.max_snippet_tokens == 10
    assert run.described is not None
    assert run.described["contextual"]["llm"] == run.chunker.llm.fingerprint != ""
    twins = with_twins(found)
    for _ in range(2):
        contextual, plain = evaluate_all(
            twins.runs, found.dataset, cutoffs=twins.cutoffs, cache=folder / "cache"
        )
        assert contextual.chunks.searched[0].startswith("[About pets.] ")
        assert plain.chunks.indexed is None
    n_asked = len((folder / "asked.txt").read_text().splitlines())
    assert n_asked == contextual.n_chunks
    # Replies are kept as well: another run asks for nothing that is known.
    evaluate_all(plan(folder, LLM + DATA + ROW + "contextual = {}\n").runs, found.dataset)
    evaluate_all(plan(folder, LLM + DATA + ROW + "contextual = {}\n").runs, found.dataset)
    assert len((folder / "asked.txt").read_text().splitlines()) == 2 * n_asked


def test_a_prompt_of_ones_own(folder: Path) -> None:
    named = Prompt.named("context-1")
    said = "".join(f"# {each.role}\n{each.content} Be brief.\n" for each in named.templates)
    (folder / "brief.md").write_text(said)
    texts = [f'contextual = {{ prompt = "{name}" }}\n' for name in ("brief.md", "context-1")]
    found = [plan(folder, LLM + DATA + ROW + text).runs[0] for text in texts]
    assert [run.chunker.prompt.name for run in found] == ["brief", "context-1"]
    described = [run.described["contextual"]["prompt"] for run in found if run.described]
    assert described == [run.chunker.prompt.fingerprint for run in found]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROW + "contextual = true\n", "contextual must be a table, got True"),
        (ROW + "contextual = { contxt = 'x' }\n", "unknown key 'contxt'; did you mean 'context'?"),
        (ROW + "contextual = { llm = 'x' }\n", "contextual: unknown key 'llm'"),
        (ROW + "contextual = {}\n", "a language model is needed, and the file has no table [llm]"),
        (ROW + "contextual = { context = 'structur' }\n" + LLM, "did you mean 'structure'?"),
        (
            ROW + "contextual = { context = 'structure', neighbours = -1 }\n",
            "contextual: neighbours must be at least 0, got -1",
        ),
        (ROW + "contextual = { prompt = 5 }\n" + LLM, "prompt must be a string, got 5"),
        (ROW + "contextual = { prompt = 'contxt' }\n" + LLM, "there is no prompt 'contxt'"),
        (ROW + "contextual = { prompt = 'no.md' }\n" + LLM, "no.md cannot be read"),
        (
            "[[chunker]]\nobject = 'own_model:reply'\ncontextual = { context = 'structure' }\n",
            "contextual is for strategies, not for the object 'own_model:reply'",
        ),
        (ROW + "contextual = {}\n[llm]\nmodl = 'x'\n", "[llm]: unknown key 'modl'"),
        (ROW + "contextual = {}\n[llm]\nmodel = 5\n", "[llm]: model must be"),
        (ROW + "[llm]\nmodel = 5\n" + "[llm.budget]\ncalls = -1\n", None),
        ("llm = 5\n" + ROW, "llm must be a table, got 5"),
    ],
)
def test_wrong_contexts_are_named(folder: Path, text: str, message: str | None) -> None:
    if message is None:
        # A model that nobody needs is not made.
        assert plan(folder, DATA + text).runs
        return
    top = "" if text.startswith("llm") else DATA
    with pytest.raises(ChunkwrightError) as raised:
        plan(folder, top + text)
    assert message in str(raised.value)


def test_boundaries_of_a_model(folder: Path) -> None:
    (folder / "own_model.py").write_text("def reply(messages):\n    return {'starts': []}\n")
    (folder / "mine.md").write_text("# user\nWhere? $pieces $first $last\n")
    rows = '[[chunker]]\nstrategy = "llm"\nmax_tokens = 20\n'
    found = plan(folder, LLM + DATA + rows + rows + 'prompt = "mine.md"\n')
    one, two = found.runs
    assert (one.name, two.name) == ("llm:max_tokens=20", "llm:max_tokens=20,prompt=mine.md")
    assert isinstance(one.chunker.llm, Runner)
    assert one.chunker.llm is two.chunker.llm
    assert one.described is not None
    assert one.described["llm"] == one.chunker.runner.fingerprint
    assert two.described is not None
    assert two.described["prompt"] == two.chunker.prompt.fingerprint
    assert [run.n_chunks > 0 for run in evaluate_all(found.runs, found.dataset)] == [True, True]


@pytest.mark.parametrize(
    ("row", "message"),
    [("", "no table [llm]"), ('llm = "gpt"\n', "that of the table [llm], got 'gpt'")],
)
def test_boundaries_need_the_files_model(folder: Path, row: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        plan(folder, DATA + '[[chunker]]\nstrategy = "llm"\nmax_tokens = 20\n' + row)
    assert message in str(raised.value)


def test_boundaries_that_a_model_has_not_set_are_told(folder: Path) -> None:
    table = LLM + "[llm.budget]\ncalls = 0\n"
    found = plan(folder, table + DATA + '[[chunker]]\nstrategy = "llm"\nmax_tokens = 20\n')
    told: list[str] = []
    evaluate_all(found.runs, found.dataset, cache=folder / "cache", tell=told.append)
    assert told == [
        "llm:max_tokens=20: the model has not answered 1 request, so this run is not kept"
    ]
