"""Reports and their figures as files, each whole or absent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
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
    """The report in one of FORMATS; `pictures` are the links to the figures' files by name, where they were written."""
    if form == "html":
        return render(report)
    if form == "md":
        return render_markdown(report, pictures)
    if form == "json":
        return render_json(report, pictures)
    raise UsageError(f"unknown format '{form}' (known: {', '.join(FORMATS)})")


def write(
    report: Report, path: str | Path, form: str = "html", pictures: Mapping[str, Path] | None = None
) -> Path:
    """Write the report; `pictures` are the files of the figures, linked relative to the report."""
    path = Path(path)
    links = {
        name: Path(os.path.relpath(file, path.parent)).as_posix() for name, file in (pictures or {}).items()
    }
    _put(path, as_text(report, form, links).encode("utf-8"))
    return path


def write_figures(report: Report, folder: str | Path) -> dict[str, Path]:
    """Write every figure as PNG into a folder; their files by name."""
    files = {figure.drawing.name: Path(folder) / f"{figure.drawing.name}.png" for figure in report.figures()}
    for figure in report.figures():
        _put(files[figure.drawing.name], figure.drawing.png())
    return files


def _put(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        unfinished.chmod(0o644)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
