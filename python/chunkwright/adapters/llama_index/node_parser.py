"""LlamaIndex's node parser over a strategy; needs the extra ``llama-index``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwright.adapters.splitting import Splitting, metadata_of
from chunkwright.checks import each_once
from chunkwright.errors import MissingExtraError

try:
    from llama_index.core.bridge.pydantic import Field, PrivateAttr
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, MetadataMode
except ImportError as _error:
    raise MissingExtraError("chunkwright.adapters.llama_index", "llama-index") from _error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from llama_index.core.schema import Document

    from chunkwright.chunk_view import Chunk
    from chunkwright.chunking.bases.strategy import Strategy


class ChunkwrightNodeParser(NodeParser):
    """A strategy as LlamaIndex's node parser.

    Nodes say where they are in the text that they are from, and have its metadata; beside these
    ``headings`` and ``page_number``, where they are known.

    Parameters
    ----------
    strategy, kind, **given
        See :meth:`chunkwright.adapters.splitting.Splitting.of`, which says what is refused. Options
        of LlamaIndex's parsers, such as ``include_metadata`` and ``id_func``, are given beside.
    """

    strategy: str
    kind: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    _splitting: Splitting = PrivateAttr()

    def __init__(
        self, strategy: str | Strategy = "recursive", kind: str | None = None, **given: Any
    ) -> None:
        # Of a function a dict has nothing but the name.
        if not callable(given.get("id_func")):
            given.pop("id_func", None)
        own = {name: given.pop(name) for name in NodeParser.model_fields if name in given}
        named = given.pop("options", {})
        options = each_once(given, named, place="options")
        splitting = Splitting.of(strategy, options, kind)
        spec = splitting.strategy.spec
        own |= {"strategy": spec.pop("strategy"), "kind": kind, "options": spec}
        super().__init__(**own)
        self._splitting = splitting

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "ChunkwrightNodeParser"

    def to_json(self, **options: Any) -> str:
        """Return the parser as JSON; an option that is an object is a ``ConfigError``."""
        self._splitting.data()
        return super().to_json(**options)

    def _parse_nodes(self, nodes: Sequence[BaseNode], **_: Any) -> list[BaseNode]:  # type: ignore[override]
        return self._nodes(nodes, self._splitting.cut(_texts(nodes)))

    async def _aparse_nodes(self, nodes: Sequence[BaseNode], **_: Any) -> list[BaseNode]:  # type: ignore[override]
        return self._nodes(nodes, await self._splitting.acut(_texts(nodes)))

    def _nodes(self, of: Sequence[BaseNode], chunked: list[list[Chunk]]) -> list[BaseNode]:
        all_nodes: list[BaseNode] = []
        for source, chunks in zip(of, chunked, strict=True):
            texts = [chunk.text for chunk in chunks]
            nodes = build_nodes_from_splits(texts, source, id_func=self.id_func)
            for node, chunk in zip(nodes, chunks, strict=True):
                node.start_char_idx, node.end_char_idx = chunk.source_start, chunk.source_end
                node.metadata = metadata_of(chunk)
            all_nodes += nodes
        return all_nodes

    def _postprocess_parsed_nodes(
        self, nodes: list[Any], parent_doc_map: dict[str, Document]
    ) -> list[Any]:
        # LlamaIndex searches the text for the nodes, and finds the wrong place of repeated ones.
        places = [(node.start_char_idx, node.end_char_idx) for node in nodes]
        found: list[Any] = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, place in zip(found, places, strict=True):
            node.start_char_idx, node.end_char_idx = place
        return found


def _texts(nodes: Sequence[BaseNode]) -> list[str]:
    return [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
