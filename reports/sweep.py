"""The sweep page: fairness along the varied options, the setting nearest to fair, and how it plays."""

from collections.abc import Iterator

import polars as pl

from simkit.formatting import counted
from simkit.page.document.parts import Report
from simkit.page.recipe import Chapters, Recipe
from simkit.page.terminal import SEAT_KEYS, TextOrTable, brief_document, rows_of_run
from simkit.page.words.numbers import TableRow, join_names
from simkit.stats.verdicts import NOT_SETTLED
from simkit.tables.fairness import confirmed
from simkit.tables.findings import Findings, axes
from simkit.tables.players import strategy_shares
from simkit.tables.seats import first_player_advantage, seat_shares

from .sections.answer import answer, next_steps
from .sections.best_choices import best_choices
from .sections.changes import changes, tornado
from .sections.components import components, pieces
from .sections.length import length, load, yardsticks
from .sections.luck import beginners, kingmaking, luck
from .sections.players import skill, who
from .sections.roles import counters, roles, roles_by_seat
from .sections.seats import confirmed_settings, cures, seats, verdict_map, verdicts
from .sections.stories import stories
from .sections.teams import contributions, crew
from .sections.tension import drama, endings, scores


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield how the cells ended, and the rows of the run."""
    yield from _how_cells_ended(findings)
    yield from rows_of_run(findings, whole)


def _how_cells_ended(findings: Findings) -> list[str]:
    """Return how the cells of a sequentially stopped run ended."""
    experiment, first = findings.run.experiment, first_player_advantage(findings)
    if not experiment.adaptive:
        return []
    open_still = first.filter(pl.col("deals") >= experiment.deals)
    if experiment.until_verdict:
        open_still = first.filter(verdict=NOT_SETTLED)
    parts = [f"{first.height - open_still.height} of {counted(first.height, 'case')} stopped early"]
    parts += [f"{open_still.height} at the limit of {experiment.deals:,} deals"] if open_still.height else []
    stopped = f"Stopped by itself: {join_names(parts)}."
    if first["adjusted"].count():
        stopped += " Adjusted: the share without the bias of stopping."
    return [stopped]


MATCH_KEYS = ("strategy", "share", "low", "high", "games", "failed", "deals")


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document: the answer, and the shares of seats and strategies by cell."""
    run, seats = findings.run, seat_shares(findings).partition_by("cell", as_dict=True)
    met = any(cell.rotates_lineup for cell in run.cells)
    matches = strategy_shares(findings).partition_by("cell", as_dict=True) if met else {}
    verdicts = dict(first_player_advantage(findings).select("cell", "verdict").iter_rows())
    cells = [
        {"cell": cell.index, "options": cell.varied, "lineup": ", ".join(cell.labels), "n": cell.plays}
        | {"deals": cell.deals, "verdict": verdicts[cell.index]}
        | {"strategies": _rows(matches[cell.index,], MATCH_KEYS) if cell.rotates_lineup else []}
        | {"seats": _rows(seats[cell.index,], SEAT_KEYS)}
        for cell in run.cells
    ]
    front = {"run": run.place, "game": run.experiment.game, "seed": run.experiment.seed, "confidence": 0.95}
    checked = confirmed(findings).rows(named=True)
    return brief_document(brief) | front | {"cells": cells, "confirmed": checked}


def _rows(table: pl.DataFrame, keys: tuple[str, ...]) -> list[TableRow]:
    return table.select(name for name in keys if name in table.columns).rows(named=True)


OF_SETTINGS: Chapters = {
    "All settings": [confirmed_settings, verdict_map, verdicts, best_choices, seats, cures],
    "Roles": [roles, roles_by_seat],
    "Who counters whom": [counters],
    "Players": [who, skill],
}
OF_GAMES: Chapters = {
    "Length": [length, load],
    "Tension": [drama, yardsticks, endings, scores],
    "Luck": [beginners, luck, kingmaking],
    "What goes with winning": [pieces, components],
    "Games worth a look": [stories],
}
recipe = Recipe(
    "sweep report",
    brief=[answer, next_steps],
    chapters={**OF_SETTINGS, "What else changes": [tornado, changes], **OF_GAMES},
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
    of_team={
        "All settings": [confirmed_settings, verdict_map, verdicts],
        "Players": [who],
        "What else changes": [tornado, changes],
        "Length": [length, load, yardsticks],
        "How games end": [endings, scores, beginners, luck],
        "Who contributes": [contributions],
        "Members and components": [crew, pieces, components],
        "Games worth a look": [stories],
    },
    terminal=terminal,
    document=document,
)
