"""Sphinx: the manuals, rules and the Python API, which `make docs` builds; they load nothing else."""

import inspect
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner
from sphinx.application import Sphinx

import simkit
from simkit.cli import cli
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.tables.findings import all_findings

ROOT = Path(__file__).parents[1]
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

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
autodoc_typehints = "none"  # signatures have them; docstrings say what they mean
autodoc_member_order = "bysource"
default_role = "literal"

html_theme = "furo"  # of less than a third of a megabyte: the site is a folder to hand on
html_title = "simkit"
html_show_sphinx = False
html_copy_source = False
html_use_index = False  # no page links to an index of names: docs/api.md and the search have them
html_static_path = ["static"]
html_js_files = [("accessible.js", {"defer": "defer"})]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "live.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}

REFERENCE_GAMES = {path.stem for path in (ROOT / "simkit/games/reference").glob("*.py")}


def link_live_pages(app: Sphinx) -> None:
    """Let the sidebar link to the pages that play, if they are in the same folder."""
    app.config.html_context["live"] = (Path(app.outdir) / "index.html").is_file()


def write_pages(app: Sphinx) -> None:
    """Write what comes from the code: the rules of each game, and the list of findings."""
    folder = Path(__file__).parent / "made"
    folder.mkdir(exist_ok=True)
    for page in folder.glob("*.md"):
        page.unlink()
    games = registry.games()
    own = {name: game for name, game in games.items() if name not in REFERENCE_GAMES}
    reference = {name: game for name, game in games.items() if name in REFERENCE_GAMES}
    for name in own:
        (folder / f"{name}.md").write_text(_rules(name, 1))
    pages = ["# Rules of the reference games", *(_rules(name, 2) for name in reference)]
    (folder / "reference_games.md").write_text("\n\n".join(pages))
    (folder / "games.md").write_text(_table_of_games(own))
    entries = (f"`{name}`\n: {_first_lines(table)}\n" for name, table in sorted(all_findings().items()))
    (folder / "findings.md").write_text("\n".join(entries))


def _rules(name: str, level: int) -> str:
    title, _, text = CliRunner().invoke(cli, ["rules", name]).stdout.partition("\n")
    head = f"{'#' * level} Rules of {title.partition(' (')[0]}"
    return f"{head}\n\n`simkit rules {name}` prints this.\n\n```text\n{text}```\n"


def _table_of_games(games: Mapping[str, Game]) -> str:
    lines = ["| game | what it is | its rules |", "| --- | --- | --- |"]
    for name, game in games.items():
        has_report = (ROOT / "reports" / f"{name}.md").is_file()
        about = f"[{game.summary}](../reports/{name}.md)" if has_report else game.summary
        lines.append(f"| {game.title} | {about} | [rules](made/{name}.md) |")
    lines.append("| Reference games | small games with exact answers | [rules](made/reference_games.md) |")
    return "\n".join(lines)


def _first_lines(function: object) -> str:
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def remove_maps(app: Sphinx, exception: Exception | None) -> None:
    """Remove the theme's maps to its own sources, which only its authors need."""
    for path in Path(app.outdir, "_static").rglob("*.map"):
        path.unlink()


def setup(app: Sphinx) -> None:
    """Connect what goes before and after the build to Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("builder-inited", link_live_pages)
    app.connect("build-finished", remove_maps)
