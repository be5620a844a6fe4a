"""The compare command: rule sets on the same deals."""

import math

import click
import polars as pl
from click import option

from simkit import analysis
from simkit.analysis import Findings
from simkit.analysis.compare import PRIMARY
from simkit.api import compare as api
from simkit.api.results import Result
from simkit.cli.options import Given, Texts, command, settings_of, shared
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import (
    brief_document,
    explain_brackets,
    left_out,
    print_brief,
    print_step,
    report_command,
)
from simkit.cli.tables import MAX_ROWS, verdict_column
from simkit.reporting.text.changes import confidence, differs, doubt, fair_moves, measure_name, shares_won
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import TableRow

LEVELS = """(An interval that leaves out 0 is beyond luck. Its level is 95 %, or higher where there are
many differences; differences in who wins are counted separately from all others.)"""
BASE = "Option of the rule set to compare with, if it is not the usual one; repeatable."
TO = "Rule set to compare; repeatable. Without one, --cards is compared with the printed cards."
COLUMN = "Also compare this column of the log, or how often it has this value; repeatable."


@command("Questions")
@click.argument("game")
@option("--base", multiple=True, metavar="OPTION=VALUE", help=BASE)
@option("--to", multiple=True, metavar="OPTION=VALUE,...", help=TO)
@option("--column", multiple=True, metavar="NAME|NAME=VALUE", help=COLUMN)
@shared("lineups", "deals", "target", "seed", "set", "files", "play", "extras", "table", "json")
def compare(given: Given, game: str, base: Texts, to: Texts, column: Texts) -> None:
    """Compare rule sets on the same deals.

    You get what each rule set changes in who wins, in the length of games and in other columns of the log, as
    differences with intervals. Rules of --set hold in all rule sets; players=2:4 there plays all of them with
    two to four players.

    \b
    Example:  simkit compare pig --to goal=60 --to goal=80,faces=8
    """
    others = [settings_of((other,)) for other in to]
    result = api.compare(game, *others, base=settings_of(base), columns=column, **given.keywords())
    if given.as_json:
        print_json(_document(result))
        return
    _print(result, column, given.whole)


def _print(result: Result, columns: Texts, whole: bool) -> None:
    shown = rows(result, columns, whole)
    print_brief(result.brief)
    say(f"\nCompared with {labels_of(result).baseline}, deal by deal:\n")
    print_table(shown)
    left_out(result.comparisons.height - len(shown))
    say(LEVELS)
    explain_brackets(result)
    print_step(result.brief)
    say(f"\nRun: {result.run.place}   report: {report_command(result.run)}")


def rows(findings: Findings, columns: Texts, whole: bool) -> list[TableRow]:
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


def _of_screen(differences: list[TableRow], columns: Texts, won: dict[int, TableRow]) -> list[TableRow]:
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


def _document(findings: Result) -> TableRow:
    """Return the document that --json prints."""
    run = findings.run
    return brief_document(findings.brief) | {
        "run": run.place,
        "base": analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline)),
        "confidence": 0.95,
        "differences": findings.comparisons.rows(named=True),
    }


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
