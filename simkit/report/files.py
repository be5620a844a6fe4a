"""Reports and their figures as files, each whole or absent."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from simkit.errors import UsageError
from simkit.report.document import render_json
from simkit.report.markdown import render_markdown
from simkit.report.page import render
from simkit.report.parts import Report

FORMATS = ("html", "md", "json")


def format_of(path: str | Path | None) -> str:
    """The format that a file's name asks for; a page where it asks for none."""
    ending = Path(path or "").suffix.removeprefix(".").lower()
    return ending if ending in FORMATS else "html"


def as_text(report: Report, form: str = "html", pictures: Mapping[str, str] | None = None) -> str:
    """The report in one of FORMATS; `pictures`: links to the files of its figures, by name."""
    if form not in FORMATS:
        raise UsageError(f"unknown format '{form}' (known: {', '.join(FORMATS)})")
    if form == "html":
        return render(report)
    return (render_markdown if form == "md" else render_json)(report, pictures or {})


def write(
    report: Report, path: str | Path, form: str = "html", pictures: Mapping[str, Path] | None = None
) -> Path:
    """Write the report; `pictures` are the files of the figures, linked relative to the report."""
    path, files = Path(path), pictures or {}
    links = {name: Path(os.path.relpath(file, path.parent)).as_posix() for name, file in files.items()}
    _put(path, as_text(report, form, links).encode("utf-8"))
    return path


def write_figures(report: Report, folder: str | Path) -> dict[str, Path]:
    """Write every figure as PNG into a folder; their files by name."""
    files = {}
    for drawing, _, _ in report.figures():
        files[drawing.name] = Path(folder) / f"{drawing.name}.png"
        _put(files[drawing.name], drawing.png())
    return files


def _put(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
