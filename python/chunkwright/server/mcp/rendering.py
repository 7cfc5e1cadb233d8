"""Answers of tools as texts that people and models read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from pydantic import BaseModel

from chunkwright.messages.terminal_text import printable
from chunkwright.readers.pages import named_place
from chunkwright.server.schemas.files import (
    ChunkTextAnswer,
    ImportFileAnswer,
    ListFilesAnswer,
    ReadFileAnswer,
)
from chunkwright.server.schemas.quotes import CiteAnswer, QuotePlace, ResolveAnswer, VerifyAnswer
from chunkwright.server.schemas.store import (
    GetBlockAnswer,
    GetDocumentAnswer,
    Hit,
    ListDocumentsAnswer,
    PlaceShape,
    SearchAnswer,
)

_NOTHING = "Nothing found."


@singledispatch
def rendered(answer: BaseModel) -> str:
    """Return an answer as text; a line above each text of a document names its place."""
    return answer.model_dump_json()


def _joined(parts: Iterable[str], more: str | None) -> str:
    said = "\n\n".join(parts) or _NOTHING
    return f"{said}\n\n{more}" if more else said


def _where(spot: PlaceShape) -> str:
    """Return document, pages or lines, and headings, as ``mill.pdf, page 3: Wheels > Water``."""
    where = named_place(spot.pages, spot.line_start, spot.line_end)
    headings = " > ".join(spot.headings)
    place = f"{spot.document} (version {spot.version}), {where}{': ' if headings else ''}{headings}"
    # A line break in a name could fake a line of the answer.
    return printable(place)


@rendered.register
def _(answer: SearchAnswer) -> str:
    hits = (
        f"[{number}] {_where(hit)}\n{_block(hit)}\n{hit.text}"
        for number, hit in enumerate(answer.hits, 1)
    )
    return _joined(hits, answer.more)


def _block(of: Hit) -> str:
    return f"block {of.block}" if of.block else f"{printable(of.type)}, in no block"


@rendered.register
def _(answer: ListDocumentsAnswer) -> str:
    rows = "\n".join(
        f"{printable(row.document)} (version {row.version}, {row.n_blocks} blocks)"
        f"{_metadata(row.metadata)}"
        for row in answer.documents
    )
    return _joined([f"{answer.n_total} documents", rows] if rows else [], answer.more)


def _metadata(values: dict[str, Any]) -> str:
    said = ", ".join(f"{name}={value}" for name, value in values.items())
    return f" {printable(said)}" if said else ""


@rendered.register
def _(answer: GetDocumentAnswer) -> str:
    about = f"{answer.document} (version {answer.version}), {answer.n_blocks} blocks"
    blocks = (f"block {row.block}\n{row.text}" for row in answer.blocks)
    return _joined([about, *blocks], answer.more)


@rendered.register
def _(answer: GetBlockAnswer) -> str:
    place = f"{answer.document}, in no version" if answer.place is None else _where(answer.place)
    about = [f"block {answer.block}", place]
    if not answer.is_current:
        after = f" Block {answer.superseded_by} took its place." if answer.superseded_by else ""
        about.append(f"Not in the current version.{after}")
    parts = [
        ("Before it:", answer.before),
        ("The block:", answer.text),
        ("Behind it:", answer.behind),
    ]
    texts = (f"{label}\n{text.strip()}" for label, text in parts if text.strip())
    return _joined(["\n".join(about), *texts], answer.more)


_VERDICTS: dict[str, str] = {
    "found": "Found: the words stand there as one run.",
    "elsewhere": "Elsewhere: the words stand in another document only.",
    "abridged": "Abridged: its parts stand in this order, and an ellipsis says so.",
    "stitched": "Stitched: the words are put together of different places. Do not quote them so.",
    "missing": "Missing: the words stand nowhere so. Do not quote them.",
}


@rendered.register
def _(answer: VerifyAnswer) -> str:
    verdict = _VERDICTS[answer.verdict]
    if answer.places and not answer.is_current:
        verdict += " At least in part in an old version, not in the current one."
    parts = [verdict, *(_quoted(place) for place in answer.places)]
    if answer.nearest is not None:
        parts.append(f"Nearest: {_quoted(answer.nearest)}")
        differs = f"quoted {answer.quoted or 'nothing more'!r}"
        parts.append(f"There it differs: {differs}, stands {answer.stands or 'nothing more'!r}")
    return _joined(parts, None)


def _quoted(place: QuotePlace) -> str:
    block = "" if place.block is None else f"\nblock {place.block}"
    edited = " (written by hand)" if place.origin == "manual" else ""
    if place.edited_as is not None:
        edited = f" (the source; it was edited by hand as block {place.edited_as})"
    return f"{_where(place)}{block}{edited}\n{place.text}"


@rendered.register
def _(answer: CiteAnswer) -> str:
    where = f"block {answer.block} of {answer.document} (version {answer.version})"
    return f"citation {answer.citation}: {where}\n{answer.quote}"


@rendered.register
def _(answer: ResolveAnswer) -> str:
    parts = [f"{answer.status}: citation {answer.citation.citation}"]
    parts.append(f"cited: {_quoted(answer.cited)}")
    if answer.place is not None:
        parts.append(f"now: {_quoted(answer.place)}")
    if answer.difference is not None:
        said = answer.difference
        differs = f"quoted {said.quoted or 'nothing'!r}, stands {said.stands or 'nothing'!r}"
        parts.append(f"There it differs ({said.kind}): {differs}")
    if answer.changes:
        parts.append(f"Changed around the words: {', '.join(answer.changes)}. Read them again.")
    return _joined(parts, None)


@rendered.register
def _(answer: ListFilesAnswer) -> str:
    rows = "\n".join(f"{printable(row.path)} ({row.n_bytes} bytes)" for row in answer.files)
    return _joined([f"{answer.n_total} files", rows] if rows else [], answer.more)


@rendered.register
def _(answer: ReadFileAnswer) -> str:
    end = answer.offset + len(answer.text)
    about = f"{answer.path}, characters {answer.offset} to {end} of {answer.n_chars}"
    return _joined([about, answer.text], answer.more)


@rendered.register
def _(answer: ChunkTextAnswer) -> str:
    chunks = (
        f"[{row.index}] {row.start}-{row.end}, {row.n_tokens} tokens\n{row.text}"
        for row in answer.chunks
    )
    return _joined([f"{answer.n_total} chunks", *chunks], answer.more)


@rendered.register
def _(answer: ImportFileAnswer) -> str:
    blocks = f"{answer.n_new} blocks new, {answer.n_kept} kept, {answer.n_gone} gone"
    return f"{answer.document}: {answer.outcome}, version {answer.version}; {blocks}"
