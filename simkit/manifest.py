"""What a run folder says about itself: what was asked and played, how it was made, and whether it is done."""

import hashlib
import json
import os
import platform
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np

import simkit
from simkit import catalogue, columns, ownfiles
from simkit.experiment import Cell, Experiment, moved, read_files, settings
from simkit.runwords import RunWords, pieces_of, words_of
from simkit.shards import Layout

SOURCES = (".py", ".toml", ".csv", ".tsv")


def new(experiment: Experiment, cells: list[Cell], layout: Layout, command: str | None) -> dict[str, Any]:
    """The manifest of a run about to begin: all that explains it later, without the code of its game."""
    return {
        "simkit": simkit.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "sources": sources_digest(),
        "experiment": kept(experiment).keys(),
        "files": {name: file_digest(path) for name, path in experiment.every_file().items()},
        "seed": experiment.seed,
        "cells": [cell.keys() for cell in cells],
        "layout": layout,
        "columns": columns.described(catalogue.game(experiment.game), cells[0]),
        "asked_columns": [],
        "tables": _tables(experiment, cells),
        "words": _words(experiment, cells).model_dump(),
        "machine": {"cpus": os.cpu_count(), "platform": f"{platform.system()} {platform.machine()}"},
        "command": command,
        "started": now(),
        "finished": None,
        "seconds": 0.0,
        "games": 0,
    }


def kept(experiment: Experiment) -> Experiment:
    """The experiment as the run folder keeps it: with its own copies of the designer's files."""

    def within(name: str, path: str) -> str:
        own = f"{name.removeprefix(ownfiles.HEAD)}/{Path(path).name}"
        return f"files/{own if ownfiles.is_file(name) else name + Path(path).suffix}"

    return moved(experiment, within)


def _tables(experiment: Experiment, cells: list[Cell]) -> dict[str, dict[str, list[list[str]]]]:
    """By `files.TABLE` of the sweep: the rows of every table that was tried, under its name."""
    game, found = catalogue.game(experiment.game), dict[str, dict[str, list[list[str]]]]()
    for cell in cells:
        read = read_files(experiment, cell.varied)
        for name in filter(ownfiles.is_file, cell.varied):
            if rows := ownfiles.rows(game, name, read, cell.options):
                found.setdefault(name, {})[cell.varied[name]] = rows
    return found


def _words(experiment: Experiment, cells: list[Cell]) -> RunWords:
    game, names = catalogue.game(experiment.game), [named.name for cell in cells for named in cell.lineup]
    played = [catalogue.strategy(game, name) for name in dict.fromkeys(names)]
    words = words_of(game, played, settings(cells), experiment.options, read_files(experiment))
    words.options.update(ownfiles.words(game, [cell.varied for cell in cells]))
    files = [(name.partition(":")[0], path) for name, path in experiment.every_file().items()]
    own = [
        f"the designer's own {name.removeprefix(ownfiles.HEAD)}: {Path(path).name}" for name, path in files
    ]
    pieces = _pieces(experiment, cells) if experiment.trace else {}
    return words.model_copy(update={"provenance": own + words.provenance} | pieces)


def _pieces(experiment: Experiment, cells: list[Cell]) -> dict[str, Any]:
    """What a page calls the components of which the trace tells."""
    game = catalogue.game(experiment.game)
    if game.pieces is None:
        return {}
    rules = {cell.index: game.rules(cell.options, read_files(experiment, cell.varied)) for cell in cells}
    said = {"played": game.pieces.played, "piece": game.pieces.word, "piece_note": game.pieces.note}
    said["piece_use"] = game.pieces.use
    return {"pieces": pieces_of(game, rules)} | said


def read(folder: Path) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads((folder / "manifest.json").read_text(encoding="utf-8")))


def begin(folder: Path, experiment: Experiment, made: dict[str, Any]) -> None:
    """Write what a new run folder holds before it is played: manifest, experiment, the designer's files."""
    keeps = kept(experiment)
    copies = keeps.every_file()
    for name, path in experiment.every_file().items():
        (folder / copies[name]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / copies[name])
    (folder / "experiment.toml").write_text(keeps.to_toml(), encoding="utf-8")
    write(folder, made)


def write(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest under a temporary name, then rename: it is whole or absent."""
    unfinished = folder / ".manifest.json.tmp"
    unfinished.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(unfinished, folder / "manifest.json")


def note(folder: Path, **changes: Any) -> None:
    known = read(folder)
    if known != known | changes:
        write(folder, known | changes)


def ask(folder: Path, columns: tuple[str, ...]) -> None:
    """Note the columns of the log that somebody asked for, besides those asked for before."""
    note(folder, asked_columns=list(dict.fromkeys([*read(folder)["asked_columns"], *columns])))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def file_digest(path: str | Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def sources_digest() -> str:
    """SHA-256 over the sources and data of machinery, games and strategies, ours and the projects'."""
    folders = [catalogue.PACKAGE, catalogue.ROOT / "strategies"]
    folders += [Path(project) / part for project in catalogue.projects() for part in ("games", "strategies")]
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SOURCES):
            digest.update(f"{path.relative_to(folder).as_posix()} {file_digest(path)}\n".encode())
    return digest.hexdigest()
