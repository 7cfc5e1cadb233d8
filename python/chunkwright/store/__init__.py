"""Store of documents, blocks, vectors and citations, in one file of SQLite or in PostgreSQL."""

from chunkwright.store.citing.originals import Original
from chunkwright.store.citing.places import Place
from chunkwright.store.citing.resolution import Resolution
from chunkwright.store.citing.verifying import Verification
from chunkwright.store.edits import Edit
from chunkwright.store.erasing import Erased
from chunkwright.store.importing.report import DocumentReport, Report
from chunkwright.store.model import Citation
from chunkwright.store.pruning import Pruned
from chunkwright.store.searching.calibration import Calibration
from chunkwright.store.searching.conditions import Compare
from chunkwright.store.searching.filters import Filter
from chunkwright.store.searching.found import Found, Results, Why
from chunkwright.store.store import Store
from chunkwright.store.versions import StoredBlock, StoredDocument, StoredModel, StoredVersion

__all__ = [
    "Calibration",
    "Citation",
    "Compare",
    "DocumentReport",
    "Edit",
    "Erased",
    "Filter",
    "Found",
    "Original",
    "Place",
    "Pruned",
    "Report",
    "Resolution",
    "Results",
    "Store",
    "StoredBlock",
    "StoredDocument",
    "StoredModel",
    "StoredVersion",
    "Verification",
    "Why",
]
