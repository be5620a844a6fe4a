"""Projects of a command: folders with content of their own.

A project is named with `--project` or in SIMKIT_PROJECT. Otherwise it is the nearest folder with the file
`simkit.toml`, from the current folder up to the home folder or the root of a repository, both included. A
folder without this file is no project, whatever it contains, and the file does not count in a run folder.
"""

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from simkit.errors import UsageError
from simkit.system import relative

MARK, VARIABLE = "simkit.toml", "SIMKIT_PROJECT"
RUN_FOLDER = ("manifest.json", "experiment.toml")  # the files that every run folder has


def folders(named: Sequence[str]) -> list[str]:
    """Return the projects named on the command line, else that of the environment, else the marked folder.

    This imports neither content nor Numba.
    """
    return [*named] or _of_environment() or _marked()


def load(named: Sequence[str]) -> str:
    """Add the projects of a command to the registry; return their paths, joined by commas."""
    from simkit.engine import registry

    paths = folders(named)
    for folder in paths:
        registry.add_project(folder)
    return ", ".join(str(Path(folder).resolve()) for folder in paths)


def command_words() -> list[str]:
    """Return the options that name the projects in a command; none for the marked project of this folder."""
    from simkit.engine import registry

    projects = registry.projects()
    if projects == _marked():
        return []
    return [word for folder in projects for word in ("--project", relative(folder))]


def without_projects(words: Sequence[str]) -> list[str]:
    """Return the words of a command line without those that name projects.

    >>> without_projects(["--project", "mine", "games", "--project=yours", "--json"])
    ['games', '--json']
    """
    rest, others = iter(words), list[str]()
    for word in rest:
        if word == "--project":
            next(rest, "")
        elif not word.startswith("--project="):
            others.append(word)
    return others


def _of_environment() -> list[str]:
    """Return the project in SIMKIT_PROJECT, or nothing; UsageError if the folder does not exist."""
    folder = os.environ.get(VARIABLE, "")
    if folder and not os.path.isdir(folder):
        raise UsageError(f"{VARIABLE}: project folder {folder} does not exist")
    return [folder] if folder else []


def _marked() -> list[str]:
    """Return the nearest marked folder, or nothing."""
    marked = (folder for folder in _upwards() if os.path.isfile(folder / MARK) and not _in_run(folder))
    return [str(folder) for folder in itertools.islice(marked, 1)]


def _upwards() -> Iterator[Path]:
    """Yield the current folder and those above it; the home folder or root of a repository is the last."""
    try:
        current, home = Path.cwd(), Path("~").expanduser().resolve()
    except (FileNotFoundError, RuntimeError):  # the current folder was deleted; there is no home folder
        return
    for folder in (current, *current.parents):
        yield folder
        if folder == home or os.path.lexists(folder / ".git"):
            return


def _in_run(folder: Path) -> bool:
    """Return whether a folder is a run folder or lies within one."""
    return any(all(os.path.isfile(path / name) for name in RUN_FOLDER) for path in (folder, *folder.parents))
