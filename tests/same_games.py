"""Whether all games still end as they did: digests of final states by game, options and lineup.

python tests/same_games.py [GAME ...] [--write]

It prints every lineup that ends otherwise than tests/goldens/games/GAME.txt has it, and then exits with 1.
--write records the games as they end now: only where another end is meant.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit import catalogue
from simkit.check import random_settings
from simkit.game import Game
from simkit.kernel import Table
from simkit.strategy import parse_lineup

FOLDER = Path(__file__).parent / "goldens" / "games"
SETTINGS = 20  # besides the usual rules
DEALS = np.arange(8)
SEED = 11


class Case(NamedTuple):
    """A lineup, and how its games ended."""

    options: dict[str, Any]
    lineup: str
    digest: str


def recorded(name: str) -> list[Case]:
    """The cases of a game as they were written."""
    found, options = list[Case](), dict[str, Any]()
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            options = json.loads(line)
        else:
            digest, lineup = line.split(maxsplit=1)
            found.append(Case(options, lineup, digest))
    return found


def played(game: Game, options: dict[str, Any], lineup: str) -> Case:
    """Some deals with every seat in turn the first of the lineup."""
    players = [catalogue.player(game, named) for named in parse_lineup(lineup)]
    table = Table(game, game.rules(options))
    states = table.play(players, SEED, DEALS, DEALS % len(players))
    return Case(options, lineup, digest(states))


def digest(states: np.ndarray) -> str:
    """Of all numbers of states by the names of their fields, however these are ordered and stored."""
    whole = hashlib.sha256()
    for name, values in sorted(_fields(states)):
        whole.update(
            name.encode()
            + b"\0"
            + values.astype(np.float64 if values.dtype.kind == "f" else np.int64).tobytes()
        )
    return whole.hexdigest()[:16]


def _fields(states: np.ndarray, of: str = "") -> Iterator[tuple[str, np.ndarray]]:
    for name in states.dtype.names or ():
        part = states[name]
        if part.dtype.names:
            yield from _fields(part, f"{of}{name}.")
        else:
            yield of + name, part


def questions(game: Game) -> Iterator[tuple[dict[str, Any], str]]:
    """Every strategy against itself and some of them mixed, under the usual rules and under random ones."""
    known, luck = sorted(catalogue.strategies(game)), random.Random(SEED)
    for options in [{}, *random_settings(game, SETTINGS, SEED)]:
        seats = luck.randint(game.seats[0], min(game.seats[1], 4))
        for name in known:
            yield options, f"{name}*{seats}"
        yield options, ", ".join(luck.choice(known) for _ in range(seats))


def write(name: str) -> None:
    """Record how the games of the questions end."""
    game, lines, told = catalogue.game(name), list[str](), None
    for options, lineup in questions(game):
        if options is not told:
            lines.append(json.dumps(options))
            told = options
        lines.append(f"{played(game, options, lineup).digest} {lineup}")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def different(name: str, cases: list[Case]) -> Iterator[str]:
    """Lines on the cases that end otherwise now."""
    game = catalogue.game(name)
    for case in cases:
        now = played(game, case.options, case.lineup).digest
        if now != case.digest:
            yield f"{name}: {case.lineup} with {json.dumps(case.options)}: {case.digest} before, {now} now"


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these games only")
    parser.add_argument("--write", action="store_true", help="record the games as they end now")
    asked = parser.parse_args(arguments)
    found = 0
    for name in asked.games or catalogue.games():
        if asked.write:
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
        found += len(lines)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
