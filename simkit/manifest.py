"""What a run folder says about itself: how it was made, from which sources, on what machine, and whether it is done."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np

import simkit
from simkit import catalogue
from simkit.experiment import Cell, Experiment

SOURCES = (".py", ".toml", ".csv", ".tsv")


def new(
    experiment: Experiment, cells: list[Cell], shard_deals: list[int], command: str | None
) -> dict[str, Any]:
    """The manifest of a run that is about to begin."""
    return {
        "simkit": simkit.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "sources": sources_digest(),
        **identity(experiment),
        "seed": experiment.seed,
        "cells": [_cell(cell, size) for cell, size in zip(cells, shard_deals, strict=True)],
        "machine": {"cpus": os.cpu_count(), "platform": f"{platform.system()} {platform.machine()}"},
        "command": command,
        "started": now(),
        "finished": None,
        "seconds": 0.0,
        "games": 0,
    }


def kept(experiment: Experiment) -> Experiment:
    """The experiment as the run folder keeps it: with its own copy of the designer's file."""
    return (
        experiment.changed(cards=f"files/{Path(experiment.cards).name}") if experiment.cards else experiment
    )


def identity(experiment: Experiment) -> dict[str, Any]:
    """What makes two experiments the same: the text kept and the content of the designer's files."""
    text = kept(experiment).to_toml()
    files = {name: file_digest(path) for name, path in experiment.files.items()}
    return {"experiment": hashlib.sha256(text.encode()).hexdigest(), "files": files}


def _cell(cell: Cell, size: int) -> dict[str, Any]:
    return {
        "cell": cell.index,
        "game": cell.game,
        "options": cell.options,
        "varied": cell.varied,
        "lineup": cell.labels,
        "rotations": cell.rotations,
        "deals": cell.deals,
        "first_play": cell.first_play,
        "shard_deals": size,
    }


def read(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder."""
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


def write(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest under a temporary name, then rename: it is whole or absent."""
    unfinished = folder / ".manifest.json.tmp"
    unfinished.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(unfinished, folder / "manifest.json")


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def file_digest(path: Path) -> str:
    """SHA-256 of a file, hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sources_digest() -> str:
    """SHA-256 over the sources and data of the machinery, the games and the strategies, ours and the projects'."""
    folders = [catalogue.PACKAGE, catalogue.ROOT / "strategies"]
    folders += [Path(project) / part for project in catalogue.projects() for part in ("games", "strategies")]
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SOURCES):
            digest.update(f"{path.relative_to(folder).as_posix()} {file_digest(path)}\n".encode())
    return digest.hexdigest()
