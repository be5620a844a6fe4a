"""A report as one HTML page that loads nothing; its script sorts tables and shows the values of points."""

import base64
import hashlib
import html
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from simkit.reporting.document.parts import Figure, Report
from simkit.reporting.document.tables import raw

GLUE = re.compile(r"(?<=\d) (?=%)|(?<=\bn =) (?=\d)|(?<=\bn) (?==)")  # no break between number and unit
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def render(report: Report, printed: bool = False) -> str:
    """Return the page as HTML that is complete without its script; `printed`: the chapters are open."""
    report.figures()  # refuses duplicate names before anything is drawn
    style, script = (_joined(f"page.{kind}", f"figures.{kind}") for kind in ("css", "js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'"  # drawings have styles of their own
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    names = [f"s-{slug(chapter.title)}" for chapter in report.chapters]
    places = [f"{name}-{place}" if name in names[:place] else name for place, name in enumerate(names)]
    context = {"style": style, "script": script, "policy": policy, "places": places, "printed": printed}
    return _template().render(report=report, **context)


def _joined(*names: str) -> Markup:
    return Markup("\n".join((TEMPLATES / name).read_text("utf-8") for name in names))


def environment(autoescape: bool) -> Environment:
    """Return the environment of the templates; blocks leave no empty lines behind."""
    env = Environment(autoescape=autoescape, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.loader = FileSystemLoader(TEMPLATES)
    return env


@cache
def _template() -> Template:
    env = environment(autoescape=True)
    env.filters |= {"drawn": _drawn, "raw": raw, "slug": slug}
    env.filters["glued"] = lambda text: GLUE.sub("\u00a0", text)
    return env.get_template("page.html")


def slug(text: str) -> str:
    """Return a text as part of a URL or a file name.

    >>> slug("First-player advantage (FPA)")
    'first-player-advantage-fpa'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "part"


def _drawn(figure: Figure) -> Markup:
    """Return both drawings of a figure; the page shows the one that suits the width of its window."""
    words, draw = html.escape(figure.alt), figure.drawing.svg
    shown = [
        svg.replace("<svg ", f'<svg class="{where}" role="img" aria-label="{words}" ', 1)
        for where, svg in (("on-desk", draw()), ("on-phone", draw(narrow=True)))
    ]
    return Markup(f'<div class="picture">{"".join(shown)}</div>')
