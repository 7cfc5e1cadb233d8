"""Table of the strategies: the module and the class of each by its name.

It is for the registry and the front door; the modules are in ``chunking/strategies``.
Made by scripts/generate_option_types.py.
"""

_MODULES = {
    "text": {
        "recursive": "Recursive",
        "sentence": "Sentence",
        "balanced": "Balanced",
        "window": "Window",
        "line_based": "LineBased",
    },
    "code": {
        "code": "Code",
    },
    "semantic": {
        "kamradt": "Kamradt",
        "kamradt_modified": "KamradtModified",
        "cluster": "Cluster",
        "discontinuity": "Discontinuity",
    },
    "llm": {
        "llm": "LLM",
    },
    "sections": {
        "hierarchical": "Hierarchical",
        "hybrid": "Hybrid",
    },
    "auto": {
        "auto": "Auto",
    },
    "json": {
        "json": "Json",
    },
    "elements": {
        "basic": "Basic",
        "by_title": "ByTitle",
        "by_page": "ByPage",
        "by_similarity": "BySimilarity",
        "structural": "Structural",
    },
}
CLASSES = {name: kind for kinds in _MODULES.values() for name, kind in kinds.items()}
MODULES = {name: f"strategies.{module}" for module, kinds in _MODULES.items() for name in kinds}
