r"""semchunk's chunker: the same chunks from the same calls, many times faster.

Change ``from semchunk import ...`` to ``from chunkwright.compat.semchunk import ...``. Chunks,
offsets, overlaps and errors are those of semchunk 4.1.1. Tokenizers of tiktoken, tokenizers and
transformers are counted natively, and without the interpreter's lock; any other counter is called.
Neither semchunk nor tiktoken need be installed. What asks Isaacus' service is not here.

Examples
--------
>>> from chunkwright.compat.semchunk import chunkerify
>>> chunker = chunkerify("cl100k_base", 6)
>>> chunker("One sentence. And a second one. And a third.")
['One sentence.', 'And a second one.', 'And a third.']
>>> chunker(["One. Two.", "Three."], offsets=True)
([['One. Two.'], ['Three.']], [[(0, 9)], [(0, 6)]])
"""

from chunkwright._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__, {"chunker": ["Chunker", "chunkerify"], "chunking": ["chunk"]}
)
