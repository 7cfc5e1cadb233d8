"""Settings of a store's methods: what each takes, its default and its help, for commands as well.

A method checks a value by its row, and a command of the command line has a flag for each row.
"""

from __future__ import annotations

from typing import Final, get_args

from chunkwright.retrieval.expansion import Scope
from chunkwright.settings import Setting

VARIABLE: Final = "CHUNKWRIGHT_STORE"
"""Variable of the environment that names a store."""
NO_EMBEDDER: Final = "none"
"""Name of the embedder of a store that is searched by words alone, as it notes it."""
# No score of a search is lower.
_LEAST_SCORE = -(10**6)

SHADOWS = Setting(
    "shadows",
    "Tokens of neighbouring blocks' ends that are searched along with each block; 0 for none.",
    int,
    default=60,
    least=1,
)
METADATA = Setting(
    "metadata",
    "Metadata of all these documents, which a search can filter by.",
    tuple,
    metavar="NAME=VALUE",
)
RESYNC = Setting(
    "resync",
    "Cut a changed document again only where it has changed, or as a whole.",
    bool,
    default=True,
)
REMOVE_MISSING = Setting(
    "remove_missing",
    "Remove documents whose file is gone from these folders, and rows that are gone from "
    "these tables; a renamed file stays the same document.",
    bool,
    default=False,
)
DRY_RUN = Setting(
    "dry_run", "Show what would change, as diff does; write nothing.", bool, default=False
)
ADD = (METADATA, RESYNC, REMOVE_MISSING, DRY_RUN)
"""Settings of an import, beside those that say how is cut and read."""

K = Setting("k", "Most hits.", int, default_text="5", least=1, short="-k")
MAX_TOKENS = Setting(
    "max_tokens",
    "Most tokens of all hits together; --expand fills what the hits leave of them.",
    int,
    least=1,
)
EXPAND = Setting("expand", f"Show more of each: {', '.join(get_args(Scope))}.", str, metavar="TO")
FLOOR = Setting(
    "floor",
    "Lowest score of a hit.",
    float,
    default_text="the store's",
    least=_LEAST_SCORE,
    metavar="SCORE",
)
GATE = Setting(
    "gate",
    "Score below which the shadows of a hit are searched as well.",
    float,
    default_text="the store's",
    least=_LEAST_SCORE,
    metavar="SCORE",
)
FILTER = (
    Setting(
        "metadata",
        "Only documents with this metadata; several values of one name are alternatives.",
        tuple,
        called="--where",
        metavar="NAME=VALUE",
    ),
    Setting(
        "documents",
        "Only the document with this address; with * at the end, all that start with it.",
        tuple,
        called="--document",
        metavar="ADDRESS",
    ),
    Setting(
        "types",
        "Only blocks of this type, such as table or list.",
        tuple,
        called="--type",
        metavar="TYPE",
    ),
    Setting("pages", "Only blocks on this page.", tuple, item=int, called="--page"),
    Setting(
        "speaker",
        "Only blocks in which this speaker says something.",
        tuple,
        called="--speaker",
        metavar="NAME",
    ),
    Setting(
        "min_confidence",
        "Only blocks that were read with this confidence or more.",
        float,
        default_text="any",
        least=0,
        most=1,
        metavar="SHARE",
    ),
)
"""What a filter asks for: options of :class:`~chunkwright.store.Filter`."""
FIELD_WEIGHTS = Setting(
    "field_weights",
    "Weight of a source file's path or words, relative to a block's own text.",
    tuple,
    called="--field-weight",
    metavar="NAME=WEIGHT",
)
SEARCH = (K, MAX_TOKENS, *FILTER, EXPAND, FLOOR, GATE, FIELD_WEIGHTS)
"""Settings of a search."""

N_LOOKED_AT = Setting(
    "k", "Number of hits that count for each question.", int, default=10, least=1, short="-k"
)
KEEP = Setting("keep", "Old versions to keep besides the current one.", int, default=0)
KEEP_CITATIONS = Setting(
    "keep_citations",
    "Keep the ids of their citations, without what they cite.",
    bool,
    default=False,
)
OVERWRITE = Setting("overwrite", "Replace an existing file.", bool, default=False, called="--force")
