"""Commands that list content: games, rules, strategies."""

import csv
import sys
from itertools import zip_longest
from typing import Any

import click

from simkit.cli.options import Given, Whole, command, game_or_all, shared
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import Option, plain
from simkit.engine.strategy import BLUNDER, Strategy
from simkit.errors import UsageError, look_up
from simkit.runs import table_files
from simkit.verify import anatomy

SEEN_BY_WORDS = {"all": "all seats", "own": "some seats, or each its own part", "none": "nobody"}


@command
@shared("json")
def games(given: Given) -> None:
    """List the games."""
    rows = list[dict[str, Any]]()
    for game in registry.games().values():
        row = {"game": game.name, "title": game.title, "seats": "-".join(map(str, sorted(set(game.seats))))}
        rows.append(row | {"known answers": len(game.known_answers) or None, "about": game.summary})
    print_json(rows) if given.as_json else print_table(rows)


@command
@click.argument("game")
@shared("json")
def rules(given: Given, game: str) -> None:
    """Show the rules of GAME in brief, and its options."""
    definition = registry.game(game)
    presets, ways = _presets(definition), {way.name: way.meaning for way in definition.components.ways}
    if given.as_json:
        options = [_row(option) for option in definition.options]
        document = {"game": definition.name, "title": definition.title, "rules": definition.words.rules}
        print_json(document | {"options": options, "presets": presets, "ways": ways})
        return
    click.echo(f"{definition.title} ({definition.name})\n\n{definition.words.rules}")
    if definition.options:
        print_table([_row(option) | {"values": _values(option)} for option in definition.options])
    for setting, sets in presets.items():
        values_text = ", ".join(f"{name} = {str(value).lower()}" for name, value in sets.items())
        click.echo(f"\n{setting} sets these options, unless they are given: {values_text}")
    if ways:
        ways_text = ", ".join(f"{name} ({meaning})" for name, meaning in ways.items())
        click.echo(f"\nsimkit ablate {definition.name} --how: {ways_text}")


def _row(option: Option) -> dict[str, Any]:
    """Return the row of an option in the table."""
    front = {"option": option.name, "label": option.label, "default": option.shown(option.default)}
    return front | {"values": option.allowed, "clause": option.clause, "meaning": option.meaning}


def _values(option: Option) -> str:
    """Return the allowed values as commands write them, with their labels where these differ."""
    labels = {name: option.value_label(name) for name in option.names}
    texts = [name if label == plain(name) else f"{name} ({label})" for name, label in labels.items()]
    return ", ".join(texts) or option.allowed


def _presets(game: Game) -> dict[str, dict[str, Any]]:
    """Return the options that each setting sets, without the default setting."""
    usual = game.resolve({})
    return {
        f"{name} = {choice}": dict(sets)
        for name, choices in game.presets.items()
        for choice, sets in choices.items()
        if choice != usual[name]
    }


SEEN_BY_WORDS = {"all": "all seats", "own": "some seats, or each its own part", "none": "nobody"}


@command
@click.argument("game")
@click.option(
    "--position", type=Whole(min=1), default=1, metavar="N", help="Position whose actions are shown."
)
@shared("seed", "set", "json")
def state(given: Given, game: str, position: int) -> None:
    """Show what strategies of GAME deal with: state, actions, luck.

    Lists the fields of the view (shape, axes, and who sees them, as observed in random games), the meaning of
    each legal action at one position of a random game, and the streams of luck.
    """
    definition = registry.game(game)
    rules = definition.rules(given.settings)
    actions = anatomy.actions(definition, rules, given.seed or 0, position)
    fields, streams = anatomy.fields(definition, rules), anatomy.streams(definition)
    if given.as_json:
        print_json({"game": definition.name, "state": fields, "actions": actions, "streams": streams})
        return
    for row in fields:
        axes, shape = row.pop("axes"), row.pop("shape")
        sizes = [f"{axis} {size}".strip() for axis, size in zip_longest(axes, shape, fillvalue="")]
        row["type"] += f"[{', '.join(sizes)}]" if sizes else ""
        row["seen_by"] = SEEN_BY_WORDS[row["seen_by"]]
    click.echo(f"{definition.title} ({definition.name}): the fields of `view`, whose log is blank\n")
    print_table(fields)
    click.echo(f"\nActions at position {position} of the random game with seed {given.seed}\n")
    print_table(actions)
    click.echo("\nStreams of luck\n" if streams else "\nNo luck")
    if streams:
        print_table(streams)


@command
@click.argument("game")
@click.argument("table", required=False)
@shared("set")
def cards(given: Given, game: str, table: str | None) -> None:
    """Print a table of GAME as CSV: cards, tracks.

    Change the file as you like, then play with it: simkit compare GAME --to files.TABLE=FILE. With --set,
    print another set of cards that comes with the game.
    """
    definition = registry.game(game)
    tables = {name: file for name, file in definition.components.files.items() if file.printed and file.rows}
    if not tables:
        raise UsageError(f"{game} has no table that a file can replace; see its options: simkit rules {game}")
    name = table or next(iter(tables))
    look_up(f"table of {game}", name, tables)
    rows = table_files.rows(definition, table_files.HEAD + name, {}, given.settings)
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


@command
@game_or_all
@shared("json")
def strategies(given: Given, games: list[Game]) -> None:
    """List strategies with their weights."""
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
        values = {"default": weight.shown, "values": weight.allowed, "meaning": weight.meaning}
        weights.append({"weight": name, "label": weight.label or plain(name)} | values)
    front = {"game": game.name, "strategy": strategy.name, "label": strategy.label}
    return front | {"meaning": strategy.meaning, "weights": weights}
