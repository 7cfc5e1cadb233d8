"""Estimates and states of runs over corpora, as values by their names."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import typer

from chunkwright.cli.streams import piped
from chunkwright.messages.terminal_text import lasting, printable, sized

if TYPE_CHECKING:
    from chunkwright.corpus import Estimate, Status

# How numbers are said to a person, by how their names end.
_SAID: dict[str, Callable[[Any], str]] = {
    "_bytes": sized,
    "_seconds": lasting,
    "_share": lambda share: f"{share:.1%}",
}


def write_estimate(estimate: "Estimate") -> None:
    """Write an estimate to standard output, what is not known left out."""
    rows: dict[str, Any] = {
        "files": estimate.n_files,
        "input_bytes": estimate.size,
        "shards": estimate.n_shards,
        "sampled_share": round(estimate.sampled_share, 4),
        "documents": estimate.documents,
        "failed": estimate.failed,
        "chunks": estimate.chunks,
        "deviation_share": _rounded(estimate.deviation, 4),
        "text_bytes": estimate.text_bytes,
        "tokens": estimate.tokens,
        "output_bytes": estimate.output_bytes,
        "read_seconds": _rounded(estimate.read_seconds, 3),
        "cut_seconds": _rounded(estimate.cut_seconds, 3),
        "embed_seconds": _rounded(estimate.embed_seconds, 3),
        "total_seconds": _rounded(estimate.seconds, 3),
        "cost": _rounded(estimate.cost, 6),
    }
    if (model := estimate.model) is not None:
        rows |= {
            "requests": model.n_requests,
            "cached": model.n_cached,
            "calls": model.n_calls,
            "input_tokens": model.usage.input_tokens,
            "output_tokens": model.usage.output_tokens,
            "cost": _rounded(model.cost, 6),
        }
    _write(rows)


def write_status(status: "Status") -> None:
    """Write how far a run is to standard output."""
    counts = status.counts
    _write(
        {
            "shards": status.n_shards,
            "shards_done": status.n_done,
            "input_bytes": status.size,
            "done_bytes": status.size_done,
            "documents": counts.documents,
            "empty": counts.empty,
            "duplicates": counts.duplicates,
            "failed": counts.failed,
            "chunks": counts.chunks,
            "output_bytes": counts.output_bytes,
            "running": status.running or "no",
            **_following(status.following),
        }
    )


def _following(status: "Status | None") -> dict[str, Any]:
    """Return how far the run is that makes an output anew with other settings."""
    if status is None:
        return {}
    return {
        "next_shards": status.n_shards,
        "next_shards_done": status.n_done,
        "next_input_bytes": status.size,
        "next_done_bytes": status.size_done,
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _write(rows: Mapping[str, Any]) -> None:
    known = {name: value for name, value in rows.items() if value is not None}
    width = max(map(len, known)) if sys.stdout.isatty() else 0
    with piped():
        for name, value in known.items():
            if width:
                typer.echo(f"{name:<{width}}  {printable(_said(name, value)):>16}")
            else:
                typer.echo(f"{name}\t{printable(str(value))}")


def _said(name: str, value: Any) -> str:
    for ending, say in _SAID.items():
        if name.endswith(ending):
            return say(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
