"""Fingerprints of versions: any option that changes redoes the work, and no other import does."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chunkwright as cw
from chunkwright.chunking.registry import ALL_STRATEGIES, options_of
from chunkwright.io.documents import reader_fingerprint
from chunkwright.io.sources import Reading
from chunkwright.llm import Prompt, as_language_model
from chunkwright.store.importing.cutting import Cutting, fingerprint
from chunkwright.store.importing.works import Works
from tests.store.importing.strategies import strategy
from tests.support import scripted_models
from tests.support.stores import Toy, Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

USUAL = {"max_tokens": 64}
# Another value than the usual one, with what it needs, of each option of a strategy.
OTHERS: dict[str, Mapping[str, Any]] = {
    "max_tokens": {"max_tokens": 65},
    "max_chars": {"max_tokens": None, "max_chars": 64},
    "tokenizer": {"tokenizer": "o200k_base"},
    "soft_max": {"soft_max": 32},
    "min_size": {"min_size": 8},
    "overlap": {"overlap": 4},
    "overlap_at": {"overlap_at": "any"},
    "separators": {"separators": ["\n", " "]},
    "markup": {"markup": "rst"},
    "repeat_headers": {"repeat_headers": False},
    "repeat_heads": {"repeat_heads": True},
    "language": {"language": "de"},
    "sentences": {"sentences": 3, "max_tokens": None},
    "window": {"window": 2},
    "header_lines": {"header_lines": 1},
    "omit_header_on_overflow": {"omit_header_on_overflow": True},
    "embedder": {"embedder": cw.embed.Lexical(dimensions=64)},
    "threshold": {"threshold": "gradient"},
    "amount": {"amount": 50},
    "n_chunks": {"n_chunks": 3},
    "piece_max": {"piece_max": 20},
    "target": {"target": "max"},
    "target_size": {"target_size": 30},
    "mean": {"mean": "local"},
    "llm": {"llm": as_language_model(scripted_models.silent, name="silent")},
    "prompt": {"prompt": replace(Prompt.named("boundaries-1"), fingerprint="another")},
    "window_tokens": {"window_tokens": 400},
    "repeat_headings": {"repeat_headings": False},
    "always_emit_headings": {"always_emit_headings": True},
    "merge_list_items": {"merge_list_items": False},
    "merge_peers": {"merge_peers": False},
    "syntax": {"syntax": "yaml"},
    "overlap_all": {"overlap_all": True},
    "isolate_tables": {"isolate_tables": False},
    "skip_tables": {"skip_tables": True},
    "multipage_sections": {"multipage_sections": False},
    "similarity_threshold": {"similarity_threshold": 0.25},
    "list_max": {"list_max": 20},
    "table_max": {"table_max": 20},
    "merge_at": {"merge_at": 0.5},
    "split_above": {"split_above": 20},
    "split_at": {"split_at": "%%%"},
    "keep_mark": {"split_at": "%%%", "keep_mark": "drop"},
}
# Options that every strategy has, and that some refuse.
REFUSED = {("json", "overlap"), ("json", "overlap_at")}
READINGS: dict[str, Any] = {
    "input_format": "markdown",
    "encoding": "latin-1",
    "errors": "replace",
    "drop": ["nav"],
    "pages": "1-2",
    "attachments": True,
    "hidden": True,
    "ocr": "all",
    "ocr_engine": "tesseract",
    "ocr_languages": ["de"],
}
TEXT = "# Rain\n\nIt rained on Monday. Then the sun came out.\n\n# Sun\n\nIt shone all day.\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[cw.Store]:
    """Return an empty store."""
    with cw.Store.open(tmp_path / "kb.db") as opened:
        yield opened


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are cut from now on."""
    texts: list[str] = []
    fresh, again = Cutting.fresh, Cutting.again

    def counted_fresh(self: Cutting, documents: Any) -> Any:
        own = list(documents)
        texts.extend(each.text for each in own)
        return fresh(self, own)

    def counted_again(self: Cutting, document: cw.Document, *rest: Any) -> Any:
        texts.append(document.text)
        return again(self, document, *rest)

    monkeypatch.setattr(Cutting, "fresh", counted_fresh)
    monkeypatch.setattr(Cutting, "again", counted_again)
    return texts


def of(cuts: Any, shadows: int | None = None) -> str | None:
    return fingerprint("reader", [cuts], shadows)


# Of options that take something else in a strategy than in others.
OF_STRATEGY: dict[tuple[str, str], Any] = {("code", "language"): {"language": "rust"}}


def refuses_marks(name: str, option: str) -> bool:
    """Return whether a strategy cuts at no marks of one's own."""
    if option not in {"split_at", "keep_mark"}:
        return False
    try:
        strategy(name, **{**USUAL, "split_at": "%%%"})
    except cw.ConfigError:
        return True
    return False


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_each_option_of_a_strategy_counts(name: str) -> None:
    usual = of(strategy(name, **USUAL))
    assert usual is not None
    assert usual == of(strategy(name, **USUAL))
    seen = {usual}
    for option in options_of(name):
        if (name, option) in REFUSED or refuses_marks(name, option):
            continue
        other = OF_STRATEGY.get((name, option), OTHERS[option])
        own = of(strategy(name, **{**USUAL, **other}))
        assert own is not None
        assert own not in seen, option
        seen.add(own)


