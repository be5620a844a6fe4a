"""Number of players as an axis of every game: `players = 4` in [options], `players = [2, 3, 4]` in [sweep].

A cell seats as many players as its lineup has strategies. A number of players is therefore turned into
lineups, so that everything else only knows lineups of several sizes.
"""

import re
from typing import Any

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.options import PLAYERS, check_varied
from simkit.errors import UsageError
from simkit.runs.table_files import names_of

TABLES = ("options", "sweep", "baseline")
RANGE = re.compile(r"\s*(\d{1,3})\s*:\s*(\d{1,3})\s*")  # as `--set players=2:4` gives it


def with_players(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of an experiment with its number of players, if given, turned into lineups."""
    tables = {name: keys[name] for name in TABLES if isinstance(keys.get(name), dict)}
    given = [(table, key) for table in tables for key in tables[table] if set(names_of(key)) & set(PLAYERS)]
    if not given or not isinstance(keys.get("game"), str):
        return keys
    game, ((table, key), *others) = registry.game(keys["game"]), given
    if others or table == "baseline":
        cure = "give them once, in [options] or [sweep]; every number of players has its own baseline"
        raise UsageError(f"key '{others[0][1] if others else key}': {cure}")
    if key not in PLAYERS:
        raise UsageError(f"[{table}] {key}: players are varied by themselves, not tied to other options")
    rest = {name: value for name, value in tables[table].items() if name != key}
    lineups = _lineups(game, keys, _counts(game, key, tables[table][key]))
    return keys | {table: rest, "lineups": lineups}


def _counts(game: Game, key: str, value: Any) -> list[int]:
    """Return the numbers of players in a value: a whole number, several, or a range such as "2:4"."""
    counts = value if isinstance(value, list) else [value]
    if text := RANGE.fullmatch(str(value)):
        counts = list(range(int(text[1]), int(text[2]) + 1))
    if not counts or not all(type(count) is int for count in counts):
        raise UsageError(f"{key} = {value!r}: give a number of players, or a range such as 2:4")
    low, high = game.seats
    outside = [count for count in counts if not low <= count <= high]
    if outside:
        check_varied(game.name, game.seats, key)
        raise UsageError(f"{game.name} has {low} to {high} players, so {key} cannot be {outside[0]}")
    return counts


def _lineups(game: Game, keys: dict[str, Any], counts: list[int]) -> list[list[str]]:
    """Return each lineup, which must be of one strategy, for each number of players."""
    if keys.get("round_robin"):
        raise UsageError("players cannot be varied with round_robin, whose games have two players")
    given, lineups = keys.get("lineups", []), list[list[str]]()
    for lineup in [given] if isinstance(given, str) else given:
        texts = [lineup] if isinstance(lineup, str) else lineup
        strategies = list(dict.fromkeys(str(named) for text in texts for named in parse_lineup(text)))
        if len(strategies) > 1:
            cure = f"give lineups of one strategy, such as {strategies[0]}"
            raise UsageError(
                f"lineup '{', '.join(texts)}' says who sits where, so players cannot be varied; {cure}"
            )
        lineups += [[f"{strategies[0]}*{count}"] for count in counts]
    return [list(lineup) for lineup in dict.fromkeys(map(tuple, lineups))]
