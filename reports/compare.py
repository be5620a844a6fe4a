"""The comparison page: rule sets against the baseline on the same deals."""

import math
from collections.abc import Iterator, Sequence

import polars as pl

from simkit.analysis import Findings, setting_words
from simkit.analysis.compare import PRIMARY
from simkit.reporting.document import Report
from simkit.reporting.pages import Chapters, Recipe
from simkit.reporting.terminal import (
    MAX_ROWS,
    Part,
    brackets_explained,
    brief_document,
    rows_left_out,
    verdict_column,
)
from simkit.reporting.text.changes import confidence, differs, doubt, fair_moves, measure_name, shares_won
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import TableRow

from .sections.cards_changed import cards_changed
from .sections.changes import changes
from .sections.confirmed import confirmed_settings
from .sections.cures import cures
from .sections.deal_by_deal import deal_by_deal
from .sections.drama import drama
from .sections.endings import endings
from .sections.luck import luck
from .sections.matchups import matchups
from .sections.next_steps import next_steps
from .sections.pieces import pieces
from .sections.rule_sets import rule_sets
from .sections.seats import seats
from .sections.stories import stories
from .sections.verdicts import verdicts
from .sections.who import who

LEVELS = """(An interval that leaves out 0 is beyond luck. Its level is 95 %, or higher where there are
many differences; differences in who wins are counted separately from all others.)"""


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the differences, with what their levels mean."""
    shown = rows(findings, findings.run.manifest.asked_columns, whole)
    yield f"\nCompared with {labels_of(findings).baseline}, deal by deal:\n"
    yield shown
    yield from rows_left_out(findings.comparisons.height - len(shown))
    yield LEVELS
    yield from brackets_explained(findings)


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    run = findings.run
    return brief_document(brief) | {
        "run": run.place,
        "base": setting_words(next(cell.varied for cell in run.cells if cell.baseline)),
        "confidence": 0.95,
        "differences": findings.comparisons.rows(named=True),
    }


def rows(findings: Findings, columns: Sequence[str], whole: bool) -> list[TableRow]:
    """Return the rows of differences that the terminal shows: all (`whole`), or those of a screen."""
    labels, first = labels_of(findings), findings.first_player_advantage
    verdicts = dict(first.select("cell", pl.struct("verdict", "needed")).iter_rows())
    labelled = labels.label(findings.comparisons)
    won, differences = shares_won(labelled), labelled.rows(named=True)
    if not whole:
        differences = _of_screen(differences, columns, won)
    return [
        labels.in_columns(row["cell"], marked=False)
        | _row(row, won.get(row["cell"], row), verdicts[row["cell"]], whole)
        for row in differences
    ]


def _of_screen(
    differences: list[TableRow], columns: Sequence[str], won: dict[int, TableRow]
) -> list[TableRow]:
    """Return the rows of a screen: who wins, the requested columns, changes beyond luck.

    With two seats no share appears twice, unless the fair share moves: then share and advantage differ.
    """
    requested = tuple(column.partition("=")[0] for column in columns)
    moved = {row["cell"] for row in differences if row["cell"] in won and fair_moves(row, won[row["cell"]])}

    def rank(row: TableRow) -> int:
        is_primary = row["measure"] in PRIMARY
        is_primary |= row["measure"] == "share" and row["seat"] == 0 and row["cell"] in moved
        return 0 if is_primary else 1 if row["measure"].startswith(requested) else 2 if differs(row) else 3

    distinct = [
        row for row in differences if row["measure"] != "share" or row["seats"] > 2 or row["cell"] in moved
    ]
    first = sorted(range(len(distinct)), key=lambda place: rank(distinct[place]))[:MAX_ROWS]
    return [distinct[place] for place in sorted(first)]


def _row(row: TableRow, won: TableRow, case: TableRow, whole: bool) -> TableRow:
    """Return the row of a difference, given the first player's share (`won`) and the cell's verdict (`case`).

    `whole` adds the p-value and the variance reduction by common deals.
    """
    scale, unit, points = (100, " %", " points") if row["unit"] == "share" else (1, "", "")
    lead = row["measure"] == "fpa"
    wins = lead and not whole and not fair_moves(row, won)
    form, after = ("+.2f", points) if lead and not wins else (".2f", unit)
    base, here = (f"{scale * (won if wins else row)[name]:{form}}{after}" for name in ("base_value", "value"))
    low, high = (f"{scale * row[name]:+.2f}" for name in ("low", "high"))
    interval = "-" if math.isnan(row["low"]) else f"{low} to {high}"
    measure = "first player wins" if wins else measure_name(row["measure"], row["seat"])
    named = {"lineup": row["lineup"], "measure": measure}
    values = {"base": base, "here": here, "difference": f"{scale * row['difference']:+.2f}{points}"}
    values |= {"interval": interval, "level": confidence(row["confidence"])}
    values |= {"": doubt(row)}
    verdict = verdict_column(case)
    if row["measure"] not in PRIMARY:
        verdict = dict.fromkeys(verdict, "")
    return named | values | (_precision_columns(row) if whole else {}) | verdict


def _precision_columns(row: TableRow) -> TableRow:
    """Return the adjusted p-value, the deals, and the variance reduction by common deals."""
    has_factor = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not has_factor else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    chance = "< 0.001" if row["p_adjusted"] < 0.001 else f"{row['p_adjusted']:.3f}"
    return {"p adjusted": chance, "deals": row["deals"], "variance reduced": factor}


OF_RULES: Chapters = {
    "What would be fair": [confirmed_settings, cures],
    "Your own cards": [cards_changed],
    "What else changes": [changes],
    "Deal by deal": [deal_by_deal],
    "Tension": [drama],
    "What goes with winning": [pieces],
    "Games worth a look": [stories],
}
OF_PLAYERS: Chapters = {"Who beats whom": [matchups], "Players and certainty": [verdicts, luck, seats, who]}
recipe = Recipe(
    "comparison of rules",
    brief=[rule_sets, next_steps],
    chapters={**OF_RULES, **OF_PLAYERS},
    of_team={**OF_RULES, "How it ends": [endings], **OF_PLAYERS},
    needs="several settings of the rules and a baseline among them (simkit compare)",
    fits=lambda findings: findings.comparisons.height > 0,
    terminal=terminal,
    document=document,
)
