"""A report by the templates: as one HTML page that loads nothing, and as GitHub-flavoured Markdown."""

import base64
import hashlib
import html
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from simkit.page.document.parts import Figure, Report
from simkit.page.document.tables import raw

GLUE = re.compile(r"(?<=\d) (?=%)|(?<=\bn =) (?=\d)|(?<=\bn) (?==)")  # no break between number and unit
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def render(report: Report, printed: bool = False) -> str:
    """Return the page as HTML that is complete without its script; `printed`: the chapters are open.

    The script sorts tables and shows the values of points.
    """
    report.figures()  # refuses duplicate names before anything is drawn
    style, *scripts = (_join(f"page.{kind}", f"figures.{kind}") for kind in ("css", "js"))
    insert = {} if printed else report.insert
    scripts += [Markup(insert["script"])] if insert else []
    scripted = f"script-src {' '.join(map(_digest, scripts))}{insert.get('policy', '')}"
    policy = f"default-src 'none'; {scripted}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    names = [f"s-{slug(chapter.title)}" for chapter in report.chapters]
    places = [f"{name}-{place}" if name in names[:place] else name for place, name in enumerate(names)]
    context = {"style": style, "scripts": scripts, "policy": policy, "places": places, "printed": printed}
    return template("page.html").render(report=report, insert=insert, **context)


def render_markdown(report: Report, pictures: Mapping[str, str]) -> str:
    """Return the report as Markdown; figures link to their files in `pictures`, or are described."""
    return template("page.md").render(report=report, pictures=pictures).rstrip() + "\n"


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _join(*names: str) -> Markup:
    return Markup("\n".join((TEMPLATES / name).read_text("utf-8") for name in names))


@cache
def template(name: str) -> Template:
    """Return a template; its blocks leave no empty lines behind."""
    html = name.endswith(("html", "xml"))
    env = Environment(autoescape=html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.loader = FileSystemLoader(TEMPLATES)
    env.filters |= {"drawn": _draw_both, "raw": raw, "slug": slug, "md": escape_markdown, "quoted": quote}
    env.filters |= {"fence": _fence, "glued": lambda text: GLUE.sub("\u00a0", text)}
    return env.get_template(name)


def slug(text: str) -> str:
    """Return a text as part of a URL or a file name.

    >>> slug("First-player advantage (FPA)")
    'first-player-advantage-fpa'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "part"


def _draw_both(figure: Figure) -> Markup:
    """Return both drawings of a figure; the page shows the one that suits the width of its window."""
    words, draw = html.escape(figure.alt), figure.drawing.svg
    shown = [
        svg.replace("<svg ", f'<svg class="{where}" role="img" aria-label="{words}" ', 1)
        for where, svg in (("on-desk", draw()), ("on-phone", draw(narrow=True)))
    ]
    return Markup(f'<div class="picture">{"".join(shown)}</div>')


def escape_markdown(text: str) -> str:
    r"""Escape a text for Markdown and join it on one line.

    >>> print(escape_markdown("a|b <c> `d` e_f [g](h)"))
    a\|b &lt;c&gt; \`d\` e_f \[g\](h)
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    begins_a_list_or_rules_a_line = r"^(\d*)([.)](?=\s|$)|[-+=](?=\s|[-=]*$))"
    return re.sub(begins_a_list_or_rules_a_line, r"\1\\\2", text)


def _fence(text: str) -> str:
    """Return a fence of a code block that is longer than any row of backticks within."""
    rows: list[str] = re.findall("`+", text)
    return max(["``", *rows], key=len) + "`"
