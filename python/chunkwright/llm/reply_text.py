"""Texts of replies as models write them: thoughts taken off, and JSON read out of a fence."""

from __future__ import annotations

import json
import re
from typing import Any

from chunkwright.embed.texts import repaired
from chunkwright.llm.protocol import Reply, Schema

# They may be cut off in the middle.
_THOUGHT = "<think>"
_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>\s*|\Z)", re.DOTALL)


def reply_of(text: str, schema: Schema | None) -> Reply:
    """Return a text as a reply, with the value of its JSON if a schema was asked for.

    Thoughts that a server leaves in front of the reply are no part of it.

    Examples
    --------
    >>> reply_of("<think>Is it? Yes.</think>Yes.", None).text
    'Yes.'
    """
    text = repaired(text)
    if _THOUGHT in text:
        text = _THOUGHTS.sub("", text)
    return Reply(text, None if schema is None else parsed(text))


def parsed(text: str) -> Any:
    r"""Return the value of the JSON in a reply; None if there is none.

    Models put a fence of Markdown around it, or words before and after.

    Examples
    --------
    >>> parsed('Here:\n```json\n{"starts": [3]}\n```')
    {'starts': [3]}
    """
    starts = (at for at in (text.find("{"), text.find("[")) if at >= 0)
    for start in sorted(starts):
        try:
            return _decoded(text, start)
        except (ValueError, RecursionError):
            continue
    return None


def _decoded(text: str, start: int) -> Any:
    value = json.JSONDecoder().raw_decode(text, start)[0]
    if "\\u" not in text:
        return value
    # An escape may stand for half of a pair.
    return json.loads(repaired(json.dumps(value, ensure_ascii=False)))
