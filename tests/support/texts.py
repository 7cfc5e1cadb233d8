"""Generated texts: ordinary ones, and those at which splitters and tokenizers break."""

from functools import cache

from hypothesis import strategies as st

import chunkwright as cw

# Texts of these say something of each other, and nothing else.
WORDS = [
    *("rain", "sun", "mill", "river", "old", "new", "falls", "stands"),
    *("lake", "tower", "bread", "wheel", "stone", "wind", "field"),
]
# Each alphabet sits on a boundary rule of a tokenizer's pattern, of a grapheme or of whitespace.
ALPHABETS = [
    "abc XYZ\n",
    "aA1 '.\t\r\n",
    "0123456789 ,٣",
    " \u00a0\u3000\u2028\n\r\x0b\x0c\x85\x1c",
    "don't's'S'llVe ſ",
    "漢字かな한국 .",
    "éÄß\u0301 ABǅʰ",
    "/!?()[]\n\r ",
    "👩\u200d🇩🇪🚀 a\u0301",
]
SHORT = st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(letters, max_size=60))
MIXED = st.text("".join(ALPHABETS), max_size=120)
RUN = st.builds(
    str.__mul__, st.sampled_from([*"aA漢!\n \u0301🚀1", "ab", "\r\n", "!/"]), st.integers(1, 400)
)
PROSE = st.lists(
    st.sampled_from(["word", "a", "sentence.", "Über", "\n", "\n\n", "漢字", "e\u0301", " ", "  "]),
    max_size=60,
).map(" ".join)


@cache
def growing_tokens(encoding: str = "cl100k_base") -> list[str]:
    """List the tokens of a vocabulary that become several without the whitespace at their end."""
    tokenizer = cw.Tokenizer(encoding)
    n_tokens = {"cl100k_base": 100_256, "o200k_base": 199_998}[encoding]
    tokens = [tokenizer.decode([i]) for i in range(n_tokens)]
    tokens = [token for token in tokens if token != token.rstrip() != ""]
    sizes = [tokenizer.count_batch(tokens), tokenizer.count_batch([t.rstrip() for t in tokens])]
    grow = [size == 1 < trimmed for size, trimmed in zip(*sizes, strict=True)]
    return [token for token, grows in zip(tokens, grow, strict=True) if grows]


GROWING = st.deferred(lambda: st.sampled_from([*growing_tokens(), *growing_tokens("o200k_base")]))
# Characters as two surrogates, and surrogates that make none.
PAIRS = st.sampled_from(["\ud83d\ude80", "\ud83d\ude80", "\ud888\udfaf", "\ud83d", "\ude80"])
CODE = st.lists(
    st.one_of(GROWING, st.sampled_from(["a=b;", "x", "=", "\n", "  ", "é", "e\u0301"])), max_size=40
).map("".join)
TEXTS = st.one_of(
    PROSE, SHORT, MIXED, CODE, st.lists(st.one_of(SHORT, RUN), max_size=4).map("".join), st.text()
)
WITH_SURROGATES = st.one_of(
    TEXTS,
    st.lists(st.one_of(PAIRS, st.sampled_from(["a", " ", "[];\n", "\u0301"])), max_size=40).map(
        "".join
    ),
    st.text(st.characters(exclude_categories=[]), max_size=60),
)
