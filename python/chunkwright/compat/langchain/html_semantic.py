"""LangChain's splitter of HTML that keeps chosen elements whole, and makes links Markdown's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from .html_elements import without_open_end
from .peer_documents import BaseDocumentTransformer, Document
from .splitters import RecursiveCharacterTextSplitter

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_SPACE = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s]")
_PLACEHOLDER = "PRESERVED_"


class HTMLSemanticPreservingSplitter(BaseDocumentTransformer):
    """Splits HTML at headings, and long sections as `RecursiveCharacterTextSplitter` does.

    Parameters
    ----------
    headers_to_split_on
        Pairs of a tag, such as ``"h2"``, and the metadata key of its headings.
    max_chunk_size
        Code points of a chunk, before the elements that are kept whole are put in.
    chunk_overlap
        Code points that may be repeated from the chunk before.
    separators
        Where long sections are split; those of `RecursiveCharacterTextSplitter` by default.
    elements_to_preserve
        Tags whose text is never cut.
    preserve_links, preserve_images, preserve_videos, preserve_audio
        What becomes a link of Markdown.
    custom_handlers
        Functions, by tag, from an element of Beautiful Soup to its text.
    stopword_removal
        Whether NLTK's stop words are taken out; they are downloaded.
    stopword_lang
        The language of the stop words.
    normalize_text
        Whether letters become small, and punctuation is taken out.
    external_metadata
        Metadata of all documents.
    allowlist_tags, denylist_tags
        Which elements alone are read, and which are not. Headings always are.
    preserve_parent_metadata
        Whether `transform_documents` hands on the metadata of its documents.
    keep_separator
        As for `RecursiveCharacterTextSplitter`.

    Raises
    ------
    ImportError
        If Beautiful Soup is not installed, or NLTK, where stop words are to be removed.
    ValueError
        As `TextSplitter` does.
    """

    def __init__(  # noqa: PLR0913 - LangChain's signature
        self,
        headers_to_split_on: list[tuple[str, str]],
        *,
        max_chunk_size: int = 1000,
        chunk_overlap: int = 0,
        separators: list[str] | None = None,
        elements_to_preserve: list[str] | None = None,
        preserve_links: bool = False,
        preserve_images: bool = False,
        preserve_videos: bool = False,
        preserve_audio: bool = False,
        custom_handlers: dict[str, Callable[[Tag], str]] | None = None,
        stopword_removal: bool = False,
        stopword_lang: str = "english",
        normalize_text: bool = False,
        external_metadata: dict[str, str] | None = None,
        allowlist_tags: list[str] | None = None,
        denylist_tags: list[str] | None = None,
        preserve_parent_metadata: bool = False,
        keep_separator: bool | Literal["start", "end"] = True,
    ) -> None:
        _beautiful_soup()
        self._headers = dict(sorted(headers_to_split_on))
        self._max_chunk_size = max_chunk_size
        self._elements_to_preserve = elements_to_preserve or []
        self._preserve_links = preserve_links
        media = {"img": preserve_images, "video": preserve_videos, "audio": preserve_audio}
        self._media = [tag for tag, is_preserved in media.items() if is_preserved]
        self._custom_handlers = custom_handlers or {}
        self._normalize_text = normalize_text
        self._external_metadata = external_metadata or {}
        self._allowed = {*allowlist_tags, *self._headers} if allowlist_tags else None
        self._denied = [tag for tag in denylist_tags or [] if tag not in self._headers]
        self._preserve_parent_metadata = preserve_parent_metadata
        sizes: dict[str, Any] = {"chunk_size": max_chunk_size, "chunk_overlap": chunk_overlap}
        self._recursive_splitter = RecursiveCharacterTextSplitter(
            separators=separators, keep_separator=keep_separator, **sizes
        )
        self._stopwords = _stopwords(stopword_lang) if stopword_removal else None

    def split_text(self, text: str) -> list[Document]:
        """Split a page into documents; text outside of all elements is left out."""
        soup = _beautiful_soup().BeautifulSoup(without_open_end(text), "html.parser")
        for tag in self._media:
            _replace_media(soup, tag)
        if self._preserve_links:
            _replace_links(soup)
        self._filter(soup)
        return self._documents(soup)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Split documents, as LangChain's pipelines call it."""
        del kwargs
        split: list[Document] = []
        for document in documents:
            above = document.metadata if self._preserve_parent_metadata else {}
            split += [
                Document(page_content=part.page_content, metadata={**above, **part.metadata})
                for part in self.split_text(document.page_content)
            ]
        return split

    def _filter(self, soup: BeautifulSoup) -> None:
        """Take out elements that are not wanted, with all that is in them."""
        if self._allowed is not None:
            for tag in soup.find_all(name=True):
                if not tag.decomposed and tag.name not in self._allowed:
                    tag.decompose()
        if self._denied:
            for tag in soup.find_all(self._denied):
                if not tag.decomposed:
                    tag.decompose()

    def _documents(self, soup: BeautifulSoup) -> list[Document]:
        documents: list[Document] = []
        section = _Section({})
        n_preserved = 0
        for element, is_left in self._walk(soup):
            if is_left:
                # What an element says between its children comes after them.
                text = " ".join(element.find_all(string=True, recursive=False))
                if text:
                    section.texts.append(self._cleaned(text))
            elif element.name in self._headers:
                documents += self._cut(section)
                heading = element.get_text(strip=True)
                section = _Section({self._headers[element.name]: heading})
            elif element.name in self._elements_to_preserve:
                section.preserve(f"{_PLACEHOLDER}{n_preserved}", self._text_of(element))
                n_preserved += 1
            elif text := self._text_of(element):
                section.texts.append(text)
        return documents + self._cut(section)

    def _walk(self, soup: BeautifulSoup) -> Iterator[tuple[Any, bool]]:
        """Give elements whose text is wanted, and those with elements in them when they end."""
        whole = {*self._headers, *self._elements_to_preserve}
        open_elements = [(soup, iter(_children(soup)))]
        while open_elements:
            element, rest = open_elements[-1]
            child = next(rest, None)
            if child is None:
                open_elements.pop()
                if open_elements:
                    yield element, True
                continue
            children = [] if child.name in whole else _children(child)
            if children:
                open_elements.append((child, iter(children)))
            else:
                yield child, False

    def _text_of(self, element: Any) -> str:
        """Return the texts in an element, with a blank between them; handlers say theirs."""
        handlers = self._custom_handlers
        if element.name in handlers:
            return handlers[element.name](element)
        tag = _beautiful_soup().Tag
        open_elements: list[tuple[Iterator[Any], list[str]]] = [(element.children, [])]
        while True:
            rest, texts = open_elements[-1]
            child = next(rest, None)
            if isinstance(child, tag) and child.name not in handlers:
                open_elements.append((child.children, []))
                continue
            if child is None:
                open_elements.pop()
                text = self._cleaned(" ".join(texts))
                if not open_elements:
                    return text
                texts = open_elements[-1][1]
            elif isinstance(child, tag):
                text = handlers[child.name](child)
            else:
                text = self._cleaned(str(child))
            if text := text.strip():
                texts.append(text)

    def _cleaned(self, text: str) -> str:
        if self._normalize_text:
            text = _SPACE.sub(" ", _PUNCTUATION.sub("", text.lower())).strip()
        if self._stopwords is not None:
            text = " ".join(word for word in text.split() if word not in self._stopwords)
        return text

    def _cut(self, section: _Section) -> list[Document]:
        if not section.texts:
            return []
        content = _SPACE.sub(" ", " ".join(section.texts)).strip()
        metadata = {**section.heading, **self._external_metadata}
        if len(content) <= self._max_chunk_size:
            return [Document(page_content=section.filled(content), metadata=metadata)]
        texts = map(section.filled, self._recursive_splitter.split_text(content))
        stripped = filter(None, map(str.strip, texts))
        return [Document(page_content=text, metadata=metadata.copy()) for text in stripped]


