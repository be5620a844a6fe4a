"""The rules in brief, and the options in force."""

from __future__ import annotations

from typing import Any

import polars as pl

from simkit import analysis, catalogue
from simkit.errors import UsageError
from simkit.report import Section, Show, Story, table
from simkit.runlog import Run


def rules_section(run: Run) -> list[Section]:
    """What is played: summary, rules in brief, options in force in the first cell; nothing for a game that is no longer there."""
    try:
        game = catalogue.game(run.experiment.game)
    except UsageError:
        return []
    cell = run.cells[0]
    options = game.resolve(cell.options)
    rows = [
        (
            o.name,
            str(options[o.name]).lower() if o.kind is bool else str(options[o.name]),
            _usual(o),
            analysis.seats_named(o.meaning),
            o.clause,
        )
        for o in game.options
    ]
    names = ("option", "here", "rulebook", "meaning", "clause")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    tables = [table(frame, {name: Show(name) for name in names}, "Options in force")] if rows else []
    changed = [row[0] for row in rows if row[1] != row[2]]
    said = (
        f"Differing from the rulebook: {analysis.setting_words({name: options[name] for name in changed})}."
        if changed
        else "As in the rulebook."
    )
    brief = (
        [Story("The rules in brief", analysis.seats_named(game.words.rules.strip()))]
        if game.words.rules
        else []
    )
    return [Section("The game", [f"{game.title}: {game.summary}.", said], [], tables, brief)]


def _usual(option: Any) -> str:
    """The rulebook's value, as written."""
    value = option.shown(option.default)
    return str(value).lower() if option.kind is bool else str(value)