def test_the_text_of_a_prompt_in_a_file_counts(tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("# user\n\nCut $pieces each from $first to $last.\n", "utf-8")
    before = of(strategy("llm", **USUAL, prompt=str(file)))
    file.write_text("# user\n\nCut well $pieces each from $first to $last.\n", "utf-8")
    assert before is not None
    assert before != of(strategy("llm", **USUAL, prompt=str(file)))


def test_names_shadows_and_readers_count() -> None:
    balanced, recursive = cw.Balanced(max_tokens=64), cw.Recursive(max_tokens=64)
    found = [
        fingerprint("reader", [balanced], None),
        fingerprint("reader", [recursive], None),
        fingerprint("reader", [balanced, recursive], None),
        fingerprint("reader", [balanced], 60),
        fingerprint("reader", [balanced], 61),
        fingerprint("another", [balanced], None),
        fingerprint("reader", [], None),
    ]
    assert None not in found
    assert len(set(found)) == len(found)


def test_a_strategy_with_a_function_has_none() -> None:
    assert of(cw.Balanced(max_tokens=64, tokenizer=len)) is None


def test_each_option_of_a_reader_counts() -> None:
    seen = {reader_fingerprint(None, Reading())}
    for name, value in READINGS.items():
        own = reader_fingerprint(None, Reading(**{name: value}))
        assert own not in seen, name
        seen.add(own)
    assert reader_fingerprint("pdf", Reading()) not in seen


def test_readings_are_either_of_files_or_of_tables() -> None:
    # Options of tables change the texts of their rows, which have hashes of their own.
    of_tables = {"text_column", "id_column", "drop_columns", "text_kind", "elements_for"}
    without_effect = {"by_content", "fail_fast", "password"}
    assert {f.name for f in fields(Reading)} == {*READINGS, *of_tables, *without_effect}


@pytest.mark.parametrize("name", ALL_STRATEGIES)
def test_the_same_options_are_no_work(
    name: str, store: cw.Store, cut: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    is_json = name == "json"
    text = '{"rain": [1, 2]}' if is_json else TEXT
    document = cw.read(text.encode(), kind="text" if is_json else "markdown", name="a")
    store.add(document, strategy=strategy(name, **USUAL))
    assert cut == [document.text]
    monkeypatch.setattr(Works, "_read", lambda *_: pytest.fail("it is read again"))
    (report,) = store.add(document, strategy=strategy(name, **USUAL))
    assert report.outcome == "unchanged"
    assert cut == [document.text]


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": cw.Recursive(max_tokens=65)},
        {"strategy": cw.Recursive(max_tokens=64, tokenizer="o200k_base")},
        {"strategy": cw.Recursive(max_tokens=64, min_size=2)},
        {"strategy": cw.Sentence(max_tokens=64)},
        {"shadows": 10},
        {"shadows": None},
    ],
)
def test_another_option_is_work(
    options: dict[str, Any], store: cw.Store, cut: list[str], tmp_path: Path
) -> None:
    usual: dict[str, Any] = {"strategy": cw.Recursive(max_tokens=64)}
    document = cw.Document(text=TEXT * 9, name="a")
    store.add(document, **usual)
    store.add(document, **{**usual, **options})
    assert cut == [document.text] * 2
    kept = [(chunk.n_tokens, chunk.prefix_shadow) for chunk in store.chunks("a")]
    # What is stored is what a store that never had another would have.
    with cw.Store.open(tmp_path / "other.db") as other:
        other.add(document, **{**usual, **options})
        assert [(chunk.n_tokens, chunk.prefix_shadow) for chunk in other.chunks("a")] == kept
    cut.clear()
    assert store.add(document, **{**usual, **options})[0].outcome == "unchanged"
    assert not cut


def test_another_reader_is_work(store: cw.Store, cut: list[str], tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("Grüße.".encode("latin-1"))
    store.add(file, reading={"encoding": "latin-1"})
    store.add(file, reading={"encoding": "latin-1"})
    assert cut == ["Grüße."]
    store.add(file, reading={"encoding": "cp1251"})
    assert cut == ["Grüße.", "GrьЯe."]


def test_another_embedder_embeds_all(store: cw.Store) -> None:
    document = cw.Document(text=TEXT * 9, name="a")
    cuts = cw.Recursive(max_tokens=64)
    usual: dict[str, Any] = {"strategy": cuts, "embedder": Toy()}
    (first,) = store.add(document, **usual)
    assert first.n_embedded == len({block.text for block in store.blocks("a")})
    assert store.add(document, **usual)[0].n_embedded == 0
    (report,) = store.add(document, **{**usual, "embedder": Words()})
    assert (report.outcome, report.n_embedded) == ("unchanged", first.n_embedded)
