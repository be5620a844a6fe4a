"""Games: Summarize the rules of a game and list its options."""

from typing import Any

import click

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import FORM, Option, to_words


@command()
@click.argument("game")
@shared_options("json")
def rules(game: str, as_json: bool) -> None:
    """Summarize the rules of a game and list its options."""
    definition = registry.game(game)
    presets, ways = _presets(definition), {way.name: way.meaning for way in definition.components.ways}
    if as_json:
        options = [_row(option) for option in definition.options]
        document = {"game": definition.name, "title": definition.title, "rules": definition.words.rules}
        rulings = [own._asdict() for own in definition.rulings]
        print_json(document | {"rulings": rulings, "options": options, "presets": presets, "ways": ways})
        return
    click.echo(f"{definition.title} ({definition.name})\n\n{definition.words.rules}")
    if definition.rulings:
        click.echo("\n".join(["Rulings where the rulebook is unclear:", *map(str, definition.rulings), ""]))
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
    front = {"option": option.name, "label": option.label, "default": option.value(option.default)}
    return front | {"values": option.allowed, "clause": option.clause, "meaning": option.meaning}


def _values(option: Option) -> str:
    """Return the allowed values as commands write them, with their labels where these differ."""
    labels = {name: option.value_label(name) for name in option.names}
    texts = [name if label == to_words(name) else f"{name} ({label})" for name, label in labels.items()]
    if isinstance(option.values, str) or option.names:
        return ", ".join(texts) or option.allowed
    named = ", ".join(f"{number}: {label}" for number, label in option.values.items() if number != FORM)
    return f"{option.allowed} ({named})"


def _presets(game: Game) -> dict[str, dict[str, Any]]:
    """Return the options that each setting sets, without the default setting."""
    usual = game.resolve({})
    return {
        f"{name} = {choice}": dict(sets)
        for name, choices in game.presets.items()
        for choice, sets in choices.items()
        if choice != usual[name]
    }
