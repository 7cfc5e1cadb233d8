"""Table of the strategies: the class of each by its name, for the registry and the front door.

The name of a strategy is that of its module in :mod:`chunkwright.chunking`.
"""

CLASSES = {
    "recursive": "Recursive",
    "sentence": "Sentence",
    "balanced": "Balanced",
    "window": "Window",
    "line_based": "LineBased",
    "kamradt": "Kamradt",
    "kamradt_modified": "KamradtModified",
    "cluster": "Cluster",
    "discontinuity": "Discontinuity",
    "llm": "LLM",
    "hierarchical": "Hierarchical",
    "hybrid": "Hybrid",
    "auto": "Auto",
    "json": "Json",
    "basic": "Basic",
    "by_title": "ByTitle",
    "by_page": "ByPage",
    "by_similarity": "BySimilarity",
    "structural": "Structural",
}
