"""LangChain's splitters of HTML at headings: into parts with metadata, and into sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import IO, Any, TypedDict

from .html_elements import body_elements
from .peer_documents import Document, copier
from .splitters import RecursiveCharacterTextSplitter


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


# Copies a page, but text in more than 20 pixels becomes a heading.
_LARGE_TYPE_TO_HEADINGS = """
<xsl:transform version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="node()|@*">
    <xsl:copy><xsl:apply-templates select="node()|@*"/></xsl:copy>
  </xsl:template>
  <xsl:template
    match="*[number(substring-before(substring-after(@style, 'font-size:'), 'px')) &gt; 20]">
    <h1><xsl:apply-templates select="node()|@*"/></h1>
  </xsl:template>
</xsl:transform>
"""


class HTMLSectionSplitter:
    """Splits HTML into sections at headings; a section's heading is its metadata.

    Parameters
    ----------
    headers_to_split_on
        Pairs of a tag, such as ``"h2"``, and the metadata key of its headings. What stands before
        the first heading has the key of ``"h1"``, and ``"#TITLE#"`` as its heading.
    **kwargs
        As for `RecursiveCharacterTextSplitter`, by which `split_documents` splits sections.
    """

    def __init__(self, headers_to_split_on: list[tuple[str, str]], **kwargs: Any) -> None:
        self.headers_to_split_on: dict[str, str] = dict(headers_to_split_on)
        self.kwargs = kwargs

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split pages into sections, and these into chunks."""
        pairs = [(document.page_content, document.metadata) for document in documents]
        sections = self.create_documents(
            [text for text, _ in pairs], metadatas=[metadata for _, metadata in pairs]
        )
        return RecursiveCharacterTextSplitter(**self.kwargs).split_documents(sections)

    def split_text(self, text: str) -> list[Document]:
        """Split a page into sections.

        Raises
        ------
        ImportError
            If lxml or Beautiful Soup is not installed.
        KeyError
            For text before the first heading, if ``"h1"`` has no metadata key.
        """
        return self.split_text_from_file(StringIO(text))

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Split pages into sections that inherit the metadata of their page.

        Raises
        ------
        ImportError
            If lxml or Beautiful Soup is not installed.
        KeyError
            As `split_text` does, and where a page begins without a heading and its metadata has no
            ``"Title"`` to put there.
        """
        metadatas = metadatas or [{}] * len(texts)
        documents: list[Document] = []
        for i, text in enumerate(texts):
            sections = self.split_text(text)
            copied = copier(metadatas[i]) if sections else dict
            for section in sections:
                metadata = copied()
                for key, heading in section.metadata.items():
                    metadata[key] = metadata["Title"] if heading == "#TITLE#" else heading
                documents.append(Document(page_content=section.page_content, metadata=metadata))
        return documents

    def split_html_by_headers(self, html_doc: str) -> list[dict[str, str | None]]:
        """Split a page into sections that begin at the body and at headings.

        Returns
        -------
        list[dict[str, str | None]]
            The ``"header"``, ``"content"`` and ``"tag_name"`` of each section that is not empty.

        Raises
        ------
        ImportError
            If Beautiful Soup is not installed.
        """
        try:
            from bs4 import BeautifulSoup
            from bs4.element import NavigableString, Tag
        except ImportError as error:
            raise ImportError(
                "Unable to import BeautifulSoup/PageElement, please install with `pip install bs4`."
            ) from error
        starts = {"body", *self.headers_to_split_on}
        parts: list[tuple[dict[str, str | None], list[str]]] = []
        for element in BeautifulSoup(html_doc, "html.parser").descendants:
            if isinstance(element, Tag) and element.name in starts:
                first = not parts
                header = "#TITLE#" if first else element.text.strip()
                name = "h1" if first else element.name
                parts.append(({"header": header, "content": None, "tag_name": name}, []))
            elif isinstance(element, NavigableString) and parts:
                parts[-1][1].append(element)
        sections = [{**head, "content": " ".join(texts).strip()} for head, texts in parts]
        return [section for section in sections if section["content"]]

    def convert_possible_tags_to_header(self, html_content: str) -> str:
        """Make headings of elements whose style has a type of more than 20 pixels.

        Raises
        ------
        ImportError
            If lxml is not installed.
        """
        try:
            from lxml import etree
        except ImportError as error:
            raise ImportError(
                "Unable to import lxml, please install with `pip install lxml`."
            ) from error
        page = etree.parse(StringIO(html_content), etree.HTMLParser(no_network=True))
        transform = etree.XSLT(
            etree.XML(_LARGE_TYPE_TO_HEADINGS), access_control=etree.XSLTAccessControl.DENY_ALL
        )
        return str(transform(page))

    def split_text_from_file(self, file: StringIO) -> list[Document]:
        """Split a page that is open as a `StringIO`.

        Raises
        ------
        ImportError, KeyError
            As `split_text` does.
        """
        html = self.convert_possible_tags_to_header(file.getvalue())
        return [
            Document(
                page_content=section["content"] or "",
                metadata={self.headers_to_split_on[str(section["tag_name"])]: section["header"]},
            )
            for section in self.split_html_by_headers(html)
        ]
