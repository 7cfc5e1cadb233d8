"""LangChain's splitter of JSON: parts of one object, each with the path to its values."""

from __future__ import annotations

import json
from typing import Any

from .peer_documents import Document, copier


class RecursiveJsonSplitter:
    """Splits an object into objects that are small as JSON; a value is cut only between members.

    Parameters
    ----------
    max_chunk_size
        Code points of a part as JSON; a longer value that is no object stays whole.
    min_chunk_size
        Code points from which a part is closed when a member does not fit; 200 below the maximum,
        but no less than 50, by default.
    """

    max_chunk_size: int = 2000
    min_chunk_size: int = 1800

    def __init__(self, max_chunk_size: int = 2000, min_chunk_size: int | None = None) -> None:
        super().__init__()
        self.max_chunk_size = max_chunk_size
        if min_chunk_size is None:
            min_chunk_size = max(max_chunk_size - 200, 50)
        self.min_chunk_size = min_chunk_size

    def split_json(
        self, json_data: dict[str, Any], convert_lists: bool = False
    ) -> list[dict[str, Any]]:
        """Split an object; of lists only whole ones are parts, unless they are made objects.

        Parameters
        ----------
        json_data
            What to split; of None there are no parts.
        convert_lists
            Whether lists become objects whose keys are the numbers of their items.

        Returns
        -------
        list[dict[str, Any]]
            The parts.

        Raises
        ------
        TypeError
            For something else than an object, and for what JSON cannot hold.
        """
        data: Any = _without_lists(json_data) if convert_lists else json_data
        if data is not None and not isinstance(data, dict):
            hint = (
                " Top-level lists can be split by passing convert_lists=True."
                if isinstance(data, list)
                else ""
            )
            raise TypeError(f"json_data must be a dict, got {type(data).__name__}.{hint}")
        parts = _Parts(self.max_chunk_size, self.min_chunk_size)
        if data:
            parts.add_members(data, [])
        return parts.found()

    def split_text(
        self, json_data: dict[str, Any], convert_lists: bool = False, ensure_ascii: bool = True
    ) -> list[str]:
        """Split an object into parts as JSON.

        Raises
        ------
        TypeError
            As `split_json` does.
        """
        parts = self.split_json(json_data=json_data, convert_lists=convert_lists)
        return [json.dumps(part, ensure_ascii=ensure_ascii) for part in parts]

    def create_documents(
        self,
        texts: list[dict[str, Any]],
        convert_lists: bool = False,
        ensure_ascii: bool = True,
        metadatas: list[dict[Any, Any]] | None = None,
    ) -> list[Document]:
        """Split objects into documents; each has a copy of the metadata of its object.

        Raises
        ------
        TypeError
            As `split_json` does.
        """
        metadatas = metadatas or [{}] * len(texts)
        documents: list[Document] = []
        for i, data in enumerate(texts):
            parts = self.split_text(
                json_data=data, convert_lists=convert_lists, ensure_ascii=ensure_ascii
            )
            copied = copier(metadatas[i]) if parts else dict
            documents += [Document(page_content=part, metadata=copied()) for part in parts]
        return documents


class _Parts:
    """Parts so far, and the size of the last one as JSON, kept up to date with what it gets."""

    def __init__(self, largest: int, smallest: int) -> None:
        self._largest, self._smallest = largest, smallest
        self._parts: list[dict[str, Any]] = [{}]
        self._size = 2

    def found(self) -> list[dict[str, Any]]:
        return self._parts if self._parts[-1] else self._parts[:-1]

    def add_members(self, data: dict[Any, Any], path: list[Any]) -> None:
        for key, value in data.items():
            here = [*path, key]
            size = len(json.dumps({key: value}))
            if size < self._largest - self._size:
                self._put(here, value, size)
                continue
            if self._size >= self._smallest:
                self._parts.append({})
                self._size = 2
            if isinstance(value, dict) and value:
                self.add_members(value, here)
            else:
                self._put(here, value, size)

    def _put(self, path: list[Any], value: Any, size: int) -> None:
        """Put in a member that, as an object of its own, has ``size`` code points."""
        part, added = self._parts[-1], size - 2
        for i, key in enumerate(path[:-1]):
            if key not in part:
                added += sum(len(json.dumps({key: {}})) - 2 for key in path[i:-1])
                added += 2 * bool(part)
                below: dict[Any, Any] = {path[-1]: value}
                for above in reversed(path[i + 1 : -1]):
                    below = {above: below}
                part[path[i]] = below
                self._size += added
                return
            part = part[key]
        self._size += added + 2 * bool(part)
        part[path[-1]] = value


def _without_lists(data: Any) -> Any:
    """Make objects of lists, with the numbers of the items as keys."""
    if isinstance(data, dict):
        return {key: _without_lists(value) for key, value in data.items()}
    if isinstance(data, list):
        return {str(i): _without_lists(item) for i, item in enumerate(data)}
    return data