class _Section:
    """A heading, the texts below it, and the elements that placeholders in them stand for."""

    def __init__(self, heading: dict[str, str]) -> None:
        self.heading = heading
        self.texts: list[str] = []
        self._preserved: dict[str, str] = {}
        self._is_nested = False

    def preserve(self, placeholder: str, text: str) -> None:
        """Keep the text of an element whole."""
        self.texts.append(placeholder)
        self._preserved[placeholder] = text.strip()
        self._is_nested |= _PLACEHOLDER in text

    def filled(self, text: str) -> str:
        """Put the elements in the places of their placeholders."""
        words = text.split(" ")
        marked = (word for word in words if _PLACEHOLDER in word)
        if not self._is_nested and all(word in self._preserved for word in marked):
            return " ".join(self._preserved.get(word, word) for word in words)
        # A page that has such words itself, or a placeholder that was cut: as LangChain does it.
        for placeholder, preserved in reversed(self._preserved.items()):
            text = text.replace(placeholder, preserved)
        return text


def _children(element: Any) -> list[Any]:
    found: list[Any] = element.find_all(recursive=False)
    return found


def _replace_media(soup: BeautifulSoup, tag: str) -> None:
    kind = "image" if tag == "img" else tag
    for element in soup.find_all(tag):
        source = element.get("src", "")
        wrapper = soup.new_tag("media-wrapper")
        wrapper.string = f"![{kind}:{source}]({source})"
        element.replace_with(wrapper)


def _replace_links(soup: BeautifulSoup) -> None:
    for link in soup.find_all("a"):
        text = f"[{link.get_text(strip=True)}]({link.get('href', '')})"
        link.replace_with(soup.new_string(text))


def _beautiful_soup() -> ModuleType:
    try:
        return import_module("bs4")
    except ImportError as error:
        raise ImportError(
            "Could not import BeautifulSoup. Please install it with 'pip install bs4'."
        ) from error


def _stopwords(language: str) -> frozenset[str]:
    try:
        nltk = import_module("nltk")
    except ImportError as error:
        raise ImportError(
            "Could not import nltk. Please install it with 'pip install nltk'."
        ) from error
    nltk.download("stopwords")
    return frozenset(nltk.corpus.stopwords.words(language))
