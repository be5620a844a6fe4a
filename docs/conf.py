"""Sphinx: the site of manuals, rules and the Python API, which `make docs` builds; it loads nothing."""

import inspect
from pathlib import Path

from click.testing import CliRunner

import simkit
from simkit.cli import cli
from simkit.engine import registry
from simkit.tables.findings import all_findings

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
exclude_patterns = ["docs/conf.py", "docs/made/findings.md", "docs/made/games.md"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
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
    "docs/glossary",
    "README",
    "CONTRIBUTING",
    "CHANGELOG",
    "*/README",
    "simkit/games/README",
    "simkit/stats/README",
]
html_sidebars = {name: [] for name in alone}

REPORTS = Path(__file__).parents[1] / "reports"


def write_pages(app: object) -> None:
    """Write what comes from the code: the rules of each game, and the list of findings."""
    folder = Path(__file__).parent / "made"
    folder.mkdir(exist_ok=True)
    lines = ["| game | what it is | its rules |", "| --- | --- | --- |"]
    for name, game in registry.games().items():
        has_report = (REPORTS / f"{name}.md").is_file()
        about = f"[{game.summary}](../reports/{name}.md)" if has_report else game.summary
        lines.append(f"| {game.title} | {about} | [rules](made/{name}.md) |")
        title, _, text = CliRunner().invoke(cli, ["rules", name]).stdout.partition("\n")
        head = f"# Rules of {title.partition(' (')[0]}\n\n`simkit rules {name}` prints this."
        (folder / f"{name}.md").write_text(f"{head}\n\n```text\n{text}```\n")
    (folder / "games.md").write_text("\n".join(lines))
    entries = (f"`{name}`\n: {_first_lines(own)}\n" for name, own in sorted(all_findings().items()))
    (folder / "findings.md").write_text("\n".join(entries))


def _first_lines(function: object) -> str:
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def setup(app: object) -> None:
    """Connect the page writer to Sphinx."""
    app.connect("builder-inited", write_pages)  # type: ignore[attr-defined]
