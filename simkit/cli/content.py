"""Commands about what there is: games, rules, strategies."""

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


@command(10)
@shared("json")
def games(given: Given) -> None:
    """List the games."""
    rows = list[dict[str, Any]]()
    for of in registry.games().values():
        row = {"game": of.name, "title": of.title, "seats": "-".join(map(str, sorted(set(of.seats))))}
        rows.append(row | {"known answers": len(of.known) or None, "about": of.summary})
    print_json(rows) if given.as_json else print_table(rows)


@command(20)
@click.argument("game")
@shared("json")
def rules(given: Given, game: str) -> None:
    """Rules of GAME in brief, and its options."""
    of = registry.game(game)
    if given.as_json:
        known = {"game": of.name, "title": of.title, "rules": of.words.rules}
        ways = {way.name: way.meaning for way in of.components.ways}
        print_json(known | {"options": list(map(_row, of.options)), "presets": _presets(of), "ways": ways})
        return
    click.echo(f"{of.title} ({of.name})\n\n{of.words.rules}")
    if of.options:
        print_table([_row(option) | {"values": _values(option)} for option in of.options])
    for setting, sets in _presets(of).items():
        named = ", ".join(f"{name} = {str(value).lower()}" for name, value in sets.items())
        click.echo(f"\n{setting} sets, where nothing else is given: {named}")
    if told := ", ".join(f"{way.name} ({way.meaning})" for way in of.components.ways):
        click.echo(f"\nsimkit ablate {of.name} --how: {told}")


def _row(option: Option) -> dict[str, Any]:
    named = {"option": option.name, "label": option.label, "default": option.shown(option.default)}
    return named | {"values": option.allowed, "clause": option.clause, "meaning": option.meaning}


def _values(option: Option) -> str:
    """The values allowed, as commands write them, with what people call them where that is not the same."""
    labels = {name: option.value_label(name) for name in option.names}
    told = [name if label == plain(name) else f"{name} ({label})" for name, label in labels.items()]
    return ", ".join(told) or option.allowed


def _presets(of: Game) -> dict[str, dict[str, Any]]:
    """Setting -> the options that it sets; the default setting sets the defaults and is left out."""
    usual = of.resolve({})
    return {
        f"{name} = {choice}": dict(sets)
        for name, choices in of.presets.items()
        for choice, sets in choices.items()
        if choice != usual[name]
    }


SEEN = {"all": "all seats", "own": "some seats, or each its own part", "none": "nobody"}


@command(22)
@click.argument("game")
@click.option("--position", type=Whole(min=1), default=1, metavar="N", help="Where actions are described.")
@shared("seed", "set", "json")
def state(given: Given, game: str, position: int) -> None:
    """What strategies of GAME deal with: state, actions, luck.

    Show the fields of the view (shape, unit, who sees them, as observed in random games), what each legal
    action means at one position, and the streams of luck.
    """
    of = registry.game(game)
    rules = of.rules(given.settings)
    actions = anatomy.actions(of, rules, given.seed or 0, position)
    fields, streams = anatomy.fields(of, rules), anatomy.streams(of)
    if given.as_json:
        print_json({"game": of.name, "state": fields, "actions": actions, "streams": streams})
        return
    for one in fields:
        sizes = [
            " ".join(map(str, part)) for part in zip_longest(one.pop("axes"), one.pop("shape"), fillvalue="")
        ]
        one["type"] += f"[{', '.join(sizes)}]" if sizes else ""
        one["seen_by"] = SEEN[one["seen_by"]]
    click.echo(f"{of.title} ({of.name}): what a strategy sees in `view`, whose log is blank\n")
    print_table(fields)
    click.echo(f"\nActions at position {position} of the random game of seed {given.seed}\n")
    print_table(actions)
    click.echo("\nStreams of luck\n" if streams else "\nNo luck")
    if streams:
        print_table(streams)


@command(25)
@click.argument("game")
@click.argument("table", required=False)
@shared("set")
def cards(given: Given, game: str, table: str | None) -> None:
    """Print a table of GAME as CSV: cards, tracks.

    It is a start for your own: change the file, then play it with simkit compare GAME --to
    files.TABLE=FILE. --set prints another set that comes with the game.
    """
    of = registry.game(game)
    known = {name: one for name, one in of.components.files.items() if one.printed and one.rows}
    if not known:
        raise UsageError(
            f"{game} has no table that a file may replace; its numbers are options: simkit rules {game}"
        )
    name = table or next(iter(known))
    look_up(f"table of {game}", name, known)
    rows = table_files.rows(of, table_files.HEAD + name, {}, given.settings)
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)


@command(30)
@game_or_all
@shared("json")
def strategies(given: Given, games: list[Game]) -> None:
    """List strategies with their weights."""
    rows = [_strategy(of, one) for of in games for one in registry.strategies(of).values()]
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


def _strategy(of: Game, one: Strategy) -> dict[str, Any]:
    told = {"game": of.name, "strategy": one.name, "label": one.label, "meaning": one.meaning}
    weights = []
    for name, weight in one.all_weights.items():
        values = {"default": weight.shown, "values": weight.allowed, "meaning": weight.meaning}
        weights.append({"weight": name, "label": weight.label or plain(name)} | values)
    return told | {"weights": weights}
