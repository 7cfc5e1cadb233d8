"""Write the vocabulary of bert-base-uncased that ships with the package, from a tokenizer.json.

Run it again only if the file is lost; the vocabulary has not changed since 2018::

    hf download sentence-transformers/all-MiniLM-L6-v2 tokenizer.json --local-dir model
    python scripts/generate_bert_vocabulary.py model/tokenizer.json

The source is the ``tokenizer.json`` of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), whose
vocabulary is that of Google's bert-base-uncased (Apache-2.0). Both are known by their hashes; so
are the settings of the tokenizer, which ``chunkwright/tokens/shipped.py`` states.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from chunkwright.tokens.shipped import BERT_UNCASED, VOCABULARY, VOCABULARY_SHA256

SOURCE_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def require(holds: bool, what: str) -> None:
    """Exit unless what the file is built on holds."""
    if not holds:
        sys.exit(f"{what}: nothing is written")


def vocabulary_of(tokenizer: dict[str, Any]) -> bytes:
    """Return the tokens of a tokenizer as lines, in the order of their ids."""
    ids: dict[str, int] = tokenizer["model"]["vocab"]
    tokens = sorted(ids, key=ids.__getitem__)
    require([ids[token] for token in tokens] == list(range(len(tokens))), "ids have gaps")
    return "".join(f"{token}\n" for token in tokens).encode()


def main() -> None:
    """Write the vocabulary."""
    data = Path(sys.argv[1]).read_bytes()
    require(hashlib.sha256(data).hexdigest() == SOURCE_SHA256, "the source is another one")
    tokenizer = json.loads(data)
    lines = vocabulary_of(tokenizer)
    require(hashlib.sha256(lines).hexdigest() == VOCABULARY_SHA256, "the vocabulary is another one")
    for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder", "added_tokens"):
        require(tokenizer[part] == BERT_UNCASED[part], f"{part} is another one")
    packed = gzip.compress(lines, 9, mtime=0)
    VOCABULARY.parent.mkdir(exist_ok=True)
    VOCABULARY.write_bytes(packed)
    print(f"{VOCABULARY}: {len(packed):,} bytes")


if __name__ == "__main__":
    main()
