"""Games: List the strategies of a game with their weights and presets."""

from typing import Any

import click

from simkit.cli.options import command, game_or_all, shared
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import to_words
from simkit.engine.strategy import BLUNDER, Strategy


@command()
@game_or_all
@shared("json")
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
    weights = []
    for name, weight in strategy.all_weights.items():
        default = registry.shown_default(game, weight)
        values = {"default": default, "values": weight.allowed, "meaning": weight.meaning}
        weights.append({"weight": name, "label": weight.label or to_words(name)} | values)
    front = {"game": game.name, "strategy": strategy.name, "label": strategy.label}
    own = registry.presets_of(game, strategy.name)
    return front | {"meaning": strategy.meaning, "weights": weights, "presets": own}
