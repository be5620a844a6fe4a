"""Projects of tests: folders with games, strategies and pages of their own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from simkit.engine import registry


@contextmanager
def project_of(folder: Path, files: Mapping[str, str]) -> Iterator[Path]:
    """Write files into a folder, by their names in it, and load it as a project for the time being."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    before = registry.projects()
    registry.add_project(folder)
    try:
        yield folder
    finally:
        registry.set_projects(before)
