"""Digests of the sources that decide how an experiment's games go, independent of the folder they are in."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from numba import __version__ as numba_version
from numpy import __version__ as numpy_version
from pydantic import BaseModel, ConfigDict

from simkit import __version__ as simkit_version
from simkit.engine import kernel, registry, rng
from simkit.engine.compile import jit
from simkit.engine.compile.fingerprint import code_digest
from simkit.engine.game import Game
from simkit.engine.lineups import Seated, parse_strategy
from simkit.engine.table import Player
from simkit.runs.plan import Plan
from simkit.runs.storage import checksums

SUFFIXES = (".py", ".toml", ".csv", ".tsv")
VERSIONS = {"simkit": "simkit", "python": "Python", "numpy": "NumPy", "numba": "Numba"}  # field -> name
Digests = dict[str, str]  # name of a source -> SHA-256


class Origin(BaseModel):
    """Versions of software, by default those of this process, and digests of the sources of a run."""

    model_config = ConfigDict(frozen=True)

    simkit: str = simkit_version
    python: str = platform.python_version()
    numpy: str = numpy_version
    numba: str = numba_version
    sources: Digests


def digests(plan: Plan) -> Digests:
    """Return the digests of the rules, options, tables, strategies and engine of a run."""
    return code(plan.experiment.game, plan.players) | tables(plan.experiment.game, plan.rules_digest)


def code(game: str, players: Iterable[Seated]) -> Digests:
    """Return the digests of a game's rules, of the players (functions and all weights) and of the engine."""
    rules, strategies, learned = registry.game(game), dict[str, list[Any]](), dict[str, list[Any]]()
    for label, seats in players:
        (named,) = parse_strategy(label)
        player = registry.player(rules, named, seats)
        parts, several = _parts_of(label, player), strategies.setdefault(f"strategy {named.name}", [])
        if parts not in several:  # at tables with other numbers of seats
            several.append(parts)
        for net in player.nets:
            if net.size:
                nets = learned.setdefault(f"what {named.name} learned for {seats} players", [])
                nets.append([label, hashlib.sha256(net.tobytes()).hexdigest()])
    players_of = {name: list(chain(*several)) for name, several in strategies.items()} | learned
    engine = [
        _code_of(kernel.build(rules)),
        *(checksums.digest(Path(str(module.__file__))) for module in (jit, rng)),
    ]
    every = {f"the rules of {game}": _rules(rules)} | players_of | {f"simkit's way to play {game}": engine}
    return {name: _digest(parts) for name, parts in every.items()}


def _parts_of(label: str, player: Player) -> list[Any]:
    """Return what defines a player, and what defines its search."""
    own: list[Any] = [[label, _code_of(player.decide), player.weights.tolist(), player.blunder]]
    if player.search:
        own.append([_code_of(player.search.decide), player.search.weights.tolist()])
    return own


@cache
def _code_of(entry: jit.EntryPoint) -> str:
    return code_digest(entry.function)


def _rules(game: Game) -> list[Any]:
    """Return what defines a game: its files, and the code and records that it takes from other files."""
    path, functions = registry.game_path(game.name), [game.setup, game.legal, game.apply, game.observe]
    functions += [rule for rule in (game.log.note, game.pieces and game.pieces.count) if rule]
    files = path.rglob("*") if path.is_dir() else [path]
    own = {
        file.relative_to(path).as_posix(): checksums.digest(file) for file in files if file.suffix in SUFFIXES
    }
    records = [repr(record) for record in (game.state_dtype, game.rules_dtype, game.turn_dtype)]
    return [sorted(own.items()), code_digest(*functions), records, game.purposes, game.team]


def tables(game: str, rules_digest: str) -> Digests:
    """Return the digest of all settings' rules records, built from options, tables, designer's files."""
    return {f"the options and tables of {game}": rules_digest}


def short(several: Mapping[str, str]) -> str:
    """Return one digest of several."""
    return _digest(sorted(several.items()))


def _digest(parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Other(NamedTuple):
    """A version or source that differs; for a version, its recorded (`was`) and current value (`here`)."""

    what: str
    was: str = ""
    here: str = ""


def others(recorded: Origin, current: Origin) -> list[Other]:
    """Return the versions that differ; if none does, the sources that differ."""
    versions = [Other(name, getattr(recorded, key), getattr(current, key)) for key, name in VERSIONS.items()]
    if differ := [v for v in versions if _series(v.what, v.was) != _series(v.what, v.here)]:
        return differ
    digests = recorded.sources.items()
    return [Other(name) for name, digest in digests if current.sources.get(name) != digest]


def _series(name: str, version: str) -> str:
    """Return the part of a version that matters: for Python its first two numbers, which fix the bytecode."""
    return ".".join(version.split(".")[:2]) if name == "Python" else version
