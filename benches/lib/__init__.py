"""Parts of the benchmark programs: corpora, clocks, contenders, tables.

tiktoken finds its vocabularies in the shared data from here on.
"""

import os
from pathlib import Path

if "CHUNKWRIGHT_SHARED" in os.environ:
    _cache = Path(os.environ["CHUNKWRIGHT_SHARED"]) / "data" / "tiktoken-cache"
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(_cache))
