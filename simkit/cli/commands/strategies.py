"""The strategies command: a list of strategies with their weights."""

from typing import Any

import click

from simkit.cli.options import Given, command, game_or_all, shared
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import plain
from simkit.engine.strategy import BLUNDER, Policy, Strategy


@command("Games")
@game_or_all
@shared("json")
def strategies(given: Given, games: list[Game]) -> None:
    """List the strategies of a game with their weights."""
    rows = [_strategy(game, strategy) for game in games for strategy in registry.strategies(game).values()]
    if given.as_json:
        print_json(rows)
        return
    lines = []
    for row in rows:
        lines.append({name: row[name] for name in ("game", "strategy", "label", "meaning")})
        for weight in row["weights"][: -len(BLUNDER)]:
            name = f"  {weight['weight']} = {weight['default']}"
            meaning = f"{weight['meaning']}: {weight['values']}"
            lines.append({"game": "", "strategy": name, "label": weight["label"], "meaning": meaning})
    print_table(lines)
    for name, weight in BLUNDER.items():
        click.echo(f"Every strategy also takes {name} = {weight.shown}: {weight.meaning}, {weight.allowed}.")


def _strategy(game: Game, strategy: Strategy) -> dict[str, Any]:
    """Return a strategy and its weights, as printed with --json."""
    weights = []
    for name, weight in strategy.all_weights.items():
        default = registry.default_policy(game) if isinstance(weight, Policy) else weight.shown
        values = {"default": default, "values": weight.allowed, "meaning": weight.meaning}
        weights.append({"weight": name, "label": weight.label or plain(name)} | values)
    front = {"game": game.name, "strategy": strategy.name, "label": strategy.label}
    return front | {"meaning": strategy.meaning, "weights": weights}
