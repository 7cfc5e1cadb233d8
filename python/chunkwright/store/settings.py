"""Settings of a store's methods: what each takes, its default and its help, for commands as well.

A method checks a value by its row, and a command of the command line has a flag for each row.
"""

from __future__ import annotations

from typing import get_args

from chunkwright.retrieval.expansion import Scope
from chunkwright.settings import Setting

# No score of a search is lower.
_LEAST_SCORE = -(10**6)

SHADOWS = Setting(
    name="shadows",
    about="Tokens of the ends of neighbouring blocks that are searched beside a block, or 0.",
    kind=int,
    default=60,
    least=1,
)
METADATA = Setting(
    name="metadata",
    about="Value of all these documents, to search by.",
    kind=tuple,
    metavar="NAME=VALUE",
)
RESYNC = Setting(
    name="resync",
    about="Cut a changed document only where it has changed, or afresh.",
    kind=bool,
    default=True,
)
REMOVE_MISSING = Setting(
    name="remove_missing",
    about="Remove documents of these folders whose file is gone, and rows that these tables have"
    " no more; a file that was renamed stays the same document.",
    kind=bool,
    default=False,
)
DRY_RUN = Setting(
    name="dry_run",
    about="Say what would change, as diff does; write nothing.",
    kind=bool,
    default=False,
)
ADD = (METADATA, RESYNC, REMOVE_MISSING, DRY_RUN)
"""Settings of an import, beside those that say how is cut and read."""

K = Setting(
    name="k",
    about="How many hits, at most.",
    kind=int,
    default_text="5",
    least=1,
    metavar="N",
    short="-k",
)
MAX_TOKENS = Setting(
    name="max_tokens",
    about="Tokens of all hits; with --expand, what they leave is filled.",
    kind=int,
    least=1,
    metavar="N",
)
EXPAND = Setting(
    name="expand", about=f"Show more of each: {', '.join(get_args(Scope))}.", kind=str, metavar="TO"
)
FLOOR = Setting(
    name="floor",
    about="Scores below are no hits.",
    kind=float,
    default_text="the store's",
    least=_LEAST_SCORE,
    metavar="SCORE",
)
GATE = Setting(
    name="gate",
    about="Of hits below, shadows are searched as well.",
    kind=float,
    default_text="the store's",
    least=_LEAST_SCORE,
    metavar="SCORE",
)
FILTER = (
    Setting(
        name="metadata",
        about="Only documents with this metadata; one name's values are alternatives.",
        kind=tuple,
        called="--where",
        metavar="NAME=VALUE",
    ),
    Setting(
        name="documents",
        about="Only this document; with * at its end all that begin so.",
        kind=tuple,
        called="--document",
        metavar="ADDRESS",
    ),
    Setting(
        name="types",
        about="Only blocks of this type, such as table or list.",
        kind=tuple,
        called="--type",
        metavar="TYPE",
    ),
    Setting(
        name="pages",
        about="Only blocks on this page.",
        kind=tuple,
        item=int,
        called="--page",
        metavar="N",
    ),
)
"""What a filter asks for: options of :class:`~chunkwright.store.Filter`."""
SEARCH = (K, MAX_TOKENS, *FILTER, EXPAND, FLOOR, GATE)
"""Settings of a search."""

N_LOOKED_AT = Setting(
    name="k",
    about="Hits that are looked at for a question.",
    kind=int,
    default=10,
    least=1,
    metavar="N",
    short="-k",
)
KEEP = Setting(
    name="keep",
    about="Versions that stay beside the current one.",
    kind=int,
    default=0,
    metavar="N",
)
KEEP_CITATIONS = Setting(
    name="keep_citations",
    about="Keep the ids of their citations, without what they cite.",
    kind=bool,
    default=False,
)
OVERWRITE = Setting(
    name="overwrite",
    about="Replace a file that is there.",
    kind=bool,
    default=False,
    called="--force",
)
