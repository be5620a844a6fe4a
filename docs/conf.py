"""Sphinx: the site of manuals, rules and the Python API, which `make docs` builds; it loads nothing."""

import simkit

project = "simkit"
version = release = simkit.__version__
copyright = author = "the simkit authors"  # Sphinx reads these names

# The sources are the manuals where they lie, so that links between them hold here and in the repository.
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "*.md",
    "experiments/*.md",
    "reports/*.md",
    "strategies/*.md",
    "simkit/*/README.md",
]
exclude_patterns = ["docs/conf.py", "benchmarks.md"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
autodoc_typehints = "none"  # signatures have them; docstrings say what they mean
autodoc_member_order = "bysource"
default_role = "literal"

html_theme = "pydata_sphinx_theme"
html_title = f"simkit {version}"
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_copy_source = False
# Pages without pages below them have no navigation at their left.
alone = [
    "docs/api",
    "README",
    "CONTRIBUTING",
    "CHANGELOG",
    "*/README",
    "simkit/games/README",
    "simkit/stats/README",
]
html_sidebars = {name: [] for name in alone}
