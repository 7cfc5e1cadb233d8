"""LangChain's splitter of HTML at headings, which become metadata."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import IO, Any, TypedDict

from .documents import Document
from .html_elements import body_elements


class ElementType(TypedDict):
    """An element of a page, where it stands, and the headings above it."""

    url: str
    xpath: str
    content: str
    metadata: dict[str, str]


class HTMLHeaderTextSplitter:
    """Splits HTML at headings; the headings above a chunk are its metadata.

    Headings are documents of their own. No parser need be installed.

    Parameters
    ----------
    headers_to_split_on
        Pairs of a tag, such as ``"h2"``, and the metadata key of its headings.
    return_each_element
        Whether each element is a document of its own; else those of one section are joined.

    Raises
    ------
    ValueError
        For a tag that has no level.
    """

    def __init__(
        self, headers_to_split_on: list[tuple[str, str]], return_each_element: bool = False
    ) -> None:
        self.headers_to_split_on: list[tuple[str, str]] = sorted(
            headers_to_split_on, key=lambda pair: int(pair[0][1:])
        )
        self.header_mapping: dict[str, str] = dict(self.headers_to_split_on)
        self.header_tags: list[str] = [tag for tag, _ in self.headers_to_split_on]
        self.return_each_element = return_each_element

    def split_text(self, text: str) -> list[Document]:
        """Split a page into documents.

        Raises
        ------
        ReadError
            For a declaration that no parser reads; where Beautiful Soup is installed, its error.
        """
        return self.split_text_from_file(StringIO(text))

    def split_text_from_url(self, url: str, timeout: int = 10, **kwargs: Any) -> list[Document]:
        """Fetch a page with LangChain's client, which refuses private addresses, and split it.

        Raises
        ------
        ImportError
            If langchain-core is not installed.
        """
        del kwargs
        try:
            from langchain_core._security._transport import ssrf_safe_client
        except ImportError as error:
            raise ImportError(
                "split_text_from_url fetches with langchain-core: `pip install langchain-core`, "
                "or fetch the page yourself and call split_text."
            ) from error
        with ssrf_safe_client() as client:
            response = client.get(url, timeout=timeout)
            response.raise_for_status()
            return self.split_text(response.text)

    def split_text_from_file(self, file: str | IO[str]) -> list[Document]:
        """Split a page in a file, open or by its path.

        Raises
        ------
        TypeError
            For a file that gives bytes.
        ReadError
            As `split_text` does.
        """
        html = Path(file).read_text(encoding="utf-8") if isinstance(file, str) else file.read()
        if not isinstance(html, str):
            raise TypeError(f"file must be open for reading text, it gave {type(html).__name__}")
        return list(self._documents(html))

    def _documents(self, html: str) -> Iterator[Document]:
        headings, lines = _Headings(), list[str]()
        for element in body_elements(html):
            text = element.text()
            if not text:
                continue
            if element.tag in self.header_mapping:
                if lines:
                    yield headings.document("  \n".join(lines))
                    lines.clear()
                key = self.header_mapping[element.tag]
                headings.enter(key, text, int(element.tag[1:]), element.depth)
                yield headings.document(text)
            else:
                headings.leave(element.depth)
                if self.return_each_element:
                    yield headings.document(text)
                else:
                    lines.append(text)
        if lines:
            yield headings.document("  \n".join(lines))


class _Headings:
    """The headings above an element: their texts, levels and depths by their keys."""

    def __init__(self) -> None:
        self._active: dict[str, tuple[str, int, int]] = {}

    def enter(self, key: str, text: str, level: int, depth: int) -> None:
        """Take a heading in place of those of its level and below."""
        kept = {k: other for k, other in self._active.items() if other[1] < level}
        self._active = {**kept, key: (text, level, depth)}

    def leave(self, depth: int) -> None:
        """Drop headings that stand deeper than ``depth``."""
        if any(depth < deep for _, _, deep in self._active.values()):
            self._active = {k: other for k, other in self._active.items() if other[2] <= depth}

    def document(self, text: str) -> Document:
        metadata = {key: heading for key, (heading, _, _) in self._active.items()}
        return Document(page_content=text, metadata=metadata)
