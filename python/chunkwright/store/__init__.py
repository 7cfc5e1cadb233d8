"""Store of documents, blocks, vectors and citations, in one file of SQLite or in PostgreSQL."""

from chunkwright.store.citing.citations import Citation
from chunkwright.store.citing.places import Place
from chunkwright.store.citing.resolving import Resolution
from chunkwright.store.edits import Edit
from chunkwright.store.importing.report import DocumentReport, Report
from chunkwright.store.pruning import Pruned
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.found import Found, Results, Why
from chunkwright.store.store import Store
from chunkwright.store.versions import StoredBlock, StoredDocument, StoredVersion

__all__ = [
    "Citation",
    "DocumentReport",
    "Edit",
    "Filter",
    "Found",
    "Place",
    "Pruned",
    "Report",
    "Resolution",
    "Results",
    "Store",
    "StoredBlock",
    "StoredDocument",
    "StoredVersion",
    "Why",
]
