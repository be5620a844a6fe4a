"""Commands about what there is: games, rules, strategies."""

from __future__ import annotations

from typing import Any

import click

from simkit import catalogue
from simkit.cli.options import json_option
from simkit.cli.output import print_json, print_table
from simkit.game import Game


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games."""
    rows = [
        {
            "game": g.name,
            "title": g.title,
            "seats": _seats(g),
            "known answers": len(g.known),
            "about": g.summary,
        }
        for g in catalogue.games().values()
    ]
    if as_json:
        print_json(rows)
    else:
        print_table(
            list(rows[0]), [[str(value or "") for value in row.values()] for row in rows], numbers=(3,)
        )


def _seats(game: Game) -> str:
    low, high = game.seats
    return f"{low}" if low == high else f"{low}-{high}"


@click.command()
@click.argument("game")
@json_option
def rules(game: str, as_json: bool) -> None:
    """Rules of GAME in brief, and its options."""
    of = catalogue.game(game)
    options = [
        {
            "option": o.name,
            "default": o.shown(o.default),
            "values": o.allowed,
            "clause": o.clause,
            "meaning": o.meaning,
        }
        for o in of.options
    ]
    if as_json:
        print_json(
            {
                "game": of.name,
                "title": of.title,
                "rules": of.words.rules,
                "options": options,
                "presets": _presets(of),
            }
        )
        return
    click.echo(f"{of.title} ({of.name})\n\n{of.words.rules}")
    if options:
        print_table(list(options[0]), [[_shown(v) for v in row.values()] for row in options])
    for setting, sets in _presets(of).items():
        click.echo(
            f"\n{setting} sets, where nothing else is given: "
            + ", ".join(f"{name} = {_shown(v)}" for name, v in sets.items())
        )


def _presets(of: Game) -> dict[str, dict[str, Any]]:
    """Setting -> the options that it sets, those of the default setting left out: they are the defaults."""
    return {
        f"{name} = {choice}": dict(sets)
        for name, choices in of.presets.items()
        for choice, sets in choices.items()
        if choice != of.option(name).shown(of.option(name).default)
    }


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@click.command()
@click.argument("game", required=False)
@json_option
def strategies(game: str | None, as_json: bool) -> None:
    """List strategies with their weights."""
    rows = [
        row
        for of in ([catalogue.game(game)] if game else catalogue.games().values())
        for row in _strategy_rows(of)
    ]
    if as_json:
        print_json(rows)
        return
    lines = []
    for row in rows:
        lines.append([row["game"], row["strategy"], row["meaning"]])
        lines += [
            ["", f"  {w['weight']} = {w['default']}", f"{w['meaning']}: {w['values']}"]
            for w in row["weights"]
        ]
    print_table(["game", "strategy", "meaning"], lines)


def _strategy_rows(of: Game) -> list[dict[str, Any]]:
    return [
        {
            "game": of.name,
            "strategy": name,
            "meaning": one.meaning,
            "weights": [
                {"weight": n, "default": w.shown, "values": w.allowed, "meaning": w.meaning}
                for n, w in one.weights.items()
            ],
        }
        for name, one in catalogue.strategies(of).items()
    ]
