"""Games: List the strategies of a game with their weights and presets."""

from collections.abc import Mapping
from typing import Any

import click

from simkit.cli.options import command, game_or_all, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named
from simkit.engine.options import to_words
from simkit.engine.strategy import BLUNDER, Strategy
from simkit.errors import UsageError


@command()
@game_or_all
@shared_options("json")
def strategies(games: list[Game], as_json: bool) -> None:
    """List the strategies of a game with their weights and presets."""
    rows = [_strategy(game, strategy) for game in games for strategy in registry.strategies(game).values()]
    if as_json:
        print_json(rows)
        return
    lines = []
    for row in rows:
        lines.append({name: row[name] for name in ("game", "strategy", "label", "meaning")})
        for weight in row["weights"][: -len(BLUNDER)]:
            name = f"  {weight['weight']} = {weight['default']}"
            meaning = f"{weight['meaning']}: {weight['values']}"
            lines.append({"game": "", "strategy": name, "label": weight["label"], "meaning": meaning})
        for preset, weights in row["presets"].items():
            meaning = ", ".join(f"{name} = {value}" for name, value in weights.items())
            name = f"  {row['strategy']}@{preset}"
            lines.append({"game": "", "strategy": name, "label": "preset", "meaning": meaning})
    print_table(lines)
    for name, weight in BLUNDER.items():
        click.echo(
            f"Every strategy also takes {name} = {weight.default_text}: {weight.meaning}, {weight.allowed}."
        )


def _strategy(game: Game, strategy: Strategy) -> dict[str, Any]:
    """Return a strategy and its weights, as printed with --json."""
    weights, given = [], _given(game, strategy)
    for name, weight in strategy.all_weights.items():
        default = given.get(name, registry.shown_default(game, weight))
        allowed = _names_of_players(game) if strategy.learns and name == strategy.trained else weight.allowed
        values = {"default": default, "values": allowed, "meaning": weight.meaning}
        weights.append({"weight": name, "label": weight.label or to_words(name)} | values)
    front = {"game": game.name, "strategy": strategy.name, "label": strategy.label}
    own = registry.presets_of(game, strategy.name)
    return front | {"meaning": strategy.meaning, "weights": weights, "presets": own}


def _given(game: Game, strategy: Strategy) -> Mapping[str, str]:
    """Return the weights that a name stands for, at a table with the usual number of seats."""
    try:
        return registry.written_out(game, Named(strategy.name, {}), game.default_seats).weights
    except UsageError:  # a learned player that does not fit the game any more: who plays it learns why
        return {}


def _names_of_players(game: Game) -> str:
    """Return the learned players of a game, with their numbers of seats."""
    players: dict[str, list[int]] = {}
    for name, seats in sorted(registry.learned_files(game)):
        players.setdefault(name, []).append(seats)
    return ", ".join(f"{name} ({' and '.join(map(str, seats))} seats)" for name, seats in players.items())
