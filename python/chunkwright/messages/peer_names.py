"""Names that other libraries have for what chunks say, with those that they have here."""

from __future__ import annotations

from collections.abc import Mapping

OF_CHUNK: Mapping[str, str] = {
    # chonkie, LangChain, LlamaIndex
    "start_index": "start",
    "end_index": "end",
    "start_char_idx": "start",
    "end_char_idx": "end",
    "token_count": "n_tokens",
    "num_tokens": "n_tokens",
    "char_count": "n_chars",
    "page_content": "text",
    "content": "text",
    "body": "text",
    "node_id": "id",
    "chunk_id": "id",
    "id_": "id",
    "doc_id": "document_id",
    "source": "document_id",
    # Unstructured, Docling
    "page": "pages",
    "page_no": "pages",
    "page_number": "pages",
    "page_start": "pages",
    "page_end": "pages",
    "bbox": "boxes",
    "box": "boxes",
    "heading": "headings",
    "meta": "metadata",
    "type": "kind",
    "category": "kind",
    "text_as_html": "html",
}
"""Of a chunk: what it is called elsewhere, with the attribute that it is here."""

OF_CHUNKS: Mapping[str, str] = {
    "to_dict": "to_dicts()",
    "to_list": "to_dicts()",
    "to_json": "to_dicts()",
    "dict": "to_dicts()",
    "to_df": "to_polars() or to_pandas()",
    "to_dataframe": "to_polars() or to_pandas()",
    "to_table": "to_arrow()",
    "text": "texts()",
    "start": "starts",
    "end": "ends",
    "id": "ids",
    "token_counts": "n_tokens",
    "token_count": "n_tokens",
    "start_indices": "starts",
    "end_indices": "ends",
    "chunks": "the object itself, which is a sequence",
}
"""Of chunks together: what it is called elsewhere, with what it is here."""


def missing(owner: object, name: str, names: Mapping[str, str]) -> AttributeError:
    """Return the error of an attribute that is not there, which says what it is called here.

    Examples
    --------
    >>> print(missing(None, "token_count", OF_CHUNK))
    'NoneType' object has no attribute 'token_count': here it is n_tokens
    """
    message = f"{type(owner).__name__!r} object has no attribute {name!r}"
    ours = names.get(name)
    if ours is None:
        # Of name and owner Python makes a hint at a name that is nearly the same.
        return AttributeError(message, name=name, obj=owner)
    return AttributeError(f"{message}: here it is {ours}")
