"""Settings of the documentation's site, for `sphinx-build -W --keep-going docs OUT`."""  # noqa: INP001

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "chunkwright"
project_copyright = "the authors of chunkwright"
release = version = version_of("chunkwright")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "guides",
    "outside",
    "properties",
    "reference",
    "short_names",
]
exclude_patterns = ["_build"]
root_doc = "index"
language = "en"

# Headings have the anchors that GitHub gives them.
myst_heading_anchors = 6

napoleon_google_docstring = False
napoleon_use_rtype = False
# As a list: what a class says of its fields and what Sphinx finds of them would stand there twice.
napoleon_custom_sections = [("Attributes", "params_style")]
# Types stand beside what is said of each parameter.
napoleon_attr_annotations = False
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"

# What docstrings refer to has to be there; types, most of them of other libraries, need not.
nitpicky = True
nitpick_ignore = [("py:func", "json.dumps"), ("py:exc", "DuplicateDocumentError")]
nitpick_ignore_regex = [("py:class", ".*"), ("py:obj", r".*\.(Chunk)?T(_co)?")]

html_theme = "furo"
html_title = f"chunkwright {release}"
html_copy_source = False
html_search_scorer = str(Path(__file__).parent / "_extensions" / "search_scorer.js")
html_theme_options = {"navigation_with_keys": True}
