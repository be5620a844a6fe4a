"""Digests of what decides how the games of an experiment go: the same in whatever folder it lies."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import simkit
from simkit.engine import kernel, registry, rng
from simkit.engine.compile import jit
from simkit.engine.compile.fingerprint import code_digest
from simkit.engine.game import Game
from simkit.engine.strategy import parse_strategy
from simkit.runs.experiment import Cell, Experiment, cells, parse, rules_records, there

SUFFIXES = (".py", ".toml", ".csv", ".tsv")
VERSIONS = {"simkit": "simkit", "python": "Python", "numpy": "NumPy", "numba": "Numba"}  # key in a manifest
Digests = dict[str, str]  # what -> SHA-256


def versions() -> dict[str, str]:
    """Of what plays, as a manifest has them."""
    values = (simkit.__version__, platform.python_version(), np.__version__, numba.__version__)
    return dict(zip(VERSIONS, values, strict=True))


def digests(experiment: Experiment, played: Iterable[Cell]) -> Digests:
    """Of the rules, the options and tables in force, each strategy as it is played, the engine."""
    return code(experiment.game, players_of(played)) | tables(experiment)


def players_of(played: Iterable[Cell]) -> tuple[str, ...]:
    """All players of some cells, as lineups name them."""
    return tuple(sorted({label for cell in played for label in cell.labels}))


def code(game: str, players: Iterable[str]) -> Digests:
    """Of the rules of a game, the players (their functions and all weights) and the engine."""
    rules, strategies = registry.game(game), dict[str, list[Any]]()
    for label in players:
        (named,) = parse_strategy(label)
        player = registry.player(rules, named)
        parts = strategies.setdefault(f"strategy {named.name}", [])
        parts.append([label, _code_of(player.decide), player.weights.tolist(), player.blunder])
    engine = [_code_of(kernel.build(rules)), *(file_digest(str(module.__file__)) for module in (jit, rng))]
    every = {f"the rules of {game}": _rules(rules)} | strategies | {f"simkit's way to play {game}": engine}
    return {name: _digest(parts) for name, parts in every.items()}


@cache
def _code_of(entry: jit.Entry) -> str:
    return code_digest(entry.function)


def _rules(game: Game) -> list[Any]:
    """The files of a game, and what of other files its functions and records are made of."""
    path, functions = registry.game_path(game.name), [game.setup, game.legal, game.apply, game.observe]
    functions += [rule for rule in (game.log.note, game.pieces and game.pieces.count) if rule]
    files = path.rglob("*") if path.is_dir() else [path]
    own = {file.relative_to(path).as_posix(): file_digest(file) for file in files if file.suffix in SUFFIXES}
    records = [repr(record) for record in (game.state_dtype, game.rules_dtype, game.turn_dtype)]
    return [sorted(own.items()), code_digest(*functions), records, game.purposes, game.team]


def tables(experiment: Experiment) -> Digests:
    """Of the rules records of all settings, made of options, component tables and the designer's files."""
    named = [(name.partition(":")[0], path) for name, path in experiment.every_file().items()]
    files = tuple(file_digest(there(name, path)) for name, path in named)
    digest = _tables(registry.game(experiment.game), json.dumps(experiment.keys()), files)
    return {f"the options and tables of {experiment.game}": digest}


@lru_cache(4)
def _tables(game: Game, keys: str, files: tuple[str, ...]) -> str:
    """Made once: records of ten thousand settings take seconds. `files` says when they are others."""
    experiment, digest = parse(json.loads(keys)), hashlib.sha256()
    for record in rules_records(experiment, cells(experiment)):
        names = game.pieces.names(record[0]) if game.pieces and experiment.trace else []
        digest.update(record.tobytes() + repr(names).encode())
    return digest.hexdigest()


def file_digest(path: str | Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def short(several: Mapping[str, str]) -> str:
    """One digest of several."""
    return _digest(sorted(several.items()))


def _digest(parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Other(NamedTuple):
    """What is not as it was; of a version what it was and is."""

    what: str
    was: str = ""
    here: str = ""


def others(recorded: Mapping[str, Any], current: Mapping[str, Any]) -> list[Other]:
    """How two manifests differ in what decides games: in versions, else in digests of sources."""
    versions = [Other(name, recorded[key], current[key]) for key, name in VERSIONS.items() if key in recorded]
    if differ := [v for v in versions if _series(v.what, v.was) != _series(v.what, v.here)]:
        return differ
    sources = current["sources"]
    return [Other(name) for name, digest in recorded["sources"].items() if sources.get(name) != digest]


def _series(name: str, version: str) -> str:
    """What of a version decides: of Python the first two numbers, after which its code is the same."""
    return ".".join(version.split(".")[:2]) if name == "Python" else version
