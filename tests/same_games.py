"""Compare how games end with how they ended before, by game, options and lineup.

python tests/same_games.py [GAME ...] [--write | --stamp]

A case has two digests. The first covers the whole final state and changes with every field that is added.
The second covers the play alone: actions, decisions, ranks, scores and end reasons. Every lineup of which a
digest differs from tests/goldens/games/GAME.txt is printed, and the exit code is then 1.
--write records the digests of today. A digest of play may only change where other play is intended.

--stamp is for rules or strategies that are written differently and play the same. Learned players refuse any
other source; those of games that end as before get the digests of today's sources, as a new training, which
would end with the same weights, would write them.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.learned.file import BASE, digests, load, save
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.verify.check import random_settings

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "goldens" / "games"
SETTINGS = 20  # random settings besides the usual rules
DEALS = np.arange(8)
SEED = 11


class Case(NamedTuple):
    """A lineup with the digests of its games."""

    options: dict[str, Any]
    lineup: str
    state: str  # digest of the final states
    play: str  # digest of actions, decisions, ranks, scores and end reasons


def recorded(name: str) -> list[Case]:
    """Return the cases of a game from its golden file."""
    cases, options = list[Case](), dict[str, Any]()
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            options = json.loads(line)
        else:
            state, play, lineup = line.split(maxsplit=2)
            cases.append(Case(options, lineup, state, play))
    return cases


def played(game: Game, options: dict[str, Any], lineup: str) -> Case:
    """Play some deals, each seat in turn the first of the lineup, and return their digests."""
    players = registry.players(game, parse_lineup(lineup))
    table = GameTable(game, game.rules(options))
    trail = np.full(len(DEALS) * game.max_steps, -1)
    states = table.play(players, SEED, DEALS, DEALS % len(players), trail)
    return Case(options, lineup, digest(states), play_digest(states, trail[trail >= 0]))


def digest(states: np.ndarray) -> str:
    """Return a digest of all numbers of the states by field name, whatever their order and storage."""
    whole = hashlib.sha256()
    for name, values in sorted(_fields(states)):
        whole.update(
            name.encode()
            + b"\0"
            + values.astype(np.float64 if values.dtype.kind == "f" else np.int64).tobytes()
        )
    return whole.hexdigest()[:16]


def play_digest(states: np.ndarray, actions: np.ndarray) -> str:
    """Return a digest of the actions, and of decisions, ranks, scores and end reasons at the end."""
    log, whole = states["log"]["game"], hashlib.sha256()
    for values in (actions, log["decisions"], states["rank"], states["score"], log["end_reason"]):
        whole.update(values.astype(np.int64).tobytes())
    return whole.hexdigest()[:16]


def _fields(states: np.ndarray, prefix: str = "") -> Iterator[tuple[str, np.ndarray]]:
    for name in states.dtype.names or ():
        part = states[name]
        if part.dtype.names:
            yield from _fields(part, f"{prefix}{name}.")
        else:
            yield prefix + name, part


def questions(game: Game) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every strategy against itself and a mixed lineup, under the usual and under random rules."""
    names, rng = sorted(registry.scripted(game)), random.Random(SEED)
    for options in [{}, *random_settings(game, SETTINGS, SEED)]:
        seats = rng.randint(game.seats[0], min(game.seats[1], 4))
        for name in names:
            yield options, f"{name}*{seats}"
        yield options, ", ".join(rng.choice(names) for _ in range(seats))


def write(name: str) -> None:
    """Record the digests of a game's cases in its golden file."""
    game, lines, written_options = registry.game(name), list[str](), None
    for options, lineup in questions(game):
        if options is not written_options:
            lines.append(json.dumps(options))
            written_options = options
        case = played(game, options, lineup)
        lines.append(f"{case.state} {case.play} {lineup}")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def different(name: str, cases: list[Case]) -> Iterator[str]:
    """Yield a line for each case that ends otherwise now."""
    game = registry.game(name)
    for case in cases:
        now = played(game, case.options, case.lineup)
        if now != case:
            changed = "other play" if now.play != case.play else "the same play, another state"
            yield f"{name}: {case.lineup} with {json.dumps(case.options)}: {changed}"


def stamp(name: str, folder: Path = ROOT / "strategies") -> Iterator[str]:
    """Write the digests of today's sources to the learned players of a game; yield what was done."""
    game = registry.game(name)
    for path in sorted(folder.glob(f"{name}/learned/*.npz")):
        player = load(path)
        now, meta = digests(game, player.layout), player.meta
        if changed := [part for part in ("layout", "tables") if now[part] != meta.digests[part]]:
            yield f"{path.name}: the {' and '.join(changed)} changed; train it again: {meta.command}"
            continue
        now |= {BASE: registry.base_digest(game, meta.base)} if meta.base else {}
        if now != meta.digests:
            save(path, replace(player, meta=meta.model_copy(update={"digests": now})))
            yield f"{path.name}: stamped"


def main(arguments: list[str]) -> int:
    """Compare or record the games named, else all games; return the exit code."""
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these games only")
    parser.add_argument("--write", action="store_true", help="record the games as they end now")
    parser.add_argument("--stamp", action="store_true", help="let learned players play where nothing differs")
    options = parser.parse_args(arguments)
    changed_count = 0
    for name in options.games or registry.games():
        if options.write:
            write(name)
            print(f"{name}: recorded")
            continue
        cases = recorded(name)
        lines = list(different(name, cases))
        print(
            *lines,
            f"{name}: {len(cases) - len(lines)} of {len(cases)} lineups end as before",
            sep="\n",
            flush=True,
        )
        changed_count += len(lines)
        for line in stamp(name) if options.stamp and not lines else ():
            print(line, flush=True)
    return 1 if changed_count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
