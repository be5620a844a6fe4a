"""A report as one HTML page that loads nothing, as GitHub-flavoured Markdown, JSON or PDF, and its files.

Files are written atomically; JSON has raw values, a PDF is printed by a browser.
"""

import base64
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from simkit.errors import UsageError
from simkit.page.document.parts import Figure, Report, Section
from simkit.page.document.tables import Table, raw
from simkit.runs.storage import outputs
from simkit.system import relative

FORMATS = ("html", "md", "json", "pdf")
KEYS = ["title", "question", "takeaways", "step", "picture", "by_strength", "tiles", "limits", "warnings"]
KEYS += ["chapters", "tiles_of", "command", "versions"]
KEYS_OF_SECTION = ("heading", "text", "figures", "tables", "stories")
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
BROWSERS += ["microsoft-edge"]  # commands; macOS and Windows have applications in their own folders
APPLICATIONS = ["Google Chrome", "Chromium", "Microsoft Edge"]
PROGRAMS = ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"]
PROGRAM_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")  # variables that name them
OPTIONS = ["--headless", "--disable-gpu", "--no-pdf-header-footer"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    OPTIONS.append("--no-sandbox")  # Chromium refuses its sandbox to root
TIMEOUT = 120  # seconds, more than the longest page takes
GLUE = re.compile(r"(?<=\d) (?=%)|(?<=\bn =) (?=\d)|(?<=\bn) (?==)")  # no break between number and unit
TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def format_of(path: str | Path | None) -> str:
    """Return the format given by a file's suffix, by default HTML; UsageError for an unknown one."""
    ending = Path(path or "").suffix.removeprefix(".").lower()
    if ending and ending not in FORMATS:
        raise UsageError(f"{path}: its ending must be that of a format: {', '.join(FORMATS)}")
    return ending or "html"


def as_text(report: Report, form: str = "html", pictures: Mapping[str, str] = {}) -> str:
    """Return the report in one of FORMATS except PDF; `pictures`: links to the figures' files, by name."""
    if form not in FORMATS:
        raise UsageError(f"unknown format '{form}' (known: {', '.join(FORMATS)})")
    if form == "pdf":
        raise UsageError("a PDF is no text: name a file for it with -o FILE.pdf")
    if form == "html":
        return render(report)
    return (render_markdown if form == "md" else _json)(report, pictures)


def write(
    report: Report,
    path: str | Path,
    form: str = "html",
    pictures: Mapping[str, Path] = {},
    one_page: bool = False,
) -> Path:
    """Write the report; `pictures` are the files of the figures, linked relative to the report.

    `one_page`: a PDF has the brief only, without the chapters.
    """
    path = Path(path)
    if form == "pdf":
        outputs.put(path, pdf(render(report, printed=not one_page)))
        return path
    links = {name: relative(file, path.parent) for name, file in pictures.items()}
    outputs.put(path, as_text(report, form, links).encode("utf-8"))
    return path


def write_figures(report: Report, folder: str | Path) -> dict[str, Path]:
    """Write every figure as PNG into a folder; return the files by name."""
    drawings = [figure.drawing for figure in report.figures()]
    files = {drawing.name: Path(folder) / f"{drawing.name}.png" for drawing in drawings}
    for drawing in drawings:
        outputs.put(files[drawing.name], drawing.png())
    return files


def _json(report: Report, pictures: Mapping[str, str]) -> str:
    """Return the sentences and rows of the page, with raw values."""
    content: dict[str, Any] = {name: _plain(getattr(report, name), pictures) for name in KEYS}
    content |= {"stamp": report.stamp.text if report.stamp else None, "facts": dict(report.facts)}
    content |= {"words": report.glossary(), "data": report.data()}
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False, default=str) + "\n"


def _plain(part: Any, pictures: Mapping[str, str]) -> Any:
    """Return a part of a report as dictionaries and lists."""
    if isinstance(part, Table):
        columns = [{"name": own.name, "heading": own.heading, "meaning": own.meaning} for own in part.columns]
        return {"caption": part.caption, "columns": columns, "records": part.records()}
    if isinstance(part, Figure):
        name = part.drawing.name
        texts = {"title": part.title, "alt": part.alt, "caption": part.caption}
        return {"name": name, **texts, "file": pictures.get(name)}
    if isinstance(part, list):
        return [_plain(member, pictures) for member in part]
    if isinstance(part, Section):
        return {name: _plain(getattr(part, name), pictures) for name in KEYS_OF_SECTION}
    if hasattr(part, "_asdict"):
        return {name: _plain(value, pictures) for name, value in part._asdict().items()}
    return part


def pdf(page: str) -> bytes:
    """Return an HTML page as the bytes of a PDF; raise UsageError if there is no browser or it fails."""
    browser = next(filter(None, map(shutil.which, _browsers())), None)
    if browser is None:
        cure = "install one (Debian: apt install chromium)"
        raise UsageError(f"writing a PDF needs Chromium, Chrome or Edge; {cure}")
    with tempfile.TemporaryDirectory(prefix="simkit-", ignore_cleanup_errors=True) as folder:
        source, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        words = [browser, *OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"]
        try:
            process = subprocess.run(
                [*words, source.as_uri()],
                capture_output=True,
                timeout=TIMEOUT,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser}: could not print the page: {error}") from None
        if not printed.is_file():
            message = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise UsageError(f"{browser}: could not print the page: {message}")
        return printed.read_bytes()


def _browsers() -> Iterator[str]:
    """Yield commands and places of browsers that print, the preferred ones first."""
    yield from BROWSERS
    yield from (f"/Applications/{name}.app/Contents/MacOS/{name}" for name in APPLICATIONS)
    for folder in filter(None, map(os.environ.get, PROGRAM_FOLDERS)):
        yield from (f"{folder}/{program}" for program in PROGRAMS)


# The page by the templates.


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
