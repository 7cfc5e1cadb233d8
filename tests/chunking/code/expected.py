"""What is expected of source code: the text, and scope, kind and first line of each definition."""

from typing import TypeAlias

Expected: TypeAlias = tuple[str, list[tuple[str, str, int]]]
