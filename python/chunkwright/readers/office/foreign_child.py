"""Program that reads files with the library xberg, one behind the other, and answers in JSON.

It is started by its path, and imports nothing of the package. A file is a line with its media type
and the number of its bytes, and the bytes; an answer is a line.
"""

import asyncio
import json
import os
import sys
from typing import Any

import xberg


def main() -> None:
    """Answer until there is no more to read."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while head := asked.readline():
        media_type, _, size = head.decode().strip().rpartition(" ")
        answers.write(json.dumps(_read(asked.read(int(size)), media_type)).encode() + b"\n")
        answers.flush()
    # Threads of the library that are under way would take an end in order down.
    os._exit(0)


def _read(data: bytes, media_type: str) -> dict[str, Any]:
    source = xberg.ExtractInput(kind="bytes", bytes=data, mime_type=media_type)
    # Only as Markdown the titles of slides are headings.
    options: dict[str, Any] = {"include_document_structure": True, "output_format": "markdown"}
    config = xberg.ExtractionConfig(
        disable_ocr=True, use_cache=False, max_archive_depth=0, **options
    )
    try:
        extraction = asyncio.run(_extracted(source, config))
    except (xberg.XbergError, RuntimeError, ValueError, OSError) as error:
        return {"reason": str(error)}
    found = extraction.results[0] if extraction.results else None
    nodes = found.document.nodes if found and found.document else []
    return {
        "media_type": found.mime_type if found else "",
        "nodes": [_node(node) for node in nodes],
        "reason": "; ".join(str(error.message) for error in extraction.errors),
    }


async def _extracted(source: Any, config: Any) -> Any:
    return await xberg.extract(source, config)


def _node(node: Any) -> dict[str, Any]:
    return {
        "content": str(node.content),
        "layer": str(node.content_layer),
        "parent": node.parent,
        "page": node.page,
        "links": [(mark.start, mark.end, str(mark.kind)) for mark in node.annotations],
    }


if __name__ == "__main__":
    main()
