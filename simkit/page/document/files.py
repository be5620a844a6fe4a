"""Reports and figures as files, written atomically; JSON has raw values, a PDF is printed by a browser."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simkit.errors import UsageError
from simkit.page.document.page import render, render_markdown
from simkit.page.document.parts import Figure, Report, Section
from simkit.page.document.tables import Table
from simkit.runs.storage import outputs

FORMATS = ("html", "md", "json", "pdf")
KEYS = ["title", "question", "takeaways", "step", "picture", "tiles", "limits", "warnings", "chapters"]
KEYS += ["tiles_of", "command", "versions"]
KEYS_OF_SECTION = ("heading", "text", "figures", "tables", "stories")
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
BROWSERS += ["microsoft-edge", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
OPTIONS = ["--headless", "--disable-gpu", "--no-pdf-header-footer"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    OPTIONS.append("--no-sandbox")  # Chromium refuses its sandbox to root
TIMEOUT = 120  # seconds, more than the longest page takes


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
    links = {name: Path(os.path.relpath(file, path.parent)).as_posix() for name, file in pictures.items()}
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
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise UsageError("writing a PDF needs Chromium or Chrome; install one (Debian: apt install chromium)")
    with tempfile.TemporaryDirectory(prefix="simkit-") as folder:
        source, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        words = [browser, *OPTIONS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}"]
        try:
            process = subprocess.run(
                [*words, source.as_uri()], capture_output=True, timeout=TIMEOUT, text=True, errors="replace"
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser}: could not print the page: {error}") from None
        if not printed.is_file():
            message = (process.stderr.strip().splitlines() or [f"exit code {process.returncode}"])[-1]
            raise UsageError(f"{browser}: could not print the page: {message}")
        return printed.read_bytes()
